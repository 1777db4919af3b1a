#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The user and password of a URL, decoded.
struct Credentials: Hashable, Sendable {
    let user: String
    let password: String
}

/// An `http:` or `https:` URL without the password, which is kept apart.
struct RequestURL: Equatable, Sendable {
    enum Problem: Error, Equatable {
        case malformed
        case unsupportedScheme(String)
    }

    /// The URL to ask for, without user, password and fragment: fit for messages.
    let string: String
    let scheme: String
    let host: String
    let port: Int
    /// The user and password, if the URL named a user.
    let credentials: Credentials?

    init(_ text: String) throws(Problem) {
        try self.init(text, relativeTo: nil)
    }

    /// Returns the URL of a `Location` header relative to this one, without the password.
    func resolving(_ location: String) throws(Problem) -> RequestURL {
        try RequestURL(location, relativeTo: URL(string: string))
    }

    /// The target of a request line: the path and the query.
    var target: String {
        let rest = string.dropFirst(scheme.count + 3)
        let start = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let target = rest[start...]
        return target.hasPrefix("/") ? String(target) : "/" + target
    }

    /// The host without the brackets around an IPv6 address.
    var bareHost: String { host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : host }

    /// Host and port as a `Host` header has them.
    var authority: String { port == (scheme == "https" ? 443 : 80) ? host : "\(host):\(port)" }

    /// Whether requests to `other` may carry the same secrets.
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
        // A line break in a user name would add fields to the request.
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
