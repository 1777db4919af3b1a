internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Converts decoded frames to float, one buffer per channel, at the sample rate and layout of the recording's start.
final class FrameConverter {
    private(set) var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The maximum number of samples, of all channels, that one frame may become: several minutes.
    private static let mostSamples = 1 << 24
    private var mostFrames: Int { Self.mostSamples / max(channelCount, 1) }

    private let channelCount: Int
    private let sampleRate: Int32
    private var layout = AVChannelLayout()
    private let name: String
    /// Whether integers of more than 24 bits are truncated to the precision of a float, instead of rounded.
    private let roundsIntegersDown: Bool
    private var storage: UnsafeMutablePointer<Float>
    private var capacity: Int
    private var resampler: OpaquePointer?
    /// The format for which the resampler is configured.
    private var input: (format: Int32, rate: Int32, channels: Int32)?
    /// The number of frames that the resampler has consumed and returned.
    private var inputCount: Int64 = 0
    private var outputCount: Int64 = 0

    init(
        sampleRate: Int32,
        layout: UnsafePointer<AVChannelLayout>,
        name: String,
        roundsIntegersDown: Bool = false
    ) throws(SyrinxError) {
        self.sampleRate = sampleRate
        self.name = name
        self.roundsIntegersDown = roundsIntegersDown
        channelCount = Int(layout.pointee.nb_channels)
        capacity = 0
        storage = .allocate(capacity: 0)
        channels = .allocate(capacity: channelCount)
        channels.initialize(repeating: storage, count: channelCount)
        guard av_channel_layout_copy(&self.layout, layout) >= 0 else { throw SyrinxError.outOfMemory(name) }
    }

    deinit {
        swr_free(&resampler)
        av_channel_layout_uninit(&layout)
        storage.deallocate()
        channels.deallocate()
    }

    func reset() {
        swr_free(&resampler)
        input = nil
        (inputCount, outputCount) = (0, 0)
    }

    /// Converts a frame into `channels`, and returns the number of samples per channel.
    /// - Parameter part: The range of samples to convert, if the sample rate changes.
    func convert(_ frame: UnsafeMutablePointer<AVFrame>, part: Range<Int>? = nil) throws(SyrinxError) -> Int {
        let count = Int(frame.pointee.nb_samples)
        let isInShape =
            frame.pointee.sample_rate == sampleRate && Int(frame.pointee.ch_layout.nb_channels) == channelCount
        guard let data = frame.pointee.extended_data else { return 0 }
        if roundsIntegersDown, isInShape, let stride = integerStride(frame.pointee.format) {
            reserve(count)
            for channel in 0..<channelCount { cutIntegers(data, channel, stride: stride, count: count) }
            return count
        }
        if isInShape, frame.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue {
            reserve(count)
            for channel in 0..<channelCount {
                data[channel]?.withMemoryRebound(to: Float.self, capacity: count) { source in
                    channels[channel].update(from: source, count: count)
                }
            }
            return count
        }
        try prepare(for: frame)
        let part = part ?? 0..<count
        guard !part.isEmpty else { return 0 }
        let most = swr_get_out_samples(resampler, Int32(part.count))
        // From a rate of 1 Hz, one frame would become gigabytes.
        guard 0...mostFrames ~= Int(most) else {
            throw SyrinxError(.corrupt, "Its sound changes to a rate that cannot be converted.", name: name)
        }
        reserve(Int(most))
        var planes = (0..<planeCount(frame)).map {
            data[$0].map { UnsafePointer($0 + part.lowerBound * stride(frame)) }
        }
        let made = try make(capacity, from: &planes, count: part.count)
        inputCount += Int64(part.count)
        outputCount += Int64(made)
        return made
    }

