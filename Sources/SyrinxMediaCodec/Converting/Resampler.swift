internal import CSyrinxFFmpeg
package import SyrinxByteStream

/// Brings float samples to another rate and another number of channels, as they come.
///
/// Push samples in, pull what has become of them out; `finish()` after the last. The filter's delay is made up for: output
/// frame 0 is input frame 0, and the whole is as long as before, to the nearest frame. One thread at a time.
///
/// Mono goes at full level to the left and the right. Other changes of channels follow ITU-R BS.775: centre and surrounds
/// go to the sides 3 dB lower, and the sum is scaled so that it cannot clip.
package final class Resampler {
    /// Frames per second that go in.
    package let inputSampleRate: Double
    /// Channels that go in.
    package let inputChannelCount: Int
    /// Frames per second that come out.
    package let outputSampleRate: Double
    /// Channels that come out.
    package let outputChannelCount: Int

    private var context: OpaquePointer?
    private var queue: OpaquePointer?
    private var chunk: PlanarBuffer
    private var inputCount: Int64 = 0
    private var outputCount: Int64 = 0
    private var isFinished = false

    /// Frames that one call of the resampler makes at most.
    private static let chunkSize = 4096
    /// Frames of output that a push is to make at most, as far as that is in whole frames of input.
    private static let outputPerPush = 65_536.0

    /// Frames of input to push at once, and to pull what has become of them before the next: from a very low rate thousands of
    /// frames would become gigabytes.
    package var inputFrameCountPerPush: Int {
        min(max(Int(clamped: Self.outputPerPush * inputSampleRate / outputSampleRate), 1), Self.chunkSize)
    }

    /// A converter from one rate and number of channels to another.
    /// - Parameters:
    ///   - source: Frames per second, rounded to whole ones, and channels.
    ///   - sourceLayout: How the channels are arranged, as in `MediaInfo.channelLayout`; by default the usual way for their
    ///     number.
    ///   - target: Frames per second, rounded to whole ones, and channels, arranged the usual way.
    ///   - tapCount: Of the filter, in frames of the lower rate: with 128 nothing above −100 dB is folded back, and the
    ///     upper 4 % of the band are lost; with fewer more.
    /// - Throws: `.unsupported` for rates and numbers of channels that cannot be.
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
        // No sum of channels is louder than one of them at its loudest.
        av_opt_set_double(object, "rematrix_maxval", 1, 0)
        // The filter is worked out for each phase of the ratio, up to 1024 of them; between those it is interpolated.
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
        return SyrinxError(.unsupported, "There is no way from \(from) to \(into).", name: "converter")
    }

    // MARK: Converting

    /// Frames that `pull` can give now.
    package var availableFrameCount: Int { Int(av_audio_fifo_size(queue)) }

    /// Takes the next input, one pointer for each channel.
    ///
    /// What becomes of it is kept until it is pulled. After `finish()` it begins a new signal, as after `reset()`.
    /// - Throws: `.outOfMemory`.
    package func push(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) throws(SyrinxError) {
        try push(channels, frameCount: frameCount) { () throws(SyrinxError) in }
    }

    /// Takes the next input, and calls `pull` again and again, which is to pull what has become of it so far.
    ///
    /// So little is held at a time, however low the rate is that goes in.
    /// - Throws: `.outOfMemory`, and what `pull` throws.
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
            // More may have become ready than one chunk holds.
            try drain(limit: .max, flushing: false)
            try pull()
        }
    }

    /// Says that all input has been pushed, so that the last of the output can be pulled.
    /// - Throws: `.outOfMemory`.
    package func finish() throws(SyrinxError) {
        guard !isFinished else { return }
        isFinished = true
        let total = Int64(clamped: (Double(inputCount) * outputSampleRate / inputSampleRate).rounded())
        try drain(limit: total - outputCount, flushing: true)
        // The resampler ends a frame early where the ratio leaves a fraction.
        while outputCount < total {
            let count = Int(min(total - outputCount, Int64(Self.chunkSize)))
            for channel in 0..<outputChannelCount { chunk.channels[channel].update(repeating: 0, count: count) }
            try enqueue(count)
        }
    }

    /// Gives up to `frameCount` frames of output, and returns how many; 0 if more has to be pushed first.
    package func pull(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) -> Int {
        let count = min(frameCount, availableFrameCount)
        guard count > 0 else { return 0 }
        return withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: outputChannelCount) {
            output in
            for channel in 0..<outputChannelCount { output[channel] = UnsafeMutableRawPointer(channels[channel]) }
            return max(Int(av_audio_fifo_read(queue, output.baseAddress, Int32(count))), 0)
        }
    }

    /// Forgets everything, for another signal.
    /// - Throws: `.outOfMemory`.
    package func reset() throws(SyrinxError) {
        av_audio_fifo_reset(queue)
        swr_close(context)
        guard swr_init(context) >= 0 else { throw SyrinxError.outOfMemory("converter") }
        inputCount = 0
        outputCount = 0
        isFinished = false
    }

    /// Runs the resampler once, and keeps what it makes.
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
                // Without input it flushes; with an input of no frames it only gives what it has.
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

/// Buffers of float samples, one a channel, and the tables of pointers in which FFmpeg takes them.
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
