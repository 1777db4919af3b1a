import SyrinxByteStream

/// A server that synchronizes subscriptions and positions between devices.
public struct SyncServer: Hashable, Sendable {
    /// The protocol of a server.
    public enum Kind: String, Sendable {
        /// The app *GPodder Sync* of Nextcloud.
        case nextcloud
        /// Version 2 of the gpodder.net API, which other servers also provide.
        case gpodder
    }

    /// The protocol.
    public var kind: Kind
    /// The URL of the server, such as that of Nextcloud or `https://gpodder.net`.
    public var url: String
    /// The user name.
    public var user: String
    /// The password; for Nextcloud, use an app password.
    public var password: String
    /// The name of this device for the gpodder.net API (default: `syrinx`).
    public var device: String

    /// Creates a server with an account, without a connection.
    ///
    /// The values are not checked: a wrong URL or password fails at the first synchronization.
    /// - Parameters:
    ///   - kind: The protocol.
    ///   - url: The base URL, such as `https://gpodder.net`; a final slash is allowed.
    ///   - user: The user name.
    ///   - password: The password; for Nextcloud, use an app password.
    ///   - device: The name of this device; the Nextcloud app ignores it.
    public init(_ kind: Kind, url: String, user: String, password: String, device: String = "syrinx") {
        self.kind = kind
        self.url = url
        self.user = user
        self.password = password
        self.device = device
    }

    /// The requests of the protocols.
    enum Call {
        case changedSubscriptions(since: Int64)
        case sendSubscriptions
        case actions(since: Int64)
        case sendActions
    }

    /// Returns the URL of a request, without user name and password.
    func url(_ call: Call) -> String {
        let base = url.hasSuffix("/") ? String(url.dropLast()) : url
        let account = Self.escaped(user)
        switch (kind, call) {
        case (.nextcloud, .changedSubscriptions(let since)): return base + Self.app + "subscriptions?since=\(since)"
        case (.nextcloud, .sendSubscriptions): return base + Self.app + "subscription_change/create"
        case (.nextcloud, .actions(let since)): return base + Self.app + "episode_action?since=\(since)"
        case (.nextcloud, .sendActions): return base + Self.app + "episode_action/create"
        case (.gpodder, .changedSubscriptions(let since)):
            return base + "/api/2/subscriptions/\(account)/\(Self.escaped(device)).json?since=\(since)"
        case (.gpodder, .sendSubscriptions):
            return base + "/api/2/subscriptions/\(account)/\(Self.escaped(device)).json"
        case (.gpodder, .actions(let since)): return base + "/api/2/episodes/\(account).json?since=\(since)"
        case (.gpodder, .sendActions): return base + "/api/2/episodes/\(account).json"
        }
    }

    private static let app = "/index.php/apps/gpoddersync/"

    private static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let isPlain =
                byte < 128 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
            if isPlain || "-._~".utf8.contains(byte) {
                result.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// The account for error messages, without the password.
    var name: String { "\(kind.rawValue) \(user)@\(Redaction.redact(url))" }
}
