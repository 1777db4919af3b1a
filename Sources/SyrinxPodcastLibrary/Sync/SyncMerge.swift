import Foundation

/// A change of the position in an episode, as `gpoddersync` has it.
struct SyncAction: Hashable, Sendable {
    /// The feed's URL.
    var podcast: String
    /// The recording's URL.
    var episode: String
    /// The feed's own name for the episode.
    var guid: String?
    /// Seconds from the start.
    var position: Double
    /// The length in seconds, if it is known.
    var total: Double?
    /// Whether it has been listened to to its end.
    var isPlayed: Bool
    /// Seconds since 1970.
    var time: Double
}

/// The decision on changes here and on the server: a value, without a database or a network.
struct SyncMerge: Equatable, Sendable {
    /// Feeds to subscribe to, and podcasts to end, here.
    var subscribed: [String] = []
    var unsubscribed: [String] = []
    /// Feeds to add and to remove on the server.
    var sentAdditions: [String] = []
    var sentRemovals: [String] = []

    /// Decides on subscriptions.
    ///
    /// A change made here since the last time wins over one made there; what both have done needs nothing.
    /// - Parameters:
    ///   - present: All feeds that are here.
    ///   - added: Those that were added here since the last time.
    ///   - removed: Those that were removed here since the last time.
    ///   - remote: Those that were added and removed there since the last time.
    init(
        present: Set<String>,
        added: Set<String>,
        removed: Set<String>,
        remote: (added: [String], removed: [String])
    ) {
        var remoteAdded = Set<String>()
        for url in remote.added where remoteAdded.insert(url).inserted {
            if !present.contains(url), !removed.contains(url) { subscribed.append(url) }
        }
        let remoteRemoved = Set(remote.removed).subtracting(remoteAdded)
        unsubscribed = remoteRemoved.filter { present.contains($0) && !added.contains($0) }.sorted()
        sentAdditions = added.filter { present.contains($0) && !remoteAdded.contains($0) }.sorted()
        sentRemovals = removed.filter { !present.contains($0) && !remoteRemoved.contains($0) }.sorted()
    }

    /// Decides on positions: for each recording the latest action counts.
    /// - Returns: Those of the server that are newer than what is known here, and those from here that are not older.
    static func actions(
        local: [SyncAction],
        remote: [SyncAction]
    ) -> (applied: [SyncAction], sent: [SyncAction]) {
        func latest(_ actions: [SyncAction]) -> [String: SyncAction] {
            Dictionary(actions.map { ($0.episode, $0) }) { $1.time >= $0.time ? $1 : $0 }
        }
        let here = latest(local)
        let there = latest(remote)
        let applied = there.values.filter { action in here[action.episode].map { $0.time < action.time } ?? true }
        let sent = here.values.filter { action in there[action.episode].map { $0.time <= action.time } ?? true }
        func sorted(_ actions: [SyncAction]) -> [SyncAction] {
            actions.sorted { ($0.time, $0.episode) < ($1.time, $1.episode) }
        }
        // What the server has already is not sent back.
        return (sorted(applied), sorted(sent.filter { there[$0.episode]?.time != $0.time }))
    }
}
