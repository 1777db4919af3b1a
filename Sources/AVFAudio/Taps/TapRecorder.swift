import Glibc
import Synchronization

/// The time of the frames from one place of a tap's ring on.
struct TapMark: BitwiseCopyable {
    /// Frames put into the ring before.
    var position: Int
    var sampleTime: Int64
    /// Nanoseconds of the monotonic clock, or 0.
    var hostTime: UInt64

    /// Returns the sample time of a later frame, if no frames are missing in between.
    @_noLocks @_noAllocation
    func sampleTime(at position: Int) -> Int64 { sampleTime + Int64(position - self.position) }
}

/// The frame count that a tap uses as its clock.
enum TapClock {
    /// The engine's own, for nodes that run at the rate of the output.
    case engine
    /// The node time of a player.
    case player(Unmanaged<PlayerKernel>)
    /// Frames of the node's own rate, beginning at the engine's time times this.
    case own(ratio: Double)
}

/// The part of a tap that runs on the render thread: puts frames and their times into a ring, and never waits.
final class TapRecorder: @unchecked Sendable {
    // Unchecked: the render thread owns the ring from `written` to `read + capacity`, and the state below `Render
    // state`. The tap's queue owns the ring from `read` to `written`. The same is true for the marks.
    let sampleRate: Double
    let channelCount: Int
    /// The number of frames that did not fit in the ring because the tap's block was too slow.
    let missedFrames = Atomic<Int64>(0)
    /// Set when the engine stops, so that no render waits for a tap.
    let isAborted = Atomic<Bool>(false)

    private let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    private let marks: UnsafeMutablePointer<TapMark>
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)
    private let marksWritten = Atomic<Int>(0)
    private let marksTaken = Atomic<Int>(0)

    // Instance constants, because access to type constants requires the type's metadata.
    private let markCapacity = 1024
    /// The maximum distance of marks in frames, so that host times do not drift.
    private let markInterval = 1024

    // MARK: Render state

    private var expected: Int64 = .min
    private var lastMark = 0
    private var ownTime: Int64?
    private var timeline = 0

    init(sampleRate: Double, channelCount: Int, bufferSize: Int, maximumFrameCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        // One second, or the length of two buffers and a render.
        var capacity = 1
        while capacity < max(Int(sampleRate), 2 * bufferSize + 2 * maximumFrameCount) { capacity *= 2 }
        self.capacity = capacity
        samples = .allocate(capacity: capacity * channelCount)
        samples.initialize(repeating: 0, count: capacity * channelCount)
        marks = .allocate(capacity: markCapacity)
        marks.initialize(repeating: TapMark(position: 0, sampleTime: 0, hostTime: 0), count: markCapacity)
    }

    deinit {
        samples.deallocate()
        marks.deallocate()
    }

    // MARK: Render

    /// Records the output of a node.
    func record(_ input: RenderSlot, frames: Int, pass: RenderPass, clock: TapClock) {
        guard frames > 0 else { return }
        let start = time(pass, clock, frames)
        // Without real time the file waits for the tap, and the tap does not wait.
        if pass.manner.mayBlock { waitForRoom(frames) }
        append(input, frames: frames, start: start, hostTime: pass.hostTime)
    }

    // A separate function, which `scripts/check-render-path` can exclude: in real time nothing waits.
    @inline(never)
    private func waitForRoom(_ frames: Int) {
        while room < frames, !isAborted.load(ordering: .acquiring) { usleep(500) }
    }

    private var room: Int {
        @_noLocks @_noAllocation get {
            capacity - (written.load(ordering: .relaxed) - taken.load(ordering: .acquiring))
        }
    }

    private func time(_ pass: RenderPass, _ clock: TapClock, _ frames: Int) -> Int64 {
        switch clock {
        case .engine:
            return pass.sampleTime
        case .player(let kernel):
            return kernel._withUnsafeGuaranteedRef { $0.time.read().0 } - Int64(frames)
        case .own(let ratio):
            if pass.timeline != timeline { ownTime = nil }
            timeline = pass.timeline
            let start = ownTime ?? Int64(Double(pass.sampleTime) * ratio)
            ownTime = start + Int64(frames)
            return start
        }
    }

    @_noLocks @_noAllocation
    private func append(_ input: RenderSlot, frames: Int, start: Int64, hostTime: UInt64) {
        let position = written.load(ordering: .relaxed)
        let mark = marksWritten.load(ordering: .relaxed)
        let hasMarkRoom = mark - marksTaken.load(ordering: .acquiring) < markCapacity
        guard room >= frames, hasMarkRoom else {
            missedFrames.wrappingAdd(Int64(frames), ordering: .relaxed)
            return
        }
        let isGap = start != expected
        if isGap ? true : position - lastMark >= markInterval {
            let slot = marks + (mark & (markCapacity - 1))
            slot.pointee.position = position
            slot.pointee.sampleTime = start
            slot.pointee.hostTime = hostTime
            marksWritten.store(mark + 1, ordering: .releasing)
            lastMark = position
        }
        for channel in 0..<channelCount {
            let ring = samples + channel * capacity
            let source = input.channels[channel]
            for frame in 0..<frames { ring[(position + frame) & (capacity - 1)] = source[frame] }
        }
        expected = start + Int64(frames)
        written.store(position + frames, ordering: .releasing)
    }

    // MARK: The tap's queue

    /// The number of frames that can be read from the ring.
    var readableCount: Int { written.load(ordering: .acquiring) - taken.load(ordering: .relaxed) }

    /// The place of the next frame to be taken.
    var position: Int { taken.load(ordering: .relaxed) }

    /// Calls `body` with the pending marks, oldest first.
    func pendingMarks(_ body: (TapMark) -> Bool) {
        let end = marksWritten.load(ordering: .acquiring)
        for index in marksTaken.load(ordering: .relaxed)..<end {
            guard body(marks[index & (markCapacity - 1)]) else { return }
        }
    }

    func dropMark() { marksTaken.wrappingAdd(1, ordering: .releasing) }

    /// Takes the next `count` frames, which have to be available.
    func take(_ count: Int, into channels: UnsafePointer<UnsafeMutablePointer<Float>>) {
        let start = taken.load(ordering: .relaxed)
        for channel in 0..<channelCount {
            let ring = samples + channel * capacity
            for frame in 0..<count { channels[channel][frame] = ring[(start + frame) & (capacity - 1)] }
        }
        taken.store(start + count, ordering: .releasing)
    }
}
