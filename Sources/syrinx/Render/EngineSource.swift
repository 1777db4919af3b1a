import AVFAudio
import CoreAudioTypes
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec

/// Processes the frames of another source with an offline engine: time-pitch, effects and volume.
///
/// At rate *r*, it returns `round(n / r)` frames for *n* input frames, followed by the effects' tail until it has
/// decayed to −90 dB, at most 30 s. The latency of the effects is removed from the start.
final class EngineSource: FrameSource {
    /// The number of frames per render call.
    private static let blockLength = 4096

    let sampleRate: Double
    let channelCount: Int

    private let rate: Double
    private let engine = AVAudioEngine()
    private let feed: EngineFeed
    private let buffer: AVAudioPCMBuffer
    private let name: String
    private var renderedCount: Int64 = 0
    /// The effects, in order.
    private let units: [AVAudioUnitEffect]
    /// Whether the effects' tail is returned.
    private let keepsTail: Bool
    /// The number of frames skipped at the start, because of the effects' latency.
    private var skippedCount: Int64 = 0
    private var tail: QuietTail

    /// Creates an engine that processes `base`.
    init(
        _ base: any FrameSource,
        name: String,
        rate: Double,
        pitch: Double,
        algorithm: AVAudioUnitTimePitch.Algorithm,
        volume: Double,
        effects: [EffectArgument],
        keepsTail: Bool
    ) throws(Failure) {
        self.rate = rate
        self.name = name
        sampleRate = base.sampleRate
        channelCount = base.channelCount
        guard let format = EngineFormat.make(sampleRate: base.sampleRate, channelCount: base.channelCount),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(Self.blockLength))
        else {
            throw Failure(
                code: .unsupported,
                message: "\(base.channelCount) channels cannot be rendered with another rate, pitch or volume",
                name: name
            )
        }
        self.buffer = buffer
        self.keepsTail = keepsTail
        units = effects.compactMap { $0.makeUnit() }
        tail = QuietTail(channelCount: base.channelCount)
        let feed = EngineFeed(base)
        self.feed = feed
        let source = AVAudioSourceNode(format: format) { _, _, frameCount, list in
            feed.fill(UnsafeMutableAudioBufferListPointer(list), frameCount: Int(frameCount))
            return noErr
        }
        let timePitch = AVAudioUnitTimePitch()
        timePitch.rate = Float(rate)
        timePitch.pitch = Float(pitch)
        timePitch.algorithm = algorithm
        do {
            try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: buffer.frameCapacity)
            engine.attach(source)
            engine.attach(timePitch)
            for unit in units { engine.attach(unit) }
            engine.connect(source, through: [timePitch] + units, format: format)
            engine.mainMixerNode.outputVolume = Float(volume)
            try engine.start()
        } catch {
            throw Self.failure(error, name: name)
        }
    }

    func read(into block: SampleBlock) throws(Failure) -> Int {
        try skipLatency()
        while true {
            // Return quiet tail frames that turned out to be followed by louder ones.
            let held = tail.read(into: block)
            if held > 0 { return held }
            let start = renderedCount
            let count = try render(atMost: min(block.capacity, Self.blockLength))
            guard count > 0, let samples = buffer.floatChannelData else { return 0 }
            // Quiet tail frames are held back until louder ones follow.
            let body = Int(min(Int64(count), max(0, (end ?? .max) - start)))
            if body < count { tail.append(samples, body..<count) }
            guard body > 0 else { continue }
            for channel in 0..<channelCount { block[channel].baseAddress?.update(from: samples[channel], count: body) }
            return body
        }
    }

    private func skipLatency() throws(Failure) {
        guard renderedCount == 0, skippedCount == 0 else { return }
        let latency = units.reduce(0) { $0 + $1.latency }
        let wanted = Int64(clamped: (latency * sampleRate).rounded())
        while skippedCount < wanted {
            skippedCount += Int64(try pull(Int(min(Int64(Self.blockLength), wanted - skippedCount))))
        }
    }

    /// Renders the next frames into the buffer.
    /// - Returns: The number of frames; 0 after the end of the tail.
    private func render(atMost limit: Int) throws(Failure) -> Int {
        var wanted = limit
        if let last { wanted = Int(min(Int64(wanted), last - renderedCount)) }
        guard wanted > 0 else { return 0 }
        wanted = try pull(wanted)
        // The end of the input may have been reached in this block.
        if let last { wanted = Int(max(0, min(Int64(wanted), last - renderedCount))) }
        renderedCount += Int64(wanted)
        return wanted
    }

    private func pull(_ count: Int) throws(Failure) -> Int {
        do {
            let status = try engine.renderOffline(AVAudioFrameCount(count), to: buffer)
            guard status == .success else {
                throw Failure(code: .unsupported, message: "the engine stopped rendering", name: name)
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Self.failure(error, name: name)
        }
        if let failure = feed.failure { throw failure }
        return count
    }

    /// The number of output frames without the tail; `nil` until the end of the input is known.
    private var end: Int64? {
        feed.hasEnded ? Int64(clamped: (Double(feed.readCount) / rate).rounded()) : nil
    }

    /// The number of output frames with the full tail; `nil` until the end of the input is known.
    private var last: Int64? {
        guard let end, keepsTail, !units.isEmpty else { return end }
        let seconds = units.reduce(0) { $0 + $1.tailTime }
        return end + Int64(clamped: (min(seconds, EffectTail.longest) * sampleRate).rounded(.up))
    }

    private static func failure(_ error: any Error, name: String) -> Failure {
        Failure(code: .unsupported, message: "the engine cannot render this: \(error)", name: name)
    }
}

/// Supplies the engine's source node with complete blocks, and with silence after the end.
private final class EngineFeed: @unchecked Sendable {
    // Unchecked: offline rendering calls the source node's block on the thread that calls `renderOffline`, which is the
    // only one that reads these values.
    private let base: any FrameSource
    private let held: SampleBlock
    private var heldRange = 0..<0

    private(set) var readCount: Int64 = 0
    private(set) var hasEnded = false
    private(set) var failure: Failure?

    init(_ base: any FrameSource) {
        self.base = base
        held = SampleBlock(channelCount: base.channelCount, capacity: 4096)
    }

    func fill(_ list: UnsafeMutableAudioBufferListPointer, frameCount: Int) {
        var filled = 0
        while filled < frameCount {
            if heldRange.isEmpty, !refill() { break }
            let count = min(heldRange.count, frameCount - filled)
            for (channel, buffer) in list.enumerated() where channel < held.channelCount {
                guard let data = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
                guard let from = held[channel].baseAddress else { continue }
                (data + filled).update(from: from + heldRange.lowerBound, count: count)
            }
            heldRange = heldRange.lowerBound + count..<heldRange.upperBound
            filled += count
        }
        for buffer in list {
            guard filled < frameCount, let data = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
            (data + filled).update(repeating: 0, count: frameCount - filled)
        }
    }

    private func refill() -> Bool {
        guard !hasEnded, failure == nil else { return false }
        do throws(Failure) {
            let count = try base.read(into: held)
            readCount += Int64(count)
            heldRange = 0..<count
            hasEnded = count == 0
        } catch {
            failure = error
        }
        return !heldRange.isEmpty
    }
}
