import SyrinxByteStream

/// A server that keeps subscriptions and positions for several devices.
public struct SyncServer: Hashable, Sendable {
    /// The protocols that servers speak.
    public enum Kind: String, Sendable {
        /// The app *GPodder Sync* of Nextcloud.
        case nextcloud
        /// gpodder.net, and servers with its interface, version 2.
        case gpodder
    }

    /// The protocol.
    public var kind: Kind
    /// The URL of the server: of Nextcloud itself, or such as `https://gpodder.net`.
    public var url: String
    /// The user's name.
    public var user: String
    /// The password; for Nextcloud better one for this program alone.
    public var password: String
    /// The name of this device, with gpodder.net's interface; `syrinx` by default.
    public var device: String

    /// A server and the user's account on it.
    public init(_ kind: Kind, url: String, user: String, password: String, device: String = "syrinx") {
        self.kind = kind
        self.url = url
        self.user = user
        self.password = password
        self.device = device
    }

    /// The requests that are made.
    enum Call {
        case changedSubscriptions(since: Int64)
        case sendSubscriptions
        case actions(since: Int64)
        case sendActions
    }

    /// Returns the URL of a request, without user and password.
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

    /// Names the account on the server, without the password.
    var name: String { "\(kind.rawValue) \(user)@\(Redaction.redact(url))" }
}
