#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Proxies as the environment names them: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`.
///
/// Lower case comes before upper case. `HTTP_PROXY` in upper case is not looked at: a web server sets it from a
/// request's `Proxy` header for the programs it runs. Loopback addresses never go through a proxy.
struct ProxyEnvironment: Sendable {
    struct Proxy: Hashable, Sendable {
        let host: String
        let port: Int
        let authorization: String?
        let isSOCKS: Bool
    }

    let environment: [String: String]

    /// The proxy for a URL, if there is one.
    func proxy(for url: RequestURL) -> Proxy? {
        guard !isLoopback(url.bareHost), !isExempt(url) else { return nil }
        let own = url.scheme == "https" ? value("https_proxy", "HTTPS_PROXY") : value("http_proxy")
        return (own ?? value("all_proxy", "ALL_PROXY")).flatMap(Self.parse)
    }

    private func value(_ names: String...) -> String? {
        names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }

    private func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "::1"
    }

    private func isExempt(_ url: RequestURL) -> Bool {
        guard let list = value("no_proxy", "NO_PROXY") else { return false }
        return list.split(whereSeparator: { $0 == "," || $0.isWhitespace }).contains { entry in
            if entry == "*" { return true }
            var name = entry.lowercased()[...]
            // An IPv6 address has several colons; only after one in brackets does the last one precede a port.
            let mayHavePort = name.hasPrefix("[") || name.count { $0 == ":" } == 1
            if mayHavePort, let colon = name.lastIndex(of: ":"), let port = Int(name[name.index(after: colon)...]) {
                guard port == url.port else { return false }
                name = name[..<colon]
            }
            if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
            if name.hasPrefix("*.") { name = name.dropFirst(1) }
            let bare = name.hasPrefix(".") ? name.dropFirst() : name
            return url.bareHost == bare || url.host.hasSuffix("." + bare)
        }
    }

    /// Takes `host:port`, and the same as a URL with an optional user and password.
    private static func parse(_ text: String) -> Proxy? {
        let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() } ?? "http"
        let isSOCKS = scheme.hasPrefix("socks")
        guard isSOCKS || scheme == "http" else { return nil }
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        guard let url = try? RequestURL("http://" + rest) else { return nil }
        let place = rest.prefix { $0 != "/" }.split(separator: "@").last ?? ""
        // Behind the brackets of an IPv6 address, if it is one.
        let end = place.lastIndex(of: "]").map { place[$0...] } ?? place
        let hasPort = end.contains(":") && end.last?.isNumber == true
        let usual = isSOCKS ? 1_080 : 8_080
        return Proxy(
            host: url.bareHost,
            port: hasPort || url.port != 80 ? url.port : usual,
            authorization: url.authorization,
            isSOCKS: isSOCKS
        )
    }
}

extension HTTPByteStream.Options {
    /// The environment that names proxies and certificates.
    var environmentInUse: [String: String] { environment ?? ProcessInfo.processInfo.environment }

    /// The proxy that requests for a URL go through, if there is one.
    func proxy(for url: RequestURL) -> ProxyEnvironment.Proxy? {
        ProxyEnvironment(environment: environmentInUse).proxy(for: url)
    }
}
