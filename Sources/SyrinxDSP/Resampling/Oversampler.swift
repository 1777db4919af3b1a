/// Raises the sample rate by a factor of eight and lowers it again, in three steps of two in each direction.
///
/// All filters have linear phase. Upwards, images of frequencies below 0.42 of the lower rate are attenuated by 75 dB.
/// Downwards, the last step is a low-pass filter (Kaiser window, 80 dB). Its stop band begins at half the lower rate to
/// prevent aliasing, and its pass band ends at 0.39 of that rate. A frame of a channel costs 110 multiplications.
///
/// The result does not depend on the division into blocks. Use from one thread at a time; only `init` allocates.
struct Oversampler: ~Copyable {
    static let factor = 8
    /// The most frames at once.
    static let chunkFrames = 64
    /// Frames by which raising and lowering lag together, at the lower rate.
    static let latencyFrames = 47
    /// Frames that are computed together.
    private static let lanes = 16

    private let channelCount: Int
    private let channelSize: Int
    private let memory: AlignedFloatBuffer
    private let taps: UnsafeMutablePointer<OversamplerPlan.Tap>
    private let sums: UnsafeMutablePointer<OversamplerPlan.Sum>
    private let raisingCount: Int
    private let raisingTaps: Int
    private let sumCount: Int
    private let histories: UnsafeMutablePointer<OversamplerPlan.History>
    private let historyCount: Int
    /// The eight planes of the raised rate, and the eight planes of processed samples.
    private let planes: UnsafeMutablePointer<Int>
    private let inputPlace: Int
    private let outputPlace: Int

    init(channelCount: Int) {
        let plan = OversamplerPlan(chunkFrames: Self.chunkFrames)
        self.channelCount = channelCount
        // Sums are computed for whole vectors, the last of which may extend past the end of a plane.
        channelSize = plan.size + Self.lanes
        memory = AlignedFloatBuffer(count: channelSize * channelCount)
        taps = Self.copy(plan.taps)
        sums = Self.copy(plan.raising + plan.lowering)
        raisingCount = plan.raising.count
        raisingTaps = plan.raising.reduce(0) { $0 + Int($1.count) }
        sumCount = plan.raising.count + plan.lowering.count
        histories = Self.copy(plan.histories)
        historyCount = plan.histories.count
        planes = Self.copy(plan.raised + plan.shaped)
        inputPlace = plan.input
        outputPlace = plan.output
    }

    deinit {
        taps.deallocate()
        sums.deallocate()
        histories.deallocate()
        planes.deallocate()
    }

    private static func copy<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
        let copy = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
        for (index, element) in elements.enumerated() { (copy + index).initialize(to: element) }
        return copy
    }

    func reset() { memory.clear() }

    /// Returns the place for the frames of a channel, at most `chunkFrames`.
    func input(_ channel: Int) -> UnsafeMutablePointer<Float> { memory.pointer + (channel * channelSize + inputPlace) }

    /// Returns a plane of the raised rate: one of the eight samples of each frame.
    func raised(_ channel: Int, _ phase: Int) -> UnsafePointer<Float> {
        UnsafePointer(memory.pointer + (channel * channelSize + planes[phase]))
    }

    /// Returns the memory for the processed samples of a plane.
    func shaped(_ channel: Int, _ phase: Int) -> UnsafeMutablePointer<Float> {
        memory.pointer + (channel * channelSize + planes[Self.factor + phase])
    }

    /// Returns the frames at the lower rate.
    func output(_ channel: Int) -> UnsafeMutablePointer<Float> {
        memory.pointer + (channel * channelSize + outputPlace)
    }

    /// Raises the rate of the frames that have been written.
    func raise(_ channel: Int, frameCount: Int) {
        fill(channel, 0, raisingCount, taps, frameCount)
    }

    /// Lowers the rate of the processed samples.
    func lower(_ channel: Int, frameCount: Int) {
        fill(channel, raisingCount, sumCount, taps + raisingTaps, frameCount)
    }

    /// Advances to the next frames.
    func advance(frameCount: Int) {
        for channel in 0..<channelCount {
            for index in 0..<historyCount {
                let (place, count) = (Int(histories[index].place), Int(histories[index].count))
                let first = memory.pointer + (channel * channelSize + place - count)
                copyFloats(first + frameCount, to: first, count: count)
            }
        }
    }

    private func fill(
        _ channel: Int,
        _ first: Int,
        _ end: Int,
        _ firstTap: UnsafePointer<OversamplerPlan.Tap>,
        _ frameCount: Int
    ) {
        let base = memory.pointer + channel * channelSize
        var tap = firstTap
        var index = first
        while index < end {
            let target = base + Int(sums[index].target)
            let tapEnd = tap + Int(sums[index].count)
            var frame = 0
            while frame < frameCount {
                Self.sum(tap, tapEnd, base + frame, into: target + frame)
                frame &+= Self.lanes
            }
            tap = tapEnd
            index &+= 1
        }
    }

    @inline(__always)
    private static func sum(
        _ first: UnsafePointer<OversamplerPlan.Tap>,
        _ end: UnsafePointer<OversamplerPlan.Tap>,
        _ base: UnsafePointer<Float>,
        into target: UnsafeMutablePointer<Float>
    ) {
        var (low, high) = (SIMD8<Float>(), SIMD8<Float>())
        var tap = first
        while tap < end {
            let (left, right, gain) = (base + Int(tap.pointee.first), base + Int(tap.pointee.second), tap.pointee.gain)
            low += (load8(left) + load8(right)) * gain
            high += (load8(left + 8) + load8(right + 8)) * gain
            tap += 1
        }
        store8(low, to: target)
        store8(high, to: target + 8)
    }
}
