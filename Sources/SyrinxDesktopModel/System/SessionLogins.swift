package import Foundation

/// Names and passwords that the listener has typed for servers: they last as long as the program, and are not kept.
package struct SessionLogins: Sendable {
    private struct Login: Sendable, Equatable {
        var user: String
        var password: String
    }

    /// The greatest number of servers.
    package static let maximumCount = 100
    private var logins: [String: Login] = [:]

    /// Creates an empty collection.
    package init() {}

    /// Keeps a name and a password for the server of a URL.
    package mutating func keep(_ user: String, _ password: String, of url: URL) {
        guard let origin = Self.origin(of: url), !user.isEmpty else { return }
        if logins.count >= Self.maximumCount, logins[origin] == nil { logins.removeAll() }
        logins[origin] = Login(user: user, password: password)
    }

    /// Whether there are a name and a password for the server of a URL.
    package func knows(_ url: URL) -> Bool { Self.origin(of: url).map { logins[$0] != nil } ?? false }

    /// Returns a URL with the name and the password for its server, unless it has its own.
    package func added(to url: URL) -> URL {
        guard url.user(percentEncoded: true) == nil, let login = Self.origin(of: url).flatMap({ logins[$0] }),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        (parts.user, parts.password) = (login.user, login.password)
        return parts.url ?? url
    }

    /// Returns a URL as it may be kept: without a name and a password that were typed for its server.
    package func removed(from url: URL) -> URL {
        guard let login = Self.origin(of: url).flatMap({ logins[$0] }),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            parts.user == login.user, parts.password == login.password
        else { return url }
        (parts.user, parts.password) = (nil, nil)
        return parts.url ?? url
    }

    /// The scheme, host and port to which a login belongs; `nil` for a file.
    private static func origin(of url: URL) -> String? {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host()?.lowercased()
        else { return nil }
        return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }
}
