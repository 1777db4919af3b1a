import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SyrinxByteStream

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension FetchFailure {
    /// Creates the failure for an error of the network stack.
    ///
    /// `hasHead`: whether the server had begun to answer by then.
    init(network error: any Error, host: String, hasHead: Bool) {
        let remedy: Remedy = hasHead ? .retry : .reconnect
        switch error {
        case let error as FetchFailure:
            self = error
        case let error as NIOConnectionError:
            self.init(connection: error, host: host)
        case let error as IOError:
            self.init(system: error.errnoCode, host: host, remedy: remedy, underlying: error)
        case ChannelError.connectTimeout:
            self.init(.timedOut, "no connection to \(host) in time", .reconnect, underlying: error)
        case let error as HTTPClientError:
            self.init(client: error, host: host, remedy: remedy)
            isEarlyEnd = hasHead && error == .remoteConnectionClosed
        case NIOSSLError.uncleanShutdown:
            self.init(.connectionLost, "the secure connection was cut", remedy, underlying: error)
        case NIOSSLError.handshakeFailed, is NIOSSLExtraError,
            NIOSSLError.unableToValidateCertificate, NIOSSLError.noCertificateToValidate:
            self.init(tls: error, host: host)
        case NIOSSLError.failedToLoadCertificate, NIOSSLError.noSuchFilesystemObject:
            let message = "the certificates that SSL_CERT_FILE or SSL_CERT_DIR name cannot be read"
            self.init(.tlsFailed, message, .none, underlying: error)
        case let error as HTTPParserError where error == .invalidEOFState:
            let message = "the connection was closed in the middle"
            self.init(.connectionLost, message, remedy, underlying: error, isEarlyEnd: hasHead)
        case let error as HTTPParserError where !hasHead && Self.repairable.contains(error):
            self.init(.badResponse, "the server's answer is not HTTP", .shoutcast, underlying: error)
        case is HTTPParserError:
            self.init(.badResponse, "the server's answer is not HTTP", .retry, underlying: error)
        default:
            self.init(.connectionLost, "the connection to \(host) was lost", remedy, underlying: error)
        }
    }

    /// The errors of a response head that `RawHTTP1Transfer` may repair.
    private static let repairable: [HTTPParserError] = [
        .invalidConstant, .invalidVersion, .invalidStatus, .invalidHeaderToken, .unexpectedContentLength,
        .invalidContentLength,
        .lfExpected, .strictModeAssertion,
        // A length beside chunks, and lines without a carriage return, of all things.
        .unknown,
    ]

    private init(client error: HTTPClientError, host: String, remedy: Remedy) {
        switch error {
        case .connectTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout, .getConnectionFromPoolTimeout,
            .deadlineExceeded, .readTimeout:
            self.init(.timedOut, "no connection to \(host) in time", .reconnect, underlying: error)
        case .proxyAuthenticationRequired:
            self.init(.httpStatus(407), Self.proxyAsks, .none, underlying: error)
        case .invalidProxyResponse:
            self.init(.badResponse, "the proxy does not connect to \(host)", .none, underlying: error)
        case .invalidURL, .emptyHost:
            self.init(.badURL, "the URL cannot be used", .none, underlying: error)
        case .tlsHandshakeTimeout:
            self.init(tls: error, host: host)
        default:
            self.init(.connectionLost, "the connection to \(host) was lost", remedy, underlying: error)
        }
    }

    private init(tls error: any Error, host: String) {
        let message = "no secure connection to \(host): its certificate is not trusted, or it speaks no usable TLS"
        self.init(.tlsFailed, message, .none, underlying: error)
    }

    private init(connection error: NIOConnectionError, host: String) {
        guard let first = error.connectionErrors.first?.error else {
            self.init(.hostNotFound, "there is no host named \(host)", .reconnect, underlying: error)
            return
        }
        if let first = first as? IOError {
            self.init(system: first.errnoCode, host: host, remedy: .reconnect, underlying: error)
        } else {
            self.init(.timedOut, "no connection to \(host) in time", .reconnect, underlying: error)
        }
    }

    private init(system code: CInt, host: String, remedy: Remedy, underlying: any Error) {
        switch code {
        case ECONNREFUSED:
            self.init(.connectionRefused, "\(host) refuses the connection", .reconnect, underlying: underlying)
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL:
            self.init(.hostUnreachable, "there is no way to \(host)", .reconnect, underlying: underlying)
        case ETIMEDOUT:
            self.init(.timedOut, "\(host) does not answer", .reconnect, underlying: underlying)
        default:
            self.init(.connectionLost, "the connection to \(host) was lost", remedy, underlying: underlying)
        }
    }
}
