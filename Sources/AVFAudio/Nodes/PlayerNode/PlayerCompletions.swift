/// The completion handlers of scheduled items: each is returned once, in the order in which the items were scheduled.
///
/// The structure only decides; its caller calls the returned handlers.
struct PlayerCompletions {
    /// A handler and its argument.
    struct Call {
        let type: AVAudioPlayerNodeCompletionCallbackType
        let handler: AVAudioPlayerNodeCompletionHandler
    }

    /// Handlers of items that have not been rendered to their end, by rising index.
    private var scheduled: [(index: Int, call: Call)] = []
    /// The handlers of items that are rendered but not yet played by the device, with the host time of their end.
    private var sounding: [(due: UInt64, call: Call)] = []

    /// Whether a handler waits until its sound is played.
    private(set) var awaitsPlayback = false

    /// Notes the handler of the item of `index`, which is higher than all before.
    mutating func add(_ call: Call, index: Int) {
        scheduled.append((index, call))
        if call.type == .dataPlayedBack { awaitsPlayback = true }
    }

    /// Returns the handlers to call when item `index` has been rendered.
    /// - Parameter heardAt: The host time at which its last frame is audible; `nil` if that time has passed or never
    ///   comes.
    mutating func finish(index: Int, heardAt: UInt64?) -> [Call] {
        let count = scheduled.prefix { $0.index <= index }.count
        let done = scheduled[..<count].map(\.call)
        scheduled.removeFirst(count)
        guard let heardAt else { return done }
        for call in done where call.type == .dataPlayedBack { sounding.append((heardAt, call)) }
        return done.filter { $0.type != .dataPlayedBack }
    }

    /// Returns the handlers of the items that were played by the time `now`.
    mutating func heard(at now: UInt64) -> [Call] {
        let count = sounding.prefix { $0.due <= now }.count
        let done = sounding[..<count].map(\.call)
        sounding.removeFirst(count)
        awaitsPlayback = !sounding.isEmpty || scheduled.contains { $0.call.type == .dataPlayedBack }
        return done
    }

    /// The host time of the next handler; `nil` if none is pending.
    var nextDue: UInt64? { sounding.first?.due }

    /// All that is left, because it is dropped.
    mutating func drain() -> [Call] {
        defer { self = PlayerCompletions() }
        return sounding.map(\.call) + scheduled.map(\.call)
    }
}
