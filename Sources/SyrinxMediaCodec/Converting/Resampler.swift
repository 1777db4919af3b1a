internal import CSyrinxFFmpeg
package import SyrinxByteStream

/// Converts float samples incrementally to another sample rate and channel count.
///
/// Push input, pull output, and call `finish()` after the last input. The filter's delay is compensated: output frame 0
/// corresponds to input frame 0, and the duration stays the same, to the nearest frame. Not thread-safe.
///
/// A mono input is copied to the left and right channels at full level. Other channel changes follow ITU-R BS.775: the
/// center and surround channels are added to the left and right at −3 dB, and the sum is scaled so that it cannot clip.
package final class Resampler {
    /// The input sample rate, in hertz.
    package let inputSampleRate: Double
    /// The number of input channels.
    package let inputChannelCount: Int
    /// The output sample rate, in hertz.
    package let outputSampleRate: Double
    /// The number of output channels.
    package let outputChannelCount: Int

    private var context: OpaquePointer?
    private var queue: OpaquePointer?
    private var chunk: PlanarBuffer
    private var inputCount: Int64 = 0
    private var outputCount: Int64 = 0
    private var isFinished = false

    /// The maximum number of frames per call of libswresample.
    private static let chunkSize = 4096
    /// The approximate maximum number of output frames per push.
    private static let outputPerPush = 65_536.0

    /// The maximum number of input frames to push before pulling the output.
    ///
    /// From a very low input rate, thousands of frames would otherwise become gigabytes of output.
    package var inputFrameCountPerPush: Int {
        min(max(Int(clamped: Self.outputPerPush * inputSampleRate / outputSampleRate), 1), Self.chunkSize)
    }

    /// Creates a resampler.
    /// - Parameters:
    ///   - source: The input sample rate, rounded to an integer, and the channel count.
    ///   - sourceLayout: The channel layout, as in `MediaInfo.channelLayout`; by default the usual one for the count.
    ///   - target: The output sample rate, rounded to an integer, and the channel count in its usual layout.
    ///   - tapCount: The filter length, in frames of the lower rate. With 128 taps, aliases stay below −100 dB and the
    ///     upper 4 % of the band are attenuated. Fewer taps attenuate more.
    /// - Throws: `.unsupported` for impossible rates or channel counts.
    package init(
        from source: (sampleRate: Double, channelCount: Int),
        sourceLayout: String? = nil,
        to target: (sampleRate: Double, channelCount: Int),
        tapCount: Int = 128
    ) throws(SyrinxError) {
        inputSampleRate = source.sampleRate.rounded()
        inputChannelCount = source.channelCount
        outputSampleRate = target.sampleRate.rounded()
        outputChannelCount = target.channelCount
        let rates = [inputSampleRate, outputSampleRate]
        guard rates.allSatisfy({ (1...10_000_000).contains($0) }), (1...64).contains(source.channelCount),
            (1...64).contains(target.channelCount)
        else { throw Self.refusal(source, target) }
        chunk = PlanarBuffer(channelCount: target.channelCount, capacity: Self.chunkSize)
        queue = av_audio_fifo_alloc(AV_SAMPLE_FMT_FLTP, Int32(target.channelCount), Int32(Self.chunkSize))
        var input = AVChannelLayout()
        var output = AVChannelLayout()
        defer {
            av_channel_layout_uninit(&input)
            av_channel_layout_uninit(&output)
        }
        av_channel_layout_default(&output, Int32(target.channelCount))
        if sourceLayout.map({ av_channel_layout_from_string(&input, $0) }) ?? -1 < 0
            || Int(input.nb_channels) != source.channelCount
        {
            av_channel_layout_uninit(&input)
            av_channel_layout_default(&input, Int32(source.channelCount))
        }
        let rate = (input: Int32(inputSampleRate), output: Int32(outputSampleRate))
        let float = AV_SAMPLE_FMT_FLTP
        var status = swr_alloc_set_opts2(&context, &output, float, rate.output, &input, float, rate.input, 0, nil)
        guard status >= 0, let context, queue != nil else { throw Self.refusal(source, target) }
        configure(context, rate, tapCount)
        if source.channelCount == 1, target.channelCount > 1 {
            let matrix = (0..<target.channelCount).map { $0 < 2 ? 1.0 : 0.0 }
            status = swr_set_matrix(context, matrix, 1)
        }
        guard status >= 0, swr_init(context) >= 0 else { throw Self.refusal(source, target) }
    }

    deinit {
        swr_free(&context)
        av_audio_fifo_free(queue)
    }

    private func configure(_ context: OpaquePointer, _ rate: (input: Int32, output: Int32), _ tapCount: Int) {
        let object = UnsafeMutableRawPointer(context)
        av_opt_set_int(object, "filter_size", Int64(min(max(tapCount, 8), 512)), 0)
        av_opt_set(object, "filter_type", "kaiser", 0)
        av_opt_set_double(object, "kaiser_beta", 10, 0)
        av_opt_set_double(object, "cutoff", 0.96, 0)
        // No mix is louder than its loudest input channel at full scale.
        av_opt_set_double(object, "rematrix_maxval", 1, 0)
        // The filter is computed for each phase of the ratio, up to 1024 phases; more phases are interpolated.
        let phases = Int(rate.output) / Self.greatestDivisor(Int(rate.input), Int(rate.output))
        av_opt_set_int(object, "linear_interp", phases > 1024 ? 1 : 0, 0)
    }

    private static func greatestDivisor(_ a: Int, _ b: Int) -> Int {
        b == 0 ? a : greatestDivisor(b, a % b)
    }

    private static func refusal(
        _ source: (sampleRate: Double, channelCount: Int),
        _ target: (sampleRate: Double, channelCount: Int)
    ) -> SyrinxError {
        let from = "\(source.channelCount) channels at \(source.sampleRate) Hz"
        let into = "\(target.channelCount) channels at \(target.sampleRate) Hz"
        return SyrinxError(.unsupported, "A conversion from \(from) to \(into) is not supported.", name: "converter")
    }

    // MARK: Converting

    /// The number of frames that `pull` can return now.
    package var availableFrameCount: Int { Int(av_audio_fifo_size(queue)) }

    /// Resamples the next input, with one pointer per channel.
    ///
    /// The output is queued until it is pulled. The first push after `finish()` starts a new signal, as after
    /// `reset()`.
    /// - Throws: `.outOfMemory`.
    package func push(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) throws(SyrinxError) {
        try push(channels, frameCount: frameCount) { () throws(SyrinxError) in }
    }

    /// Resamples the next input in small parts, and calls `pull` after each part.
    ///
    /// `pull` must pull the available output, so that little is queued even if the input rate is very low.
    /// - Throws: `.outOfMemory`, or the error that `pull` throws.
    package func push(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int,
        _ pull: () throws(SyrinxError) -> Void
    ) throws(SyrinxError) {
        if isFinished { try reset() }
        let most = inputFrameCountPerPush
        var done = 0
        while done < frameCount {
            let count = min(frameCount - done, most)
            let status = withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: inputChannelCount) {
                input in
                for channel in 0..<inputChannelCount {
                    input[channel] = UnsafeRawPointer(channels[channel] + done).assumingMemoryBound(to: UInt8.self)
                }
                return convert(input.baseAddress, count)
            }
            guard status >= 0 else { throw SyrinxError.outOfMemory("converter") }
            done += count
            inputCount += Int64(count)
            // More output may be ready than fits into one chunk.
            try drain(limit: .max, flushing: false)
            try pull()
        }
    }

    /// Ends the input, so that the last output can be pulled.
    /// - Throws: `.outOfMemory`.
    package func finish() throws(SyrinxError) {
        guard !isFinished else { return }
        isFinished = true
        let total = Int64(clamped: (Double(inputCount) * outputSampleRate / inputSampleRate).rounded())
        try drain(limit: total - outputCount, flushing: true)
        // libswresample returns one frame too few if the ratio leaves a fraction.
        while outputCount < total {
            let count = Int(min(total - outputCount, Int64(Self.chunkSize)))
            for channel in 0..<outputChannelCount { chunk.channels[channel].update(repeating: 0, count: count) }
            try enqueue(count)
        }
    }

    /// Copies up to `frameCount` output frames, and returns their number; 0 if more input is required.
    package func pull(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) -> Int {
        let count = min(frameCount, availableFrameCount)
        guard count > 0 else { return 0 }
        return withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: outputChannelCount) {
            output in
            for channel in 0..<outputChannelCount { output[channel] = UnsafeMutableRawPointer(channels[channel]) }
            return max(Int(av_audio_fifo_read(queue, output.baseAddress, Int32(count))), 0)
        }
    }

    /// Discards all state, before another signal is resampled.
    /// - Throws: `.outOfMemory`.
    package func reset() throws(SyrinxError) {
        av_audio_fifo_reset(queue)
        swr_close(context)
        guard swr_init(context) >= 0 else { throw SyrinxError.outOfMemory("converter") }
        inputCount = 0
        outputCount = 0
        isFinished = false
    }

    /// Calls libswresample once, and queues its output.
    private func convert(_ input: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int) -> Int32 {
        let made = chunk.withPlanes { swr_convert(context, $0, Int32(Self.chunkSize), input, Int32(count)) }
        guard made > 0 else { return made }
        return (try? enqueue(Int(made))) == nil ? -1 : made
    }

    private func drain(limit: Int64, flushing: Bool) throws(SyrinxError) {
        var left = limit
        while left > 0 {
            let capacity = Int32(min(left, Int64(Self.chunkSize)))
            let made = chunk.withPlanes { output in
                // A null input flushes libswresample; an input of 0 frames only returns the output that is ready.
                guard !flushing else { return swr_convert(context, output, capacity, nil, 0) }
                return withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: inputChannelCount) {
                    $0.initialize(repeating: nil)
                    return swr_get_out_samples(context, 0) > capacity
                        ? swr_convert(context, output, capacity, $0.baseAddress, 0) : 0
                }
            }
            guard made >= 0 else { throw SyrinxError.outOfMemory("converter") }
            if made == 0 { return }
            left -= Int64(made)
            try enqueue(Int(made))
        }
    }

    private func enqueue(_ count: Int) throws(SyrinxError) {
        let written = chunk.withRawPlanes { av_audio_fifo_write(queue, $0, Int32(count)) }
        guard written == Int32(count) else { throw SyrinxError.outOfMemory("converter") }
        outputCount += Int64(count)
    }
}

/// Float buffers, one per channel, with the pointer tables that FFmpeg takes.
final class PlanarBuffer {
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let capacity: Int
    private let channelCount: Int
    private let storage: UnsafeMutablePointer<Float>

    init(channelCount: Int, capacity: Int) {
        self.channelCount = channelCount
        self.capacity = capacity
        storage = .allocate(capacity: channelCount * capacity)
        storage.initialize(repeating: 0, count: channelCount * capacity)
        channels = .allocate(capacity: channelCount)
        for channel in 0..<channelCount { (channels + channel).initialize(to: storage + channel * capacity) }
    }

    deinit {
        storage.deallocate()
        channels.deallocate()
    }

    func withPlanes<Result>(_ body: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Result) -> Result {
        channels.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: channelCount) { body($0) }
    }

    func withRawPlanes<Result>(_ body: (UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Result) -> Result {
        channels.withMemoryRebound(to: UnsafeMutableRawPointer?.self, capacity: channelCount) { body($0) }
    }
}
