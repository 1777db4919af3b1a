/// A message at its beat, ready to be sent.
struct ScheduledMessage: BitwiseCopyable {
    enum Kind {
        static let midi: UInt8 = 0
        static let long: UInt8 = 1
        static let parameter: UInt8 = 2
        static let user: UInt8 = 3
    }

    var beat: Double
    /// The order of messages of the same beat: first note-offs, then other messages, then note-ons.
    var rank: UInt8
    /// The raw value of a `Kind`, because comparing enumerations requires metadata in debug builds.
    var kind: UInt8
    var byteCount: UInt8 = 0
    var bytes: (UInt8, UInt8, UInt8) = (0, 0, 0)
    /// The index of the destination unit; −1 for none.
    var destination: Int32 = -1
    /// The index of a long message or of a user event, or the address of a parameter.
    var index: UInt32 = 0
    var value: Float = 0
}

/// The messages of a track, or of several tracks without loops, with a cursor.
///
/// A loop plays in three parts. First, the messages before the loop are sent once. Then the loop's messages repeat for
/// all passes except the last, and its notes end with each pass. Finally, the messages from the start of the loop to
/// the end of the track are sent.
struct SequenceStream: BitwiseCopyable {
    /// All messages in order.
    let messages: UnsafePointer<ScheduledMessage>
    let count: Int
    /// The messages of one pass of the loop, with beats from its start on.
    let loop: UnsafePointer<ScheduledMessage>
    let loopCount: Int
    let loopStart: Double
    let loopLength: Double
    /// The number of times that the loop plays; 1 for a stream without a loop, `Int.max` for ever.
    let passes: Int
    /// The number of messages before the loop.
    let headCount: Int
    /// The beat of the sequence at which the track begins.
    let offset: Double

    private var pass = 0
    private var index = 0

    init(
        messages: UnsafePointer<ScheduledMessage>,
        count: Int,
        loop: UnsafePointer<ScheduledMessage>,
        loopCount: Int,
        loopStart: Double = 0,
        loopLength: Double = 0,
        passes: Int = 1,
        headCount: Int = 0,
        offset: Double = 0
    ) {
        (self.messages, self.count, self.loop, self.loopCount) = (messages, count, loop, loopCount)
        (self.loopStart, self.loopLength, self.passes, self.headCount) = (loopStart, loopLength, passes, headCount)
        self.offset = offset
    }

    /// Whether the next message is one of the loop's body.
    private var isInLoop: Bool {
        @_noLocks @_noAllocation
        get { index >= headCount ? pass < passes &- 1 : false }
    }

    /// The sequence beat of the next message; infinite after the last.
    var nextBeat: Double {
        @_noLocks @_noAllocation
        get {
            if isInLoop {
                guard loopCount > 0 else { return .infinity }
                return offset + loopStart + Double(pass) * loopLength + loop[index &- headCount].beat
            }
            guard index < count else { return .infinity }
            return offset + messages[index].beat + Double(pass) * loopLength
        }
    }

    /// The next message; only if `nextBeat` is finite.
    var next: ScheduledMessage {
        @_noLocks @_noAllocation
        get { isInLoop ? loop[index &- headCount] : messages[index] }
    }

    /// Advances to the message after the next one.
    @_noLocks @_noAllocation
    mutating func advance() {
        let wasInLoop = isInLoop
        index &+= 1
        if wasInLoop, index &- headCount >= loopCount {
            pass &+= 1
            index = headCount
        }
    }

    /// Moves to the first message at or after `beat` of the sequence.
    @_noLocks @_noAllocation
    mutating func seek(to beat: Double) {
        let local = beat - offset
        pass = 0
        if passes > 1, local >= loopStart {
            let behind = (local - loopStart) / loopLength
            // The comparison prevents overflow: larger pass counts make no difference.
            let passed = behind < 1e15 ? Int(behind) : 1_000_000_000_000_000
            if passed < passes &- 1 {
                pass = passed
                let within = local - loopStart - Double(pass) * loopLength
                index = headCount &+ Self.firstIndex(loop, loopCount, from: within)
                if index &- headCount >= loopCount {
                    pass &+= 1
                    index = headCount
                }
                return
            }
            pass = passes &- 1
            index = max(headCount, Self.firstIndex(messages, count, from: local - Double(pass) * loopLength))
            return
        }
        index = Self.firstIndex(messages, passes > 1 ? headCount : count, from: local)
    }

    @_noLocks @_noAllocation
    private static func firstIndex(_ messages: UnsafePointer<ScheduledMessage>, _ count: Int, from beat: Double) -> Int
    {
        var low = 0
        var high = count
        while low < high {
            let middle = low &+ (high &- low) / 2
            if messages[middle].beat < beat { low = middle &+ 1 } else { high = middle }
        }
        return low
    }
}
