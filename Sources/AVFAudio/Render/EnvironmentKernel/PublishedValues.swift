import Synchronization

/// Numbers that belong together: written by any thread, read by the render thread, which never waits.
///
/// A sequence lock, as in `PublishedTriple`; writers take turns under a lock.
final class PublishedValues: @unchecked Sendable {
    // Unchecked: the pointers never change, and their targets are atomic.
    private let gate = Mutex(())
    private let words: UnsafeMutablePointer<Atomic<UInt32>>
    private let sequence: UnsafeMutablePointer<Atomic<Int>>
    private let count: Int

    init(_ values: [Float]) {
        count = values.count
        words = .allocate(capacity: max(count, 1))
        for (index, value) in values.enumerated() { (words + index).initialize(to: Atomic(value.bitPattern)) }
        sequence = .allocate(capacity: 1)
        sequence.initialize(to: Atomic(0))
    }

    deinit {
        words.deinitialize(count: count)
        words.deallocate()
        sequence.deinitialize(count: 1)
        sequence.deallocate()
    }

    /// Returns the most recently set value.
    func value(_ index: Int) -> Float { Float(bitPattern: words[index].load(ordering: .relaxed)) }

    /// Returns all values.
    var all: [Float] { (0..<count).map(value) }

    /// Sets consecutive values; NaN values are ignored.
    func set(_ first: Int, _ values: [Float]) {
        gate.withLock { _ in
            sequence.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing)
            for (index, value) in values.enumerated() where value.isFinite {
                words[first + index].store(value.bitPattern, ordering: .releasing)
            }
            sequence.pointee.wrappingAdd(1, ordering: .releasing)
        }
    }

    /// Copies the values on the render thread if they have changed since the state `known`.
    ///
    /// If a write is in progress, the next block gets the new values.
    /// - Parameter values: Memory for twice the number of values; the first half receives them.
    /// - Returns: The state of the returned values.
    @_noLocks @_noAllocation
    func read(into values: UnsafeMutablePointer<Float>, known: Int) -> Int {
        let before = sequence.pointee.load(ordering: .acquiring)
        if before == known { return known }
        if before & 1 == 1 { return known }
        var index = 0
        while index < count {
            values[count &+ index] = Float(bitPattern: words[index].load(ordering: .acquiring))
            index &+= 1
        }
        if sequence.pointee.load(ordering: .acquiring) != before { return known }
        index = 0
        while index < count {
            values[index] = values[count &+ index]
            index &+= 1
        }
        return before
    }
}

/// The place of a source, by the names of its values.
final class SpatialParameters: @unchecked Sendable {
    // Unchecked: `processor` requires the engine's lock; all else is atomic.
    /// From 0: x, y and z.
    static let algorithm = 3
    static let sourceMode = 4
    static let inHeadMode = 5
    static let reverbBlend = 6
    static let obstruction = 7
    static let occlusion = 8
    static let count = 9

    let values = PublishedValues(Array(repeating: 0, count: count))
    /// The speed, for the resampler of the way into an environment.
    let rate = RateEffectParameters()
    private var processor: ResampleProcessor?

    /// The resampler of the source, kept from plan to plan while its format stays.
    func processor(sampleRate: Double, channelCount: Int, maximumFrameCount: Int) -> ResampleProcessor {
        if let processor, processor.inputRate == sampleRate, processor.channelCount == channelCount { return processor }
        let new = ResampleProcessor(
            inputRate: sampleRate,
            outputRate: sampleRate,
            channelCount: channelCount,
            maximumFrameCount: maximumFrameCount,
            control: rate
        )
        processor = new
        return new
    }

    /// The speed that is set.
    var sourceRate: Float { Float(rate.rate.load(ordering: .relaxed)) }

    /// Sets the speed, and returns whether the way to the environment has to change for it.
    func setRate(_ value: Float) -> Bool {
        guard value.isFinite else { return false }
        let speed = Double(min(max(value, 0.5), 2))
        rate.rate.store(speed, ordering: .relaxed)
        guard speed != 1 else { return false }
        return !rate.hasMoved.exchange(true, ordering: .relaxed)
    }

    /// Returns whether a source with `channelCount` channels is rendered with an HRTF.
    func usesHead(channelCount: AVAudioChannelCount, outputType: AVAudioEnvironmentOutputType) -> Bool {
        switch AVAudio3DMixingSourceMode(rawValue: Int(values.value(Self.sourceMode))) {
        case .spatializeIfMono: if channelCount > 1 { return false }
        case .pointSource, .ambienceBed: break
        default: return false
        }
        switch AVAudio3DMixingRenderingAlgorithm(rawValue: Int(values.value(Self.algorithm))) {
        case .sphericalHead, .HRTF, .HRTFHQ: return true
        case .auto: return outputType.rawValue < AVAudioEnvironmentOutputType.builtInSpeakers.rawValue
        default: return false
        }
    }

    /// Whether the source requests a measured HRTF.
    var wantsMeasuredHead: Bool {
        switch AVAudio3DMixingRenderingAlgorithm(rawValue: Int(values.value(Self.algorithm))) {
        case .HRTF, .HRTFHQ, .auto: true
        default: false
        }
    }
}
