package import Foundation

/// Names and passwords that the user has typed for servers, which are kept only until the program ends.
package struct SessionLogins: Sendable {
    private struct Login: Sendable, Equatable {
        var user: String
        var password: String
    }

    /// The maximum number of servers.
    package static let maximumCount = 100
    private var logins: [String: Login] = [:]

    /// Creates an empty collection.
    package init() {}

    /// Stores a name and a password for the server of a URL.
    package mutating func keep(_ user: String, _ password: String, of url: URL) {
        guard let origin = Self.origin(of: url), !user.isEmpty else { return }
        if logins.count >= Self.maximumCount, logins[origin] == nil { logins.removeAll() }
        logins[origin] = Login(user: user, password: password)
    }

    /// Whether a name and a password are stored for the server of a URL.
    package func knows(_ url: URL) -> Bool { Self.origin(of: url).map { logins[$0] != nil } ?? false }

    /// Returns a URL with the stored name and password of its server, unless it contains its own.
    package func added(to url: URL) -> URL {
        guard url.user(percentEncoded: true) == nil, let login = Self.origin(of: url).flatMap({ logins[$0] }),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        (parts.user, parts.password) = (login.user, login.password)
        return parts.url ?? url
    }

    /// Returns a URL for storage, without the name and password that were typed for its server.
    package func removed(from url: URL) -> URL {
        guard let login = Self.origin(of: url).flatMap({ logins[$0] }),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            parts.user == login.user, parts.password == login.password
        else { return url }
        (parts.user, parts.password) = (nil, nil)
        return parts.url ?? url
    }

    /// Returns the scheme, host and port to which a login applies; `nil` for a file.
    private static func origin(of url: URL) -> String? {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host()?.lowercased()
        else { return nil }
        return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }
}