    private func make(
        _ most: Int,
        from source: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
        count: Int
    ) throws(SyrinxError) -> Int {
        try channels.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: channelCount) {
            (output) throws(SyrinxError) -> Int in
            let made = swr_convert(resampler, output, Int32(most), source, Int32(count))
            guard made >= 0 else { throw SyrinxError(.corrupt, "Its sound cannot be converted.", name: name) }
            return Int(made)
        }
    }

    private func planeCount(_ frame: UnsafeMutablePointer<AVFrame>) -> Int {
        let isPlanar = av_sample_fmt_is_planar(AVSampleFormat(rawValue: frame.pointee.format)) != 0
        return isPlanar ? Int(frame.pointee.ch_layout.nb_channels) : 1
    }

    /// Returns the distance between samples of a plane, in bytes.
    private func stride(_ frame: UnsafeMutablePointer<AVFrame>) -> Int {
        let size = Int(av_get_bytes_per_sample(AVSampleFormat(rawValue: frame.pointee.format)))
        return planeCount(frame) > 1 ? size : size * Int(frame.pointee.ch_layout.nb_channels)
    }

    // MARK: Another rate

    func changesRate(of frame: UnsafeMutablePointer<AVFrame>) -> Bool { frame.pointee.sample_rate != sampleRate }

    /// Whether the resampler still holds audio in another format, which precedes `frame`.
    func holdsSound(before frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        guard let input, heldCount > 0 else { return false }
        return input != form(of: frame)
    }

    private func form(of frame: UnsafeMutablePointer<AVFrame>) -> (format: Int32, rate: Int32, channels: Int32) {
        (frame.pointee.format, frame.pointee.sample_rate, frame.pointee.ch_layout.nb_channels)
    }

    /// The number of output frames that the resampler still holds.
    var heldCount: Int64 {
        guard let input, input.rate > 0 else { return 0 }
        let all = Int64(clamped: (Double(inputCount) * Double(sampleRate) / Double(input.rate)).rounded())
        return all.subtractingClamped(outputCount)
    }

    /// Moves the resampler's remaining output into `channels`, and returns the number of samples per channel.
    func drain() throws(SyrinxError) -> Int {
        let count = Int(min(max(heldCount, 0), Int64(mostFrames)))
        guard count > 0 else { return 0 }
        reserve(count)
        let made = try make(count, from: nil, count: 0)
        // libswresample returns one frame too few if the ratio leaves a fraction.
        for channel in 0..<channelCount { (channels[channel] + made).update(repeating: 0, count: count - made) }
        reset()
        return count
    }

    /// Returns the number of frames to skip at `position` so that an input frame coincides with an output frame.
    ///
    /// Then the output is the same wherever resampling starts.
    func misalignment(of position: Int64, _ frame: UnsafeMutablePointer<AVFrame>) -> Int {
        guard inputCount == 0, frame.pointee.sample_rate > 0 else { return 0 }
        let unit = Int64.alignment(from: Int64(frame.pointee.sample_rate), to: Int64(sampleRate))
        let past = position % unit
        return Int(past > 0 ? unit - past : -past)
    }

    /// Returns the number of output frames per input frame.
    func scale(of frame: UnsafeMutablePointer<AVFrame>) -> Double {
        frame.pointee.sample_rate > 0 ? Double(sampleRate) / Double(frame.pointee.sample_rate) : 1
    }

    /// Returns the distance between a channel's 32-bit integers, in samples; `nil` for other sample formats.
    private func integerStride(_ format: Int32) -> Int? {
        switch format {
        case AV_SAMPLE_FMT_S32.rawValue: channelCount
        case AV_SAMPLE_FMT_S32P.rawValue: 1
        default: nil
        }
    }

    /// Converts integers without their lowest 8 bits, so that floats represent them exactly.
    private func cutIntegers(
        _ data: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        _ channel: Int,
        stride: Int,
        count: Int
    ) {
        guard let plane = data[stride == 1 ? channel : 0] else { return }
        let source = UnsafeRawPointer(plane).advanced(by: stride == 1 ? 0 : channel * 4)
        let target = channels[channel]
        for frame in 0..<count {
            let sample = source.load(fromByteOffset: frame * stride * 4, as: Int32.self)
            target[frame] = Float(sample & ~0xFF) * 0x1p-31
        }
    }

    private func prepare(for frame: UnsafeMutablePointer<AVFrame>) throws(SyrinxError) {
        let wanted = form(of: frame)
        if let input, input == wanted { return }
        reset()
        // With the same number of channels, their order is kept, even if the two layouts differ.
        let isSame = wanted.channels == layout.nb_channels
        let status = withUnsafeMutablePointer(to: &layout) { own in
            withUnsafeMutablePointer(to: &frame.pointee.ch_layout) { theirs in
                swr_alloc_set_opts2(
                    &resampler,
                    own,
                    AV_SAMPLE_FMT_FLTP,
                    sampleRate,
                    isSame ? own : theirs,
                    AVSampleFormat(rawValue: wanted.format),
                    wanted.rate,
                    0,
                    nil
                )
            }
        }
        guard status >= 0, swr_init(resampler) >= 0 else {
            throw SyrinxError(.corrupt, "Its sound changes to a form that cannot be converted.", name: name)
        }
        input = wanted
    }

    private func reserve(_ count: Int) {
        guard count > capacity else { return }
        storage.deallocate()
        capacity = count
        storage = .allocate(capacity: count * channelCount)
        for channel in 0..<channelCount { channels[channel] = storage + channel * count }
    }
}

extension Int64 {
    /// Returns the interval, in frames of this rate, at which frames of both rates coincide.
    static func alignment(from rate: Int64, to other: Int64) -> Int64 {
        var (divisor, rest) = (rate, other)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        return divisor > 0 ? rate / divisor : 1
    }
}
