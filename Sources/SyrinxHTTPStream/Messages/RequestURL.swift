#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The decoded user and password of a URL.
struct Credentials: Hashable, Sendable {
    let user: String
    let password: String
}

/// An `http:` or `https:` URL whose password is stored separately.
struct RequestURL: Equatable, Sendable {
    enum Problem: Error, Equatable {
        case malformed
        case unsupportedScheme(String)
    }

    /// The URL to request, without user, password and fragment; safe for messages.
    let string: String
    let scheme: String
    let host: String
    let port: Int
    /// The user and password; `nil` if the URL contains no user.
    let credentials: Credentials?

    init(_ text: String) throws(Problem) {
        try self.init(text, relativeTo: nil)
    }

    /// Resolves the URL of a `Location` header relative to this URL; the result has no password.
    func resolving(_ location: String) throws(Problem) -> RequestURL {
        try RequestURL(location, relativeTo: URL(string: string))
    }

    /// The target of the request line: the path and the query.
    var target: String {
        let rest = string.dropFirst(scheme.count + 3)
        let start = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let target = rest[start...]
        return target.hasPrefix("/") ? String(target) : "/" + target
    }

    /// The host without the brackets of an IPv6 address.
    var bareHost: String { host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : host }

    /// The host and the port, in the form of a `Host` header.
    var authority: String { port == (scheme == "https" ? 443 : 80) ? host : "\(host):\(port)" }

    /// Returns whether both URLs have the same origin, so that requests may send the same secrets.
    func hasSameOrigin(as other: RequestURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    private init(_ text: String, relativeTo base: URL?) throws(Problem) {
        let url = URL(fromOutside: text, relativeTo: base)?.absoluteURL
        guard let url, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { throw .malformed }
        let scheme = components.scheme?.lowercased() ?? ""
        guard !scheme.isEmpty else { throw .malformed }
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(scheme) }
        guard let host = components.host, !host.isEmpty else { throw .malformed }
        if let port = components.port, !(1...65_535).contains(port) { throw .malformed }
        credentials = components.user.map { Credentials(user: $0, password: components.password ?? "") }
        // A line break in a user name could inject headers.
        let secrets = (components.user ?? "") + (components.password ?? "")
        guard secrets.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else { throw .malformed }
        components.scheme = scheme
        components.user = nil
        components.password = nil
        components.fragment = nil
        guard let string = components.string else { throw .malformed }
        self.string = string
        self.scheme = scheme
        self.host = host.lowercased()
        port = components.port ?? (scheme == "https" ? 443 : 80)
    }
}
