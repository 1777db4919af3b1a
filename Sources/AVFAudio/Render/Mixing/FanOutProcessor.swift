/// A step that buffers the output of one node for several readers with different rates.
///
/// It keeps the newest frames. Each reader has its own position, and the foremost reader triggers further rendering. A
/// reader that falls behind the buffer continues with the oldest available frame.
final class FanOutProcessor: @unchecked Sendable {
    // Unchecked: once it is in a plan, only the render thread accesses it.
    let sampleRate: Double
    let channelCount: Int
    private let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    @exclusivity(unchecked) private(set) var written = 0
    /// The position after the newest content; also the end of the sound if `hasEnded` is `true`.
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

    /// Copies from `position`, or from the oldest frame if that was overwritten, and returns the start position.
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

/// The position of one branch in the buffer of a `FanOutProcessor`.
final class TeeReader: @unchecked Sendable {
    // Unchecked: once it is in a plan, only the render thread accesses it.
    private let tee: Unmanaged<FanOutProcessor>
    /// Keeps it alive.
    private let owner: FanOutProcessor
    private var position: Int?

    /// Creates a reader.
    /// - Parameter fromStart: Whether it starts with the first frame of the node; otherwise it joins at the current
    ///   position.
    init(_ tee: FanOutProcessor, fromStart: Bool) {
        owner = tee
        self.tee = Unmanaged.passUnretained(tee)
        position = fromStart ? 0 : nil
    }

    /// Renders the next frames.
    /// - Parameter pull: Runs the steps of the node for a number of frames and returns their output.
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
