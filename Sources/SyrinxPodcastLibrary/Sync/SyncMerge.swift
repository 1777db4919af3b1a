import Foundation

/// A change of an episode's position, in the format of `gpoddersync`.
struct SyncAction: Hashable, Sendable {
    /// The feed's URL.
    var podcast: String
    /// The recording's URL.
    var episode: String
    /// The feed's identifier of the episode.
    var guid: String?
    /// The position from the start, in seconds.
    var position: Double
    /// The duration in seconds, if it is known.
    var total: Double?
    /// Whether the episode was played to its end.
    var isPlayed: Bool
    /// The time of the change, in seconds since 1970.
    var time: Double
}

/// Merges local and remote changes, without access to database or network.
struct SyncMerge: Equatable, Sendable {
    /// The feeds to subscribe to locally.
    var subscribed: [String] = []
    /// The feeds to unsubscribe from locally.
    var unsubscribed: [String] = []
    /// The feeds to add on the server.
    var sentAdditions: [String] = []
    /// The feeds to remove on the server.
    var sentRemovals: [String] = []

    /// Merges subscriptions.
    ///
    /// A local change since the last synchronization takes precedence over a remote one. Changes made on both sides
    /// need no action.
    /// - Parameters:
    ///   - present: All local subscriptions.
    ///   - added: The feeds added locally since the last synchronization.
    ///   - removed: The feeds removed locally since the last synchronization.
    ///   - remote: The feeds added and removed on the server since the last synchronization.
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

    /// Merges positions; the latest change of each recording wins.
    /// - Returns: The remote changes that are newer than the local ones, and the local changes that are not older than
    ///   the remote ones.
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
        // Changes that the server already has are not sent back.
        return (sorted(applied), sorted(sent.filter { there[$0.episode]?.time != $0.time }))
    }
}
