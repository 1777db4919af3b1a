import SyrinxByteStream

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The proxies in the environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
///
/// Lower case takes precedence over upper case. `HTTP_PROXY` in upper case is ignored, because a web server sets it
/// from the `Proxy` header of a request for the programs that it runs. Loopback addresses never use a proxy. libcurl
/// interprets the values: a proxy is `http`, `https`, `socks4`, `socks4a`, `socks5` or `socks5h`; `no_proxy` lists
/// hosts, domains and networks.
struct ProxyEnvironment: Sendable {
    let environment: [String: String]

    /// Returns the proxy for `url`, empty if there is none, and the hosts, domains and networks that use no proxy.
    func proxy(for url: RequestURL) -> (url: String, exemptions: String?) {
        guard !isLoopback(url.bareHost) else { return ("", nil) }
        let own = url.scheme == "https" ? value("https_proxy", "HTTPS_PROXY") : value("http_proxy")
        return (own ?? value("all_proxy", "ALL_PROXY") ?? "", exemptions(for: url))
    }

    /// Returns the value of `no_proxy` in libcurl's form: without ports, and without the `*` in `*.example.org`.
    private func exemptions(for url: RequestURL) -> String {
        let list = value("no_proxy", "NO_PROXY") ?? ""
        return list.split(whereSeparator: { $0 == "," || $0.isWhitespace }).compactMap { entry -> Substring? in
            var name = entry
            // An IPv6 address has several colons; only after a bracketed one does the last colon precede a port.
            let mayHavePort = name.hasPrefix("[") || name.count { $0 == ":" } == 1
            if mayHavePort, let colon = name.lastIndex(of: ":"), let port = Int(name[name.index(after: colon)...]) {
                guard port == url.port else { return nil }
                name = name[..<colon]
            }
            if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
            return name.hasPrefix("*.") ? name.dropFirst() : name
        }.joined(separator: ",")
    }

    /// Returns the host to which a request for `url` connects first, for messages: that of the proxy or of the URL.
    func firstHost(for url: RequestURL) -> String {
        let address = proxy(for: url).url
        let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        return (try? RequestURL("http://" + rest))?.bareHost ?? url.host
    }

    private func value(_ names: String...) -> String? {
        names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }

    private func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "::1"
    }
}

/// The trusted certificates in the environment variables `SSL_CERT_FILE` and `SSL_CERT_DIR`.
struct CertificateEnvironment: Sendable {
    let file: String?
    let directory: String?

    /// Whether the environment specifies certificates; otherwise those of the system are trusted.
    var isSet: Bool { file != nil || directory != nil }

    /// - Throws: `.tlsFailed` if they cannot be read, because libcurl would only report that it trusts no server.
    init(_ environment: [String: String]) throws(FetchFailure) {
        func path(_ name: String) throws(FetchFailure) -> String? {
            guard let path = environment[name], !path.isEmpty else { return nil }
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw FetchFailure(
                    .tlsFailed,
                    "the certificates in \(path), which \(name) names, cannot be read",
                    .none
                )
            }
            return path
        }
        file = try path("SSL_CERT_FILE")
        directory = try path("SSL_CERT_DIR")
    }
}

extension HTTPByteStream.Options {
    /// The environment variables for proxies and certificates.
    var environmentInUse: [String: String] { environment ?? ProcessInfo.processInfo.environment }
}
