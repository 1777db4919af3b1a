internal import CSyrinxFFmpeg
package import CoreAudioTypes
package import SyrinxByteStream

/// Converts sound from one format to another, as it comes: whatever can be decoded, to whatever can be encoded.
///
/// Samples of any kind, compressed packets, another rate, other channels. Put input in, take output out; `finish()` after
/// the last. Between samples of one rate it is exact to the bit wherever the output can hold what comes in. One thread at a
/// time.
package final class AudioConversion {
    /// The settings of a conversion.
    package struct Settings: Sendable {
        /// Which input channel each output channel is; −1 for silence.
        ///
        /// By default the same one, mono everywhere, and the rest silence.
        package var channelMap: [Int]?
        /// Whether channels are mixed by their loudspeakers instead, as `Resampler` does.
        package var downmixes = false
        /// Taps of the filter of a change of rate.
        package var tapCount = 128
        /// Whether the filter's delay is left at the start, and the end is cut off by it.
        package var keepsDelay = false
        /// The bit rate of an encoder, in bits per second.
        package var bitRate: Int?
        /// The data that a decoder needs beside the description of the input.
        package var magicCookie: [UInt8] = []

        package init() {}
    }

    package let input: AudioStreamBasicDescription
    package let output: AudioStreamBasicDescription
    package let settings: Settings
    /// The encoder, if the output is compressed.
    package let encoder: PacketEncoder?
    /// Packets that could not be decoded so far.
    package private(set) var corruptPacketCount = 0

    private let inputForm: PCMLayout?
    private let outputForm: PCMLayout?
    private let parameters: CodecParameters?
    private let decoder: PacketDecoder?
    private let resampler: Resampler?
    /// Samples in full precision, where neither rate nor mix change and both ends are samples.
    private let exact: PlanarFIFO<Double>?
    private let queue: PlanarFIFO<Float>
    private var packets: [[UInt8]] = []
    private let scratch: FloatPlanes<Float>
    private let scratchExact: FloatPlanes<Double>?
    private var isFinished = false
    private let map: [Int]

    private static let chunk = 4096

    /// - Throws: `.unsupported` if there is no way from one to the other.
    package init(
        from input: AudioStreamBasicDescription,
        to output: AudioStreamBasicDescription,
        settings: Settings = Settings()
    ) throws(SyrinxError) {
        // It writes to standard error otherwise; what matters comes as an error.
        av_log_set_level(AV_LOG_QUIET)
        self.input = input
        self.output = output
        self.settings = settings
        inputForm = PCMLayout(input)
        outputForm = PCMLayout(output)
        let counts = (Int(input.mChannelsPerFrame), Int(output.mChannelsPerFrame))
        guard (1...64).contains(counts.0), (1...64).contains(counts.1), input.mSampleRate > 0, output.mSampleRate > 0
        else { throw Self.noWay(input, output) }
        if inputForm == nil {
            let parameters = try CodecParameters(input, cookie: settings.magicCookie)
            self.parameters = parameters
            decoder = try PacketDecoder(parameters: parameters.pointer, name: "converter")
        } else {
            parameters = nil
            decoder = nil
        }
        encoder = outputForm == nil ? try PacketEncoder(output, bitRate: settings.bitRate) : nil
        map = settings.channelMap ?? (0..<counts.1).map { counts.0 == 1 ? 0 : $0 < counts.0 ? $0 : -1 }
        let mixes = settings.downmixes && settings.channelMap == nil && counts.0 != counts.1
        let changesRate = input.mSampleRate.rounded() != output.mSampleRate.rounded()
        resampler =
            changesRate || mixes
            ? try Resampler(
                from: (input.mSampleRate, mixes ? counts.0 : counts.1),
                to: (output.mSampleRate, counts.1),
                tapCount: settings.tapCount
            ) : nil
        exact = resampler == nil && inputForm != nil && outputForm != nil ? PlanarFIFO(channelCount: counts.1) : nil
        queue = PlanarFIFO(channelCount: counts.1)
        scratch = FloatPlanes(channelCount: max(counts.0, counts.1), capacity: max(Self.chunk, encoder?.frameSize ?? 0))
        scratchExact = exact.map { _ in FloatPlanes(channelCount: counts.0, capacity: Self.chunk) }
        delayFrames = resampler.map { _ in settings.keepsDelay ? self.delay : 0 } ?? 0
        putDelay()
    }

    private static func noWay(_ a: AudioStreamBasicDescription, _ b: AudioStreamBasicDescription) -> SyrinxError {
        let message =
            "There is no way from \(a.mChannelsPerFrame) channels at \(a.mSampleRate) Hz to \(b.mChannelsPerFrame) at "
            + "\(b.mSampleRate) Hz."
        return SyrinxError(.unsupported, message, name: "converter")
    }

    /// Frames of input to push at once, and to pull what has become of them before the next.
    package var inputFrameCountPerPush: Int { resampler?.inputFrameCountPerPush ?? Self.chunk }

    // MARK: Priming

    private var delayFrames = 0

    /// Frames of input that the filter of the change of rate looks ahead, and as many back.
    package var filterReach: Int {
        guard input.mSampleRate.rounded() != output.mSampleRate.rounded(), resampler != nil else { return 0 }
        let scale = max(1, input.mSampleRate / output.mSampleRate)
        return Int(clamped: (Double(settings.tapCount) / 2 * scale).rounded(.up))
    }

    /// That, in frames of the output.
    private var delay: Int { Int(clamped: (Double(filterReach) * output.mSampleRate / input.mSampleRate).rounded()) }

    private func putDelay() {
        guard delayFrames > 0 else { return }
        queue.append(delayFrames) { free in
            for channel in 0..<Int(output.mChannelsPerFrame) { free[channel].update(repeating: 0, count: delayFrames) }
            return delayFrames
        }
    }

    // MARK: In

    /// Takes samples of the input format.
    package func push(_ list: UnsafeMutableAudioBufferListPointer, frameCount: Int) throws(SyrinxError) {
        guard let inputForm else { return }
        try startAfresh()
        var done = 0
        while done < frameCount {
            let count = min(frameCount - done, Self.chunk)
            if let exact, let scratchExact {
                let from = UnsafePointer(scratchExact.channels)
                inputForm.load(list, from: done, count: count, into: from, at: 0)
                spread(from, count, into: exact)
            } else {
                inputForm.load(list, from: done, count: count, into: UnsafePointer(scratch.channels), at: 0)
                try take(UnsafePointer(scratch.channels), count)
            }
            done += count
        }
    }

    /// Takes a packet of the input format.
    ///
    /// What cannot be decoded counts as corrupt, and gives nothing.
    package func push(packet bytes: UnsafeRawBufferPointer) throws(SyrinxError) {
        guard let decoder else { return }
        try startAfresh()
        if try !decoder.send(bytes) { corruptPacketCount += 1 }
        try drain(decoder)
    }

    /// Says that there is no more input.
    package func finish() throws(SyrinxError) {
        guard !isFinished else { return }
        if let decoder {
            _ = try decoder.send(nil as MediaPacket?)
            try drain(decoder)
        }
        isFinished = true
        if let resampler {
            try resampler.finish()
            pull(from: resampler)
        }
        if delayFrames > 0 { queue.drop(last: delayFrames) }
        if let encoder {
            try encode(encoder, all: true)
            try encoder.finish { packets.append($0) }
        }
    }

    /// Forgets everything, for another signal.
    package func reset() throws(SyrinxError) {
        try resampler?.reset()
        if let decoder, let parameters { try decoder.restart(parameters.pointer) }
        exact?.clear()
        queue.clear()
        packets = []
        isFinished = false
        putDelay()
    }

    private func startAfresh() throws(SyrinxError) {
        if isFinished { try reset() }
    }

    private func drain(_ decoder: PacketDecoder) throws(SyrinxError) {
        while true {
            switch try decoder.receive() {
            case .frame(let decoded): try take(decoder.channels, decoded.count)
            case .needsPacket, .ended: return
            case .damaged: corruptPacketCount += 1
            }
        }
    }

    // MARK: Between

    /// Brings the channels into place, and samples to the other rate.
    private func take(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int) throws(SyrinxError) {
        guard let resampler else {
            spread(channels, count, into: queue)
            if let encoder { try encode(encoder, all: false) }
            return
        }
        if resampler.inputChannelCount != Int(output.mChannelsPerFrame) {
            try resampler.push(channels, frameCount: count)
        } else {
            let placed = FloatPlanes<Float>(channelCount: map.count, capacity: count)
            for (channel, source) in map.enumerated() where source >= 0 && source < Int(input.mChannelsPerFrame) {
                placed.channels[channel].update(from: channels[source], count: count)
            }
            try resampler.push(UnsafePointer(placed.channels), frameCount: count)
        }
        pull(from: resampler)
        if let encoder { try encode(encoder, all: false) }
    }

    private func spread<Real: PCMSampleScale>(
        _ channels: UnsafePointer<UnsafeMutablePointer<Real>>,
        _ count: Int,
        into target: PlanarFIFO<Real>
    ) {
        target.append(count) { free in
            for (channel, source) in map.enumerated() {
                if source >= 0 && source < Int(input.mChannelsPerFrame) {
                    free[channel].update(from: channels[source], count: count)
                } else {
                    free[channel].update(repeating: Real(whole: 0, times: 1), count: count)
                }
            }
            return count
        }
    }

    private func pull(from resampler: Resampler) {
        while case let ready = resampler.availableFrameCount, ready > 0 {
            queue.append(ready) { resampler.pull(into: UnsafePointer($0), frameCount: ready) }
        }
    }

    private func encode(_ encoder: PacketEncoder, all: Bool) throws(SyrinxError) {
        while queue.count >= encoder.frameSize || (all && queue.count > 0) {
            let count = min(queue.count, encoder.frameSize)
            _ = queue.take(count) { channels, place, count in
                for channel in 0..<Int(output.mChannelsPerFrame) {
                    scratch.channels[channel].update(from: channels[channel] + place, count: count)
                }
            }
            try encoder.encode(UnsafePointer(scratch.channels), count: count) { packets.append($0) }
        }
    }

    // MARK: Out

    /// Frames that can be taken now, or packets if the output is compressed.
    package var availableCount: Int {
        outputForm == nil ? packets.count : max((exact?.count ?? queue.count) - (isFinished ? 0 : delayFrames), 0)
    }

    /// Puts up to `count` frames into `list`, from `frame` on, and returns how many.
    package func pull(into list: UnsafeMutableAudioBufferListPointer, from frame: Int, count: Int) -> Int {
        guard let outputForm else { return 0 }
        let count = min(count, availableCount)
        if let exact {
            return exact.take(count) { outputForm.store($0, at: $1, count: $2, into: list, from: frame) }
        }
        return queue.take(count) { outputForm.store($0, at: $1, count: $2, into: list, from: frame) }
    }

    /// The size of the next packet, if there is one.
    package var nextPacketSize: Int? { packets.first?.count }

    /// Takes the next packet.
    package func pullPacket() -> [UInt8]? { packets.isEmpty ? nil : packets.removeFirst() }
}
