import Synchronization

/// The part of a sequencer that runs on the render thread: sends the messages that are due in a block to their units.
final class SequenceKernel: @unchecked Sendable {
    // Unchecked: only the render thread and `deinit` access the state below `Render state`.
    private let handover = RenderHandover()
    /// Seconds of the sequence in a second of sound.
    let rate = Atomic<Double>(1)
    /// The position in seconds, the host time at which it is reached, and the command of which they are.
    private let position = PublishedTriple()
    private let marks: UnsafeMutablePointer<UserMark>
    private let marksWritten = Atomic<Int>(0)
    private let marksRead = Atomic<Int>(0)
    /// Called after renders, not on the render thread.
    let service = Mutex<(@Sendable () -> Void)?>(nil)

    /// A user event that has become due.
    struct UserMark: BitwiseCopyable {
        var schedule: Int
        var index: UInt32
        var beat: Double
    }

    /// An empty event to copy: the initializer of `UnitEvent` must not run on the render thread.
    private let blank = UnitEvent(time: 0, address: 0)

    // MARK: Render state

    @exclusivity(unchecked) private var active: UnsafeMutableRawPointer?
    @exclusivity(unchecked) private var isPlaying = false
    @exclusivity(unchecked) private var command = 0
    /// The seconds from which frames are counted, so that no error adds up.
    @exclusivity(unchecked) private var anchor = 0.0
    @exclusivity(unchecked) private var framesSinceAnchor: Int64 = 0
    @exclusivity(unchecked) private var secondsPerFrame = 0.0

    init() { marks = .allocate(capacity: 256) }

    deinit {
        if let active { Unmanaged<SequenceProgram>.fromOpaque(active).release() }
        marks.deallocate()
    }

    // MARK: Control

    /// Plays a program from the next block.
    func play(_ program: SequenceProgram) { handover.give(program) }

    /// Frees programs that are over.
    func collect() { handover.collect() }

    /// Returns the rendered position and the host time at which it is audible (0 without a clock); `nil` until the
    /// render thread has applied the command.
    func renderedPosition(of command: Int) -> (seconds: Double, hostTime: UInt64)? {
        let (seconds, hostTime, applied) = position.read()
        guard applied == Int64(command) else { return nil }
        return (Double(bitPattern: UInt64(bitPattern: seconds)), UInt64(bitPattern: hostTime))
    }

    /// Removes and returns the user events that have become due.
    func takeMarks() -> [UserMark] {
        let end = marksWritten.load(ordering: .acquiring)
        var place = marksRead.load(ordering: .relaxed)
        var taken: [UserMark] = []
        while place < end {
            taken.append(marks[place & 255])
            place += 1
        }
        marksRead.store(place, ordering: .releasing)
        return taken
    }

    // MARK: Render

    /// Sends the events that are due within the next `frames` frames.
    func advance(frames: Int, sampleRate: Double, pass: RenderPass) {
        if let raw = handover.take() {
            adopt(raw, sampleRate, pass)
        }
        guard let active, frames > 0 else { return }
        Unmanaged<SequenceProgram>.fromOpaque(active)._withUnsafeGuaranteedRef {
            beginBlock($0, frames, sampleRate, pass)
            send($0, frames, sampleRate)
        }
        framesSinceAnchor &+= isPlaying ? Int64(frames) : 0
        publish(pass.hostTime == 0 ? 0 : pass.hostTime &+ UInt64(Double(frames) / sampleRate * 1e9))
    }

    private var seconds: Double {
        @_noLocks @_noAllocation
        get { anchor + Double(framesSinceAnchor) * secondsPerFrame }
    }

    private func adopt(_ raw: UnsafeMutableRawPointer, _ sampleRate: Double, _ pass: RenderPass) {
        var beat = 0.0
        // The notes of the old schedule end: the new one need not have them.
        if let old = active {
            Unmanaged<SequenceProgram>.fromOpaque(old)._withUnsafeGuaranteedRef {
                beat = $0.beats(forSeconds: seconds - secondsPerFrame / 2)
                beginBlock($0, 0, sampleRate, pass)
                $0.endNotes()
            }
            handover.giveBack(old)
        }
        active = raw
        Unmanaged<SequenceProgram>.fromOpaque(raw)._withUnsafeGuaranteedRef {
            beginBlock($0, 0, sampleRate, pass)
            start($0, at: beat)
        }
    }

