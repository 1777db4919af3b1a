import AsyncHTTPClient
import NIOCore
import NIOHTTPCompression
import NIOSSL
import Synchronization
import SyrinxByteStream

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The HTTP clients of this process: one for each scheme, proxy and set of certificates in use.
///
/// They live as long as the process, on the event loops that NIO shares, and keep neither alive: connections
/// that are unused close by themselves, and there is nothing to shut down at exit.
enum HTTPClientPool {
    private struct Key: Hashable {
        let proxy: ProxyEnvironment.Proxy?
        let isSecure: Bool
        let connectMilliseconds: Int64
        let certificateFile: String?
        let certificateDirectory: String?
        let decompresses: Bool
    }

    private static let clients = Mutex<[Key: HTTPClient]>([:])

    /// The client for a URL.
    ///
    /// - Throws: `FetchFailure` if the certificates that the environment names cannot be read: the client would only
    ///   find that no connection comes about, and after its whole time.
    static func client(for url: RequestURL, _ options: HTTPByteStream.Options) throws -> HTTPClient {
        let environment = options.environmentInUse
        func path(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let key = Key(
            proxy: options.proxy(for: url),
            isSecure: url.scheme == "https",
            connectMilliseconds: max(1, TimeAmount.clamped(seconds: options.connectTimeout).nanoseconds / 1_000_000),
            certificateFile: path("SSL_CERT_FILE"),
            certificateDirectory: path("SSL_CERT_DIR"),
            decompresses: options.decompresses
        )
        for path in [key.certificateFile, key.certificateDirectory].compactMap({ $0 }) where url.scheme == "https" {
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw FetchFailure(.tlsFailed, "the certificates in \(path) cannot be read", .none)
            }
        }
        return clients.withLock { clients in
            if let client = clients[key] { return client }
            let client = make(key)
            clients[key] = client
            return client
        }
    }

    /// The event loop for the requests to a server: the same one for all of them, so that none has to hop to its connection.
    static func loop(for url: RequestURL) -> any EventLoop {
        let loops = Array(HTTPClient.defaultEventLoopGroup.makeIterator())
        return loops[Int(UInt(bitPattern: url.authority.hashValue) % UInt(loops.count))]
    }

    private static func make(_ key: Key) -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .milliseconds(key.connectMilliseconds)),
            // Text rarely shrinks to less than a hundredth: more is made to fill the memory.
            decompression: key.decompresses ? .enabled(limit: .ratio(200)) : .disabled
        )
        // The client otherwise expects HTTP/2, and makes a second connection when the first turns out not to speak it.
        if !key.isSecure { configuration.httpVersion = .http1Only }
        configuration.http1_1ConnectionDebugInitializer = { HTTP1StatusValidator.add(to: $0) }
        configuration.http2ConnectionDebugInitializer = { HTTP2ConnectionRegistry.add($0) }
        configuration.http2StreamChannelDebugInitializer = { HTTP2ResponseValidator.add(to: $0) }
        // Retries are counted by `FetchMachine`, which also tells the listener about them.
        configuration.connectionPool.retryConnectionEstablishment = false
        // Long enough for the next range or segment. Apache and Node.js close after 5 seconds: a request at that moment would be lost.
        configuration.connectionPool.idleTimeout = .seconds(3)
        // Streams that wait for room hold their connections: many may do so at one host.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        if let proxy = key.proxy {
            configuration.proxy =
                proxy.isSOCKS
                ? .socksServer(host: proxy.host, port: proxy.port)
                : .server(
                    host: proxy.host,
                    port: proxy.port,
                    authorization: proxy.authorization.map { .basic(credentials: String($0.dropFirst(6))) }
                )
        }
        if let root = key.certificateDirectory ?? key.certificateFile {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(root)
            // A directory may stand in `trustRoots` alone: the additional ones are read as files.
            if key.certificateDirectory != nil {
                tls.additionalTrustRoots = [key.certificateFile].compactMap { $0 }.map { .file($0) }
            }
            configuration.tlsConfiguration = tls
        }
        return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }
}
