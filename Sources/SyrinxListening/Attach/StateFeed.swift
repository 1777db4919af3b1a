import Foundation

/// The changes of a player's state, for faces in other processes.
///
/// Pure. The bytes of a change are proportional to the fields that differ, whatever the length of the queue.
package struct StateFeed: Sendable {
    private var last: ListeningState?

    /// Creates a feed that has sent nothing.
    package init() {}

    /// Discards the state because no client is connected.
    package mutating func reset() { last = nil }

    /// The state that all clients have; `nil` before the first one.
    package var state: ListeningState? { last }

    /// Returns the message with the whole state for a new client.
    package mutating func whole(_ state: ListeningState) -> AttachMessage {
        var message = AttachMessage()
        message.state = last ?? state.rounded
        if last == nil { last = state.rounded }
        return message
    }

    /// Processes a new state.
    /// - Returns: The message with the changes for all clients; `nil` without changes.
    package mutating func change(to state: ListeningState) -> AttachMessage? {
        let new = state.rounded
        guard let old = last, old != new else { return nil }
        last = new
        var message = AttachMessage()
        if old.onlyMoves(to: new) {
            var fields: [String: JSONTree] = ["time": .number(new.time)]
            if let left = new.sleepRemaining { fields["sleepRemaining"] = .number(left) }
            message.change = .object(fields)
        } else {
            let (from, to) = Self.withoutShared(old, new)
            guard let from = from.tree, let to = to.tree else { return nil }
            message.change = from.patch(to: to)
        }
        return message.change == nil ? nil : message
    }

    /// Returns both states without the long parts that they share, so that these take no time to compare as JSON.
    private static func withoutShared(_ old: ListeningState, _ new: ListeningState) -> (ListeningState, ListeningState)
    {
        var (old, new) = (old, new)
        if var before = old.item, var after = new.item {
            if before.chapters == after.chapters { (before.chapters, after.chapters) = ([], []) }
            if before.tags == after.tags { (before.tags, after.tags) = ([:], [:]) }
            if before.received == after.received { (before.received, after.received) = ([], []) }
            (old.item, new.item) = (before, after)
        }
        if old.sound == new.sound { (old.sound, new.sound) = (ListeningState.Sound(), ListeningState.Sound()) }
        return (old, new)
    }
}

/// The state of a player in another process, as its messages describe it.
///
/// Pure.
package struct StateMirror: Sendable {
    /// The state; `nil` before the first message with one.
    package private(set) var state: ListeningState?
    private var tree = JSONTree.null

    /// Creates a mirror that has no state.
    package init() {}

    /// Applies the state or the change in a message.
    /// - Returns: Whether the state has changed.
    package mutating func take(_ message: AttachMessage) -> Bool {
        if let new = message.state {
            (state, tree) = (new, new.tree ?? .null)
            return true
        }
        guard let patch = message.change, state != nil else { return false }
        var changed = tree
        changed.apply(patch)
        guard case .object(let fields) = patch else { return false }
        if fields.keys.allSatisfy({ ["time", "sleepRemaining"].contains($0) }),
            case .number(let time) = fields["time"] ?? .number(state?.time ?? 0)
        {
            state?.time = time
            if case .number(let left) = fields["sleepRemaining"] { state?.sleepRemaining = left }
            if fields["sleepRemaining"] == .null { state?.sleepRemaining = nil }
        } else {
            guard let data = try? JSONEncoder().encode(changed),
                let new = try? JSONDecoder().decode(ListeningState.self, from: data)
            else { return false }
            state = new
        }
        tree = changed
        return true
    }
}

extension ListeningState {
    /// The state with times to the millisecond, which JSON can hold.
    fileprivate var rounded: ListeningState {
        func rounded(_ time: Double) -> Double { time.isFinite ? (time * 1000).rounded() / 1000 : 0 }
        var state = self
        state.time = rounded(time)
        state.sleepRemaining = sleepRemaining.map(rounded)
        state.item?.duration = item?.duration.flatMap { $0.isFinite ? $0 : nil }
        state.item?.timeSaved = item?.timeSaved.map(rounded)
        return state
    }

    /// Whether a state differs from this one at most in its times.
    fileprivate func onlyMoves(to new: ListeningState) -> Bool {
        guard (sleepRemaining == nil) == (new.sleepRemaining == nil) else { return false }
        var moved = self
        (moved.time, moved.sleepRemaining) = (new.time, new.sleepRemaining)
        return moved == new
    }

    fileprivate var tree: JSONTree? {
        (try? JSONEncoder().encode(self)).flatMap { try? JSONDecoder().decode(JSONTree.self, from: $0) }
    }
}