    @_noLocks @_noAllocation
    private func start(_ program: SequenceProgram, at beat: Double) {
        guard program.command != command else {
            anchor = program.seconds(forBeats: beat) + secondsPerFrame / 2
            framesSinceAnchor = 0
            program.seek(to: beat)
            return
        }
        command = program.command
        isPlaying = program.isPlaying
        anchor = program.seconds(forBeats: program.startBeat)
        framesSinceAnchor = 0
        program.seek(to: program.startBeat)
        var index = 0
        while index < program.stateCount {
            send(program, program.state[index], program.startBeat, offset: 0)
            index &+= 1
        }
    }

    @_noLocks @_noAllocation
    private func beginBlock(_ program: SequenceProgram, _ frames: Int, _ sampleRate: Double, _ pass: RenderPass) {
        var index = 0
        while index < program.queueCount {
            program.queues[index]._withUnsafeGuaranteedRef {
                $0.beginBlock(frames: frames, sampleRate: sampleRate, time: pass.sampleTime)
            }
            index &+= 1
        }
    }

    /// Applies a new rate to future frames.
    ///
    /// Frames that were already rendered keep the old rate.
    @_noLocks @_noAllocation
    private func takeUpRate(_ sampleRate: Double) {
        let step = rate.load(ordering: .relaxed) / sampleRate
        guard step != secondsPerFrame else { return }
        anchor = seconds
        framesSinceAnchor = 0
        secondsPerFrame = step
    }

    @_noLocks @_noAllocation
    private func send(_ program: SequenceProgram, _ frames: Int, _ sampleRate: Double) {
        guard isPlaying else { return }
        takeUpRate(sampleRate)
        let step = secondsPerFrame
        guard step > 0 else { return }
        var sent = 0
        // Messages beyond the capacity of a block are sent with the next block.
        while sent < 4096 {
            let index = program.nextStream()
            let beat = program.streams[index].nextBeat
            guard beat < .infinity else { return }
            let due = (program.seconds(forBeats: beat) - anchor) / step - Double(framesSinceAnchor)
            guard due < Double(frames) - 0.5 else { return }
            send(program, program.streams[index].next, beat, offset: due > 0 ? Int64(due + 0.5) : 0)
            program.streams[index].advance()
            sent &+= 1
        }
    }

    @_noLocks @_noAllocation
    private func send(_ program: SequenceProgram, _ message: ScheduledMessage, _ beat: Double, offset: Int64) {
        if message.kind == 3 {
            mark(UserMark(schedule: program.scheduleNumber, index: message.index, beat: beat))
            return
        }
        guard message.destination >= 0 else { return }
        let queue = program.queues[Int(message.destination)]
        if message.kind == 1 {
            let bytes = program.longMessages[Int(message.index)]
            _ = queue._withUnsafeGuaranteedRef { $0.addDue(bytes, offset: offset) }
            return
        }
        var event = blank
        event.time = offset
        if message.kind == 2 {
            event.address = UInt64(message.index)
            event.value = message.value
        } else {
            event.byteCount = UInt16(message.byteCount)
            event.bytes = message.bytes
        }
        let sent = event
        let isAdded = queue._withUnsafeGuaranteedRef { $0.addDue(sent) }
        if isAdded, message.kind == 0 { program.note(message) }
    }

    @_noLocks @_noAllocation
    private func mark(_ mark: UserMark) {
        let place = marksWritten.load(ordering: .relaxed)
        guard place &- marksRead.load(ordering: .acquiring) < 256 else { return }
        marks[place & 255] = mark
        marksWritten.store(place &+ 1, ordering: .releasing)
    }

    @_noLocks @_noAllocation
    private func publish(_ hostTime: UInt64) {
        position.publish(Int64(bitPattern: seconds.bitPattern), Int64(bitPattern: hostTime), Int64(command))
    }
}
