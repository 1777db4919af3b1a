internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Brings decoded frames to float, one buffer a channel, at the rate and in the channels that the recording began with.
final class FrameConverter {
    private(set) var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Samples of all channels that one may become: minutes of them.
    private static let mostSamples = 1 << 24
    private var mostFrames: Int { Self.mostSamples / max(channelCount, 1) }

    private let channelCount: Int
    private let sampleRate: Int32
    private var layout = AVChannelLayout()
    private let name: String
    /// Whether integers of more than 24 bits are cut to what a float holds, and not rounded to the nearest.
    private let roundsIntegersDown: Bool
    private var storage: UnsafeMutablePointer<Float>
    private var capacity: Int
    private var resampler: OpaquePointer?
    /// The format that the resampler takes.
    private var input: (format: Int32, rate: Int32, channels: Int32)?
    /// Frames that the resampler has taken and made.
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

    /// Converts a frame into `channels`, and returns how many samples a channel there are.
    /// - Parameter part: What of it is to be converted, where `changesRate` says that its rate changes.
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
        // From a rate of a hertz a frame becomes gigabytes.
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

    /// Bytes from a sample of a plane to the next.
    private func stride(_ frame: UnsafeMutablePointer<AVFrame>) -> Int {
        let size = Int(av_get_bytes_per_sample(AVSampleFormat(rawValue: frame.pointee.format)))
        return planeCount(frame) > 1 ? size : size * Int(frame.pointee.ch_layout.nb_channels)
    }

    // MARK: Another rate

    func changesRate(of frame: UnsafeMutablePointer<AVFrame>) -> Bool { frame.pointee.sample_rate != sampleRate }

    /// Whether the resampler still holds some of sound of another form, which is heard before `frame`.
    func holdsSound(before frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        guard let input, heldCount > 0 else { return false }
        return input != form(of: frame)
    }

    private func form(of frame: UnsafeMutablePointer<AVFrame>) -> (format: Int32, rate: Int32, channels: Int32) {
        (frame.pointee.format, frame.pointee.sample_rate, frame.pointee.ch_layout.nb_channels)
    }

    /// Frames that the resampler is still to make of what it has taken.
    var heldCount: Int64 {
        guard let input, input.rate > 0 else { return 0 }
        let all = Int64(clamped: (Double(inputCount) * Double(sampleRate) / Double(input.rate)).rounded())
        return all.subtractingClamped(outputCount)
    }

    /// Takes what the resampler holds at the end of a recording into `channels`, and returns how many samples a channel it is.
    func drain() throws(SyrinxError) -> Int {
        let count = Int(min(max(heldCount, 0), Int64(mostFrames)))
        guard count > 0 else { return 0 }
        reserve(count)
        let made = try make(count, from: nil, count: 0)
        // The resampler ends a frame early where the ratio leaves a fraction.
        for channel in 0..<channelCount { (channels[channel] + made).update(repeating: 0, count: count - made) }
        reset()
        return count
    }

    /// Frames to leave out at `position`, so that the resampler begins where one of the frames that it makes lies exactly.
    ///
    /// Then it makes the same ones wherever it begins.
    func misalignment(of position: Int64, _ frame: UnsafeMutablePointer<AVFrame>) -> Int {
        guard inputCount == 0, frame.pointee.sample_rate > 0 else { return 0 }
        let unit = Int64.alignment(from: Int64(frame.pointee.sample_rate), to: Int64(sampleRate))
        let past = position % unit
        return Int(past > 0 ? unit - past : -past)
    }

    /// Frames given out for one of `frame`.
    func scale(of frame: UnsafeMutablePointer<AVFrame>) -> Double {
        frame.pointee.sample_rate > 0 ? Double(sampleRate) / Double(frame.pointee.sample_rate) : 1
    }

    /// Returns the distance of a channel's 32-bit integers; `nil` for samples of other forms.
    private func integerStride(_ format: Int32) -> Int? {
        switch format {
        case AV_SAMPLE_FMT_S32.rawValue: channelCount
        case AV_SAMPLE_FMT_S32P.rawValue: 1
        default: nil
        }
    }

    /// Without their lowest 8 bits, integers are exact in a float.
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
        // The same channels keep their order, whatever each of the two calls it.
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
    /// Every so many frames of one rate there is one of another at the same time.
    static func alignment(from rate: Int64, to other: Int64) -> Int64 {
        var (divisor, rest) = (rate, other)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        return divisor > 0 ? rate / divisor : 1
    }
}
