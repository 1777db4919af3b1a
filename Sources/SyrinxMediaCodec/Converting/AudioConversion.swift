internal import CSyrinxFFmpeg
package import CoreAudioTypes
package import SyrinxByteStream

/// Converts audio incrementally between PCM or compressed formats, sample rates and channel counts.
///
/// Push the input, pull the output, and call `finish()` after the last input. If both formats are PCM with the same
/// sample rate, the conversion is bit-exact whenever the output format can represent the input samples. Not
/// thread-safe.
package final class AudioConversion {
    /// The settings of a conversion.
    package struct Settings: Sendable {
        /// The input channel of each output channel; −1 for silence.
        ///
        /// By default, output channels use the input channel of the same number, and further ones are silent. A mono
        /// input is copied to all channels.
        package var channelMap: [Int]?
        /// Whether channels are mixed by their speaker positions, as `Resampler` does, instead of mapped.
        package var downmixes = false
        /// The number of taps of the resampling filter.
        package var tapCount = 128
        /// Whether the filter's delay stays at the start of the output, and as many frames are removed from the end.
        package var keepsDelay = false
        /// The bit rate of the encoder, in bits per second.
        package var bitRate: Int?
        /// The decoder configuration that the input's format description does not contain.
        package var magicCookie: [UInt8] = []

        package init() {}
    }

    package let input: AudioStreamBasicDescription
    package let output: AudioStreamBasicDescription
    package let settings: Settings
    /// The encoder, if the output is compressed.
    package let encoder: PacketEncoder?
    /// The number of packets that could not be decoded so far.
    package private(set) var corruptPacketCount = 0

    private let inputForm: PCMLayout?
    private let outputForm: PCMLayout?
    private let parameters: CodecParameters?
    private let decoder: PacketDecoder?
    private let resampler: Resampler?
    /// The samples in full precision, if both formats are PCM and neither the rate nor the mix changes.
    private let exact: PlanarFIFO<Double>?
    private let queue: PlanarFIFO<Float>
    private var packets: [[UInt8]] = []
    private let scratch: FloatPlanes<Float>
    private let scratchExact: FloatPlanes<Double>?
    private var isFinished = false
    private let map: [Int]

    private static let chunk = 4096

    /// - Throws: `.unsupported` if the input cannot be converted to the output.
    package init(
        from input: AudioStreamBasicDescription,
        to output: AudioStreamBasicDescription,
        settings: Settings = Settings()
    ) throws(SyrinxError) {
        // Otherwise FFmpeg prints messages to standard error. Errors are reported by its results.
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

    /// The maximum number of input frames to push before pulling the output, so that little is buffered.
    package var inputFrameCountPerPush: Int { resampler?.inputFrameCountPerPush ?? Self.chunk }

    // MARK: Priming

    private var delayFrames = 0

    /// The number of input frames before and after a frame that the resampling filter uses; 0 without resampling.
    package var filterReach: Int {
        guard input.mSampleRate.rounded() != output.mSampleRate.rounded(), resampler != nil else { return 0 }
        let scale = max(1, input.mSampleRate / output.mSampleRate)
        return Int(clamped: (Double(settings.tapCount) / 2 * scale).rounded(.up))
    }

    /// The filter's reach in output frames.
    private var delay: Int { Int(clamped: (Double(filterReach) * output.mSampleRate / input.mSampleRate).rounded()) }

    private func putDelay() {
        guard delayFrames > 0 else { return }
        queue.append(delayFrames) { free in
            for channel in 0..<Int(output.mChannelsPerFrame) { free[channel].update(repeating: 0, count: delayFrames) }
            return delayFrames
        }
    }

    // MARK: In

    /// Converts samples of the input format.
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

    /// Decodes and converts a packet of the input format.
    ///
    /// If the packet cannot be decoded, `corruptPacketCount` increases and no output results.
    package func push(packet bytes: UnsafeRawBufferPointer) throws(SyrinxError) {
        guard let decoder else { return }
        try startAfresh()
        if try !decoder.send(bytes) { corruptPacketCount += 1 }
        try drain(decoder)
    }

    /// Ends the input, so that the last output can be pulled.
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

    /// Discards all state, before another signal is converted.
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

    /// Maps the channels and resamples.
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

    /// The number of frames, or of packets if the output is compressed, that can be pulled now.
    package var availableCount: Int {
        outputForm == nil ? packets.count : max((exact?.count ?? queue.count) - (isFinished ? 0 : delayFrames), 0)
    }

    /// Copies up to `count` frames into `list` from frame `frame`, and returns their number.
    package func pull(into list: UnsafeMutableAudioBufferListPointer, from frame: Int, count: Int) -> Int {
        guard let outputForm else { return 0 }
        let count = min(count, availableCount)
        if let exact {
            return exact.take(count) { outputForm.store($0, at: $1, count: $2, into: list, from: frame) }
        }
        return queue.take(count) { outputForm.store($0, at: $1, count: $2, into: list, from: frame) }
    }

    /// The size of the next packet, in bytes; `nil` if none is ready.
    package var nextPacketSize: Int? { packets.first?.count }

    /// Removes and returns the next packet; `nil` if none is ready.
    package func pullPacket() -> [UInt8]? { packets.isEmpty ? nil : packets.removeFirst() }
}
