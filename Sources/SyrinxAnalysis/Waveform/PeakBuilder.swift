import SyrinxByteStream

/// Builds a waveform from samples that arrive in buffers of any length; the result does not depend on their lengths.
///
/// A value; use it on one thread at a time.
///
/// ```swift
/// var builder = PeakBuilder(
///     PeakBuilder.Settings(sampleRate: 48_000, channelCount: 2, samplesPerPixel: 512)
/// )
/// builder.append(buffer.floatChannelData!, frameCount: Int(buffer.frameLength))
/// builder.finish()
/// try builder.waveform.datFile().write(to: URL(fileURLWithPath: "song.dat"))
/// ```
public struct PeakBuilder: Sendable {
    /// The settings of a waveform.
    public struct Settings: Sendable, Equatable {
        /// The sample rate in hertz.
        public var sampleRate: Int
        /// The number of channels of the appended samples.
        public var channelCount: Int
        /// The number of frames in a block, at least 1.
        public var samplesPerPixel: Int
        /// Whether all channels are mixed into one, as their mean.
        public var mixesChannels: Bool
        /// The conversion of samples to integers.
        public var rounding: SampleRounding
        /// Whether the root mean square of each block is measured.
        public var measuresRMS: Bool

        /// Creates settings; by default, channels are mixed and root mean squares are measured.
        public init(
            sampleRate: Int,
            channelCount: Int,
            samplesPerPixel: Int,
            mixesChannels: Bool = true,
            rounding: SampleRounding = .nearest,
            measuresRMS: Bool = true
        ) {
            self.sampleRate = sampleRate
            self.channelCount = channelCount
            self.samplesPerPixel = samplesPerPixel
            self.mixesChannels = mixesChannels
            self.rounding = rounding
            self.measuresRMS = measuresRMS
        }
    }

    private struct Running: Sendable {
        var low = Float.infinity
        var high = -Float.infinity
        var energy = 0.0
    }

    /// The settings of the waveform.
    public let settings: Settings
    /// The complete blocks.
    public private(set) var waveform: PeakWaveform

    private var running: [Running]
    private var filled = 0
    private var sum: [Float]
    private static let step = 4096

    /// The number of frames in the incomplete block.
    public var pendingFrameCount: Int { filled }

    /// Creates a builder without samples.
    public init(_ settings: Settings) {
        precondition(settings.channelCount > 0 && settings.samplesPerPixel > 0, "a waveform has channels and blocks")
        self.settings = settings
        let channels = settings.mixesChannels ? 1 : settings.channelCount
        waveform = PeakWaveform(
            sampleRate: settings.sampleRate,
            samplesPerPixel: settings.samplesPerPixel,
            channelCount: channels
        )
        running = Array(repeating: Running(), count: channels)
        sum = settings.mixesChannels && settings.channelCount > 1 ? Array(repeating: 0, count: Self.step) : []
    }

    /// Adds samples, one pointer for each channel.
    public mutating func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        var done = 0
        while done < frameCount {
            let count = min(settings.samplesPerPixel - filled, frameCount - done, Self.step)
            if sum.isEmpty { take(channels, done, count) } else { takeMixed(channels, done, count) }
            filled += count
            done += count
            if filled == settings.samplesPerPixel { closeBlock() }
        }
    }

    /// Adds samples, one array for each channel.
    public mutating func append(_ channels: [[Float]]) {
        precondition(channels.count == settings.channelCount, "there is one array for each channel")
        let frameCount = channels.map(\.count).min() ?? 0
        let storage = UnsafeMutablePointer<Float>.allocate(capacity: max(frameCount * channels.count, 1))
        defer { storage.deallocate() }
        var pointers: [UnsafeMutablePointer<Float>] = []
        for (index, samples) in channels.enumerated() {
            let start = storage + index * frameCount
            for frame in 0..<frameCount { (start + frame).initialize(to: samples[frame]) }
            pointers.append(start)
        }
        pointers.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { append(base, frameCount: frameCount) }
        }
    }

    /// Ends the recording: the last, incomplete block becomes a block.
    public mutating func finish() {
        if filled > 0 { closeBlock() }
    }

    /// Discards the incomplete block, because the next samples do not continue it.
    public mutating func dropPending() {
        filled = 0
        for index in running.indices { running[index] = Running() }
    }

    /// Returns the complete blocks and removes them from the builder.
    public mutating func takeBlocks() -> PeakWaveform {
        let taken = waveform
        waveform.values = []
        waveform.rms = []
        return taken
    }

    private mutating func take(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ start: Int, _ count: Int) {
        for channel in running.indices {
            let extent = PeakKernel.scan(channels[channel] + start, count: count, measuresEnergy: settings.measuresRMS)
            note(extent, in: channel)
        }
    }

    private mutating func takeMixed(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ start: Int, _ count: Int)
    {
        let extent = sum.withUnsafeMutableBufferPointer { buffer -> PeakKernel.Extent in
            guard let target = buffer.baseAddress else { return PeakKernel.Extent() }
            for channel in 0..<settings.channelCount {
                PeakKernel.addRounded(
                    channels[channel] + start,
                    to: target,
                    count: count,
                    rounding: settings.rounding,
                    isFirst: channel == 0
                )
            }
            return PeakKernel.scan(target, count: count, measuresEnergy: settings.measuresRMS)
        }
        note(extent, in: 0)
    }

    private mutating func note(_ extent: PeakKernel.Extent, in channel: Int) {
        if extent.low < running[channel].low { running[channel].low = extent.low }
        if extent.high > running[channel].high { running[channel].high = extent.high }
        running[channel].energy += Double(extent.energy)
    }

    private mutating func closeBlock() {
        let parts = Float(settings.channelCount)
        for channel in running.indices {
            let now = running[channel]
            // A block that contains only NaN is silent.
            let low = now.low <= now.high ? now.low : 0
            let high = now.low <= now.high ? now.high : 0
            if sum.isEmpty {
                waveform.values.append(Int16(settings.rounding.value(low)))
                waveform.values.append(Int16(settings.rounding.value(high)))
            } else {
                // Bounded: means of 16-bit samples.
                waveform.values.append(Int16((low / parts).rounded(.towardZero)))
                // Bounded: as above.
                waveform.values.append(Int16((high / parts).rounded(.towardZero)))
            }
            if settings.measuresRMS {
                let scale = sum.isEmpty ? 1 : 1 / Double(settings.rounding.fullScale * parts)
                let mean = (now.energy / Double(filled)).squareRoot() * scale
                waveform.rms.append(mean.isFinite ? Float(min(mean, 1)) : 1)
            }
            running[channel] = Running()
        }
        filled = 0
    }
}
