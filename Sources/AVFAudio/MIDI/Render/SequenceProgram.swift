import Synchronization

/// A schedule with the place to which the render thread has played it, and the last command.
final class SequenceProgram: RenderOwned, @unchecked Sendable {
    // Unchecked: after `RenderHandover.give`, only the render thread accesses it.
    let schedule: SequenceSchedule
    /// A number that identifies each schedule of a sequencer.
    let scheduleNumber: Int
    /// The number of the last start, stop or seek.
    let command: Int
    let isPlaying: Bool
    /// The beat to which the command leads.
    let startBeat: Double

    private let tempo: UnsafeMutablePointer<TempoMap.Segment>
    private let tempoCount: Int
    let streams: UnsafeMutablePointer<SequenceStream>
    let streamCount: Int
    let queues: UnsafeMutablePointer<Unmanaged<UnitEventQueue>>
    let queueCount: Int
    /// The messages that set the state of the units at the start position.
    let state: UnsafeMutablePointer<ScheduledMessage>
    let stateCount: Int
    let longMessages: UnsafeMutablePointer<UnsafeMutableBufferPointer<UInt8>>
    /// An empty event to copy: the initializer of `UnitEvent` must not run on the render thread.
    private let blank = UnitEvent(time: 0, address: 0, byteCount: 3)
    /// One bit for each key of each channel of each unit.
    private let sounding: UnsafeMutablePointer<UInt64>

    /// - Parameter state: Messages that are sent before the first of the schedule, if the command is a new one.
    init(
        _ schedule: SequenceSchedule,
        number: Int,
        command: Int,
        isPlaying: Bool,
        startBeat: Double,
        state messages: [ScheduledMessage]
    ) {
        stateCount = messages.count
        state = .allocate(capacity: max(stateCount, 1))
        for (index, message) in messages.enumerated() { (state + index).initialize(to: message) }
        self.schedule = schedule
        scheduleNumber = number
        (self.command, self.isPlaying, self.startBeat) = (command, isPlaying, startBeat)
        (tempo, tempoCount) = (schedule.tempo, schedule.tempoCount)
        streamCount = schedule.streams.count
        streams = .allocate(capacity: max(streamCount, 1))
        for (index, stream) in schedule.streams.enumerated() { (streams + index).initialize(to: stream) }
        queueCount = schedule.destinations.count
        queues = .allocate(capacity: max(queueCount, 1))
        for (index, queue) in schedule.destinations.enumerated() {
            (queues + index).initialize(to: Unmanaged.passUnretained(queue))
        }
        longMessages = .allocate(capacity: max(schedule.longMessages.count, 1))
        for (index, message) in schedule.longMessages.enumerated() { (longMessages + index).initialize(to: message) }
        let words = max(queueCount, 1) * 32
        sounding = .allocate(capacity: words)
        sounding.initialize(repeating: 0, count: words)
    }

    deinit {
        streams.deallocate()
        queues.deallocate()
        longMessages.deallocate()
        state.deallocate()
        sounding.deallocate()
    }

    // MARK: Render

    /// Moves to the first messages at or after `beat`.
    @_noLocks @_noAllocation
    func seek(to beat: Double) {
        var index = 0
        while index < streamCount {
            streams[index].seek(to: beat)
            index &+= 1
        }
    }

    /// Returns the index of the stream with the earliest pending message.
    @_noLocks @_noAllocation
    func nextStream() -> Int {
        var best = 0
        var index = 1
        while index < streamCount {
            let (beat, least) = (streams[index].nextBeat, streams[best].nextBeat)
            if beat < least {
                best = index
            } else if beat == least, beat < .infinity, streams[index].next.rank < streams[best].next.rank {
                best = index
            }
            index &+= 1
        }
        return best
    }

    /// Returns the seconds from the start to a beat.
    @_noLocks @_noAllocation
    func seconds(forBeats beats: Double) -> Double {
        var low = 0
        var high = tempoCount
        while low < high {
            let middle = low &+ (high &- low) / 2
            if tempo[middle].beat <= beats { low = middle &+ 1 } else { high = middle }
        }
        let segment = tempo[low > 0 ? low &- 1 : 0]
        return segment.seconds + (beats - segment.beat) * segment.secondsPerBeat
    }

    /// Returns the beat at a number of seconds from the start.
    @_noLocks @_noAllocation
    func beats(forSeconds seconds: Double) -> Double {
        var low = 0
        var high = tempoCount
        while low < high {
            let middle = low &+ (high &- low) / 2
            if tempo[middle].seconds <= seconds { low = middle &+ 1 } else { high = middle }
        }
        let segment = tempo[low > 0 ? low &- 1 : 0]
        return segment.beat + (seconds - segment.seconds) / segment.secondsPerBeat
    }

    /// Notes that a message begins or ends a note.
    @_noLocks @_noAllocation
    func note(_ message: ScheduledMessage) {
        let kind = message.bytes.0 & 0xE0
        guard kind == 0x80 else { return }
        let word = Int(message.destination) &* 32 &+ Int(message.bytes.0 & 0x0F) &* 2 &+ Int(message.bytes.1 >> 6)
        let bit: UInt64 = 1 &<< UInt64(message.bytes.1 & 63)
        if message.bytes.0 & 0x10 != 0 { sounding[word] |= bit } else { sounding[word] &= ~bit }
    }

    /// Ends the notes that sound.
    @_noLocks @_noAllocation
    func endNotes() {
        var word = 0
        while word < queueCount &* 32 {
            while sounding[word] != 0 {
                let bit = sounding[word].trailingZeroBitCount
                sounding[word] &= sounding[word] &- 1
                let channel = UInt8(truncatingIfNeeded: (word & 31) >> 1)
                let key = UInt8(truncatingIfNeeded: (word & 1) << 6 | bit)
                var event = blank
                event.bytes = (0x80 | channel, key, 0)
                queues[word >> 5]._withUnsafeGuaranteedRef { _ = $0.addDue(event) }
            }
            word &+= 1
        }
    }
}
