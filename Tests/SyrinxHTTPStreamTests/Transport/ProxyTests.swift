import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

/// Hosts named `.test` exist nowhere (RFC 6761): what is read from them has come through the proxy.
@Suite("Proxies") struct ProxyTests {
    private func options(_ server: ScriptedHTTPServer, _ more: [String: String] = [:]) -> HTTPByteStream.Options {
        quickOptions {
            $0.maximumConnectAttempts = 1
            let proxy = "http://anna:open%20sesame@127.0.0.1:\(server.port)"
            $0.environment = ["http_proxy": proxy, "https_proxy": proxy].merging(more) { $1 }
        }
    }

    @Test("A proxy receives the absolute URL and the credentials for proxy and server")
    func aProxyIsAskedForTheWholeURL() throws {
        let bytes = patternedBytes(200_000)
        let proxy = try ScriptedHTTPServer()
        proxy.route("http://music.test/a.bin", .file(bytes).cut(after: 90_000, .reset), .file(bytes))
        let url = "http://otto:secret@music.test/a.bin?b=c#d"
        let stream = try HTTPByteStream(url: url, options: options(proxy))
        #expect(try isSame(readAll(stream), bytes))
        let requests = proxy.requests
        #expect(requests.map(\.method) == ["GET", "GET"])
        #expect(requests.map(\.path) == Array(repeating: "http://music.test/a.bin?b=c", count: 2))
        for request in requests {
            #expect(request.headers["host"] == "music.test")
            // `printf 'anna:open sesame' | base64`, and the same of `otto:secret`.
            #expect(request.headers["proxy-authorization"] == "Basic YW5uYTpvcGVuIHNlc2FtZQ==")
            #expect(request.headers["authorization"] == "Basic b3R0bzpzZWNyZXQ=")
        }
        #expect(requests.map { $0.range != nil } == [true, true])
        #expect(requests[1].headers["if-range"] == requests[0].headers["if-range"] ?? "\"file-200000\"")
        #expect(proxy.acceptedCount == 2)
    }

    @Test("Redirects and ICY servers are reached through the proxy")
    func redirectsAndOldServersGoThroughItToo() throws {
        let bytes = patternedBytes(20_000)
        let proxy = try ScriptedHTTPServer()
        proxy.route("http://music.test:8000/", .redirect(to: "http://other.test/b"))
        proxy.route("http://other.test/b", .raw("ICY 200 OK\r\nContent-Length: 20000\r\n\r\n", bytes))
        let stream = try HTTPByteStream(url: "http://music.test:8000", options: options(proxy))
        #expect(try isSame(readAll(stream), bytes))
        #expect(proxy.requests.map { $0.headers["host"] } == ["music.test:8000", "other.test"])
    }

    @Test("A refusal by the proxy is reported with its status")
    func whatAProxyRefuses() throws {
        let proxy = try ScriptedHTTPServer()
        proxy.route("http://music.test/a", .status(407))
        proxy.route("music.test:443", .status(407))
        for url in ["http://music.test/a", "https://music.test/a"] {
            let stream = try HTTPByteStream(url: url, options: options(proxy))
            let log = EventLog(stream)
            do throws(SyrinxError) {
                _ = try readAll(stream)
                Issue.record("407 brought bytes")
            } catch {
                #expect(error.code == .httpStatus(407), "\(url)")
                #expect(error.message.contains("proxy"), "\(url)")
                #expect(!"\(error)".contains("sesame"))
            }
            #expect(log.retries == 0)
        }
        let gone = try ScriptedHTTPServer()
        gone.stop()
        let stream = try HTTPByteStream(url: "http://music.test/a", options: options(gone))
        do throws(SyrinxError) {
            _ = try readAll(stream)
            Issue.record("a proxy that is gone brought bytes")
        } catch {
            #expect(error.code == .connectionRefused)
            // It is the proxy that is to be looked after.
            #expect(error.message.contains("127.0.0.1"))
        }
    }

    @Test(
        "HTTPS through a proxy uses CONNECT without exposing the server's credentials",
        .enabled(if: SecureServer.isAvailable)
    ) func secureConnectionsGoThroughATunnel() throws {
        let bytes = patternedBytes(200_000)
        let server = try SecureServer(files: ["a.bin": bytes], host: "music.test")
        let proxy = try ScriptedHTTPServer()
        proxy.route("music.test:443", .tunnel(to: server.port))
        let url = "https://otto:secret@music.test/a.bin"
        let stream = try HTTPByteStream(url: url, options: options(proxy, ["SSL_CERT_FILE": server.certificate]))
        #expect(try isSame(readAll(stream), bytes))
        let request = try #require(proxy.requests.first)
        #expect(request.method == "CONNECT")
        #expect(request.headers["proxy-authorization"] == "Basic YW5uYTpvcGVuIHNlc2FtZQ==")
        // What is meant for the server is not for the proxy to read.
        #expect(request.headers["authorization"] == nil)
    }

    /// The server itself has the name, so that a request that is not proxied reaches it too.
    @Test(
        "no_proxy exempts hosts and domains, with or without a port",
        arguments: [
            ("127-0-0-1.addresses.test", true), ("addresses.test", true), (".addresses.test", true),
            ("*.addresses.test", true),
            ("a.test, TEST", true), ("*", true), ("127-0-0-1.addresses.test:PORT", true),
            ("127-0-0-1.addresses.test:9", false),
            ("dresses.test", false), ("127-0-0-2.addresses.test", false), ("10.0.0.0/8", false),
        ]
    )
    func exemptions(list: String, isExempt: Bool) throws {
        let server = try ScriptedHTTPServer()
        let address = "http://127-0-0-1.addresses.test:\(server.port)/a"
        for path in ["/a", address] { server.route(path, .file(patternedBytes(1_000))) }
        let names = list.replacing("PORT", with: "\(server.port)")
        _ = try readAll(try HTTPByteStream(url: address, options: options(server, ["no_proxy": names])))
        #expect(server.requests.map(\.path) == [isExempt ? "/a" : address])
    }

    @Test("no_proxy exempts networks")
    func exemptNetworks() throws {
        let proxy = try ScriptedHTTPServer()
        proxy.route("http://192.0.2.7/a", .file(patternedBytes(1_000)))
        for (list, isExempt) in [("192.0.2.0/24", true), ("198.51.100.0/24", false)] {
            var options = options(proxy, ["no_proxy": list])
            options.connectTimeout = 0.2
            let stream = try HTTPByteStream(url: "http://192.0.2.7/a", options: options)
            // No host has an address in 192.0.2.0/24 (RFC 5737).
            let code = failureCode { () throws(SyrinxError) in _ = try readAll(stream) }
            #expect((code != nil) == isExempt, "\(list)")
        }
        #expect(proxy.requests.count == 1)
    }

    @Test("A SOCKS proxy resolves the name and connects", arguments: ["socks5h", "socks4a"])
    func socks(scheme: String) throws {
        let server = try ScriptedHTTPServer()
        let bytes = patternedBytes(20_000)
        server.route("/a", .file(bytes))
        let proxy = try PeerProcess("socks-peer", ["\(server.port)"])
        let options = quickOptions { $0.environment = ["all_proxy": "\(scheme)://127.0.0.1:\(proxy.port)"] }
        #expect(try isSame(readAll(try HTTPByteStream(url: "http://music.test/a", options: options)), bytes))
        #expect(server.requests.map { $0.headers["host"] } == ["music.test"])
    }
}
