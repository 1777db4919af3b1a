/// A step that keeps the output of one node for several readers with rates of their own.
///
/// It keeps the newest frames; each reader has a place of its own in them, and the furthest one has more made. A reader that
/// falls further behind than is kept goes on with the oldest that is there.
final class FanOutProcessor: @unchecked Sendable {
    // Unchecked: touched by the render thread alone once it is in a plan.
    let sampleRate: Double
    let channelCount: Int
    private let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    @exclusivity(unchecked) private(set) var written = 0
    /// The end of the newest content, and of the sound if that has come.
    private var contentEnd = 0
    private var hasEnded = false

    init(sampleRate: Double, channelCount: Int, maximumFrameCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        var capacity = 1
        while capacity < max(Int(sampleRate), 4 * maximumFrameCount) { capacity *= 2 }
        self.capacity = capacity
        samples = .allocate(capacity: capacity * channelCount)
        samples.initialize(repeating: 0, count: capacity * channelCount)
    }

    deinit { samples.deallocate() }

    @_noLocks @_noAllocation
    fileprivate func append(_ input: RenderSlot, frames: Int) {
        for channel in 0..<channelCount {
            let source = input.channels[channel]
            let ring = samples + channel * capacity
            for frame in 0..<frames { ring[(written + frame) & (capacity - 1)] = source[frame] }
        }
        let info = input.info.pointee
        if info.contentFrames > 0 {
            contentEnd = written + min(info.contentFrames, frames)
            hasEnded = false
        }
        if info.isEnd { hasEnded = true }
        written += frames
    }

    /// Copies from `position`, or from the oldest frame if that is gone, and returns where it began.
    @_noLocks @_noAllocation
    fileprivate func read(from position: Int, into output: RenderSlot, frames: Int) -> Int {
        let first = max(position, written - capacity)
        for channel in 0..<channelCount {
            let target = output.channels[channel]
            let ring = samples + channel * capacity
            for frame in 0..<frames { target[frame] = ring[(first + frame) & (capacity - 1)] }
        }
        let content = max(0, min(frames, contentEnd - first))
        output.leave(contentFrames: content, isEnd: hasEnded && content < frames)
        return first
    }
}

/// One way's place in what a `FanOutProcessor` keeps.
final class TeeReader: @unchecked Sendable {
    // Unchecked: touched by the render thread alone once it is in a plan.
    private let tee: Unmanaged<FanOutProcessor>
    /// Keeps it alive.
    private let owner: FanOutProcessor
    private var position: Int?

    /// - Parameter fromStart: Whether it reads the first frame that the node gives; else it joins where the others are.
    init(_ tee: FanOutProcessor, fromStart: Bool) {
        owner = tee
        self.tee = Unmanaged.passUnretained(tee)
        position = fromStart ? 0 : nil
    }

    /// - Parameter pull: Runs the steps of the node for a number of frames and returns what they left.
    func render(into output: RenderSlot, frames: Int, maximumFrameCount: Int, pull: (Int) -> RenderSlot) {
        tee._withUnsafeGuaranteedRef { tee in
            let start = position ?? tee.written
            while tee.written < start + frames {
                let count = min(start + frames - tee.written, maximumFrameCount)
                tee.append(pull(count), frames: count)
            }
            position = tee.read(from: start, into: output, frames: frames) + frames
        }
    }
}
