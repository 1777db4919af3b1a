/// The completion handlers of scheduled items: each is returned once, in the order in which the items were scheduled.
///
/// Decides only; the caller performs the calls that it returns.
struct PlayerCompletions {
    /// A handler and its argument.
    struct Call {
        let type: AVAudioPlayerNodeCompletionCallbackType
        let handler: AVAudioPlayerNodeCompletionHandler
    }

    /// Handlers of items that have not been rendered to their end, by rising index.
    private var scheduled: [(index: Int, call: Call)] = []
    /// Handlers of items that have been rendered and not yet heard, with the host time of their end.
    private var sounding: [(due: UInt64, call: Call)] = []

    /// Whether any handler waits for its sound to be heard.
    private(set) var awaitsPlayback = false

    /// Notes the handler of the item of `index`, which is higher than all before.
    mutating func add(_ call: Call, index: Int) {
        scheduled.append((index, call))
        if call.type == .dataPlayedBack { awaitsPlayback = true }
    }

    /// The handlers to call when the item of `index` is through.
    /// - Parameter heardAt: When its last frame is heard, `nil` if it is or never will be.
    mutating func finish(index: Int, heardAt: UInt64?) -> [Call] {
        let count = scheduled.prefix { $0.index <= index }.count
        let done = scheduled[..<count].map(\.call)
        scheduled.removeFirst(count)
        guard let heardAt else { return done }
        for call in done where call.type == .dataPlayedBack { sounding.append((heardAt, call)) }
        return done.filter { $0.type != .dataPlayedBack }
    }

    /// The handlers of what has been heard by now.
    mutating func heard(at now: UInt64) -> [Call] {
        let count = sounding.prefix { $0.due <= now }.count
        let done = sounding[..<count].map(\.call)
        sounding.removeFirst(count)
        awaitsPlayback = !sounding.isEmpty || scheduled.contains { $0.call.type == .dataPlayedBack }
        return done
    }

    /// When the next is heard.
    var nextDue: UInt64? { sounding.first?.due }

    /// All that is left, because it is dropped.
    mutating func drain() -> [Call] {
        defer { self = PlayerCompletions() }
        return sounding.map(\.call) + scheduled.map(\.call)
    }
}
