import Foundation

/// The JSON messages of the `gpoddersync` and gpodder.net protocols.
enum SyncMessages {
    /// Changes of subscriptions.
    struct Subscriptions: Codable {
        var add: [String]?
        var remove: [String]?
        var timestamp: Int64?
    }

    /// The response with actions on episodes.
    struct Actions: Decodable {
        var actions: [Action]?
        var timestamp: Int64?
    }

    /// The response to sent changes.
    struct Receipt: Decodable {
        var timestamp: Int64?
    }

    /// An action on an episode; only actions of type `play` have a position.
    struct Action: Codable {
        var podcast: String
        var episode: String
        var guid: String?
        var action: String
        var timestamp: String?
        var started: Int64?
        var position: Int64?
        var total: Int64?
        var device: String?
    }

    /// The remaining time, in seconds, below which a recording counts as played.
    static let nearEnd = 15.0

    /// Returns the positions in a response.
    static func positions(_ actions: [Action]) -> [SyncAction] {
        actions.compactMap { action in
            guard action.action.lowercased() == "play", let position = action.position, position >= 0,
                let time = action.timestamp.flatMap(FeedDates.seconds)
            else { return nil }
            let total = action.total.flatMap { $0 > 0 ? Double($0) : nil }
            return SyncAction(
                podcast: action.podcast,
                episode: action.episode,
                guid: action.guid,
                position: Double(position),
                total: total,
                isPlayed: total.map { Double(position) >= $0 - nearEnd } ?? false,
                time: time
            )
        }
    }

    /// Returns the message for a position.
    static func action(_ action: SyncAction, _ server: SyncServer) -> Action {
        let total = action.total ?? max(action.position, 1)
        let position = action.isPlayed ? total : action.position
        return Action(
            podcast: action.podcast,
            episode: action.episode,
            guid: action.guid,
            action: server.kind == .nextcloud ? "PLAY" : "play",
            timestamp: date(action.time),
            started: 0,
            position: Int64(clamped: position),
            total: Int64(clamped: total),
            device: server.kind == .gpodder ? server.device : nil
        )
    }

    /// Returns a date in the servers' format: in UTC, without a time zone.
    private static func date(_ seconds: Double) -> String {
        let formatter = ISO8601DateFormatter()
        return String(formatter.string(from: Date(timeIntervalSince1970: seconds)).dropLast())
    }
}
