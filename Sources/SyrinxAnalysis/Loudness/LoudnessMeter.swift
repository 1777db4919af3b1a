public import AVFAudio
internal import Foundation
internal import SyrinxDSP

/// Measures the loudness of samples, live or from a file: momentary, short-term and integrated loudness, loudness
/// range, and peaks.
///
/// The result does not depend on the lengths of the buffers. Memory does not grow with time. A value; use it on one
/// thread at a time.
///
/// ```swift
/// let file = try AVAudioFile(forReading: url)
/// let format = file.processingFormat
/// var meter = LoudnessMeter(sampleRate: format.sampleRate, channelCount: Int(format.channelCount))
/// let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 65_536)!
/// while file.framePosition < file.length {
///     try file.read(into: buffer)
///     meter.append(buffer)
/// }
/// let report = meter.report
/// print(report.integrated ?? -.infinity, "LUFS,", report.truePeak ?? -.infinity, "dBTP")
/// ```
public struct LoudnessMeter: Sendable {
    /// Optional measurements, each of which takes time.
    public struct Options: OptionSet, Sendable {
        /// The option bits.
        public let rawValue: Int

        /// Creates options from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The true peak, and the sample peak.
        public static let peaks = Options(rawValue: 1)
        /// The root mean square of all samples.
        public static let rms = Options(rawValue: 2)
        /// All optional measurements.
        public static let all: Options = [.peaks, .rms]
    }

    /// The sample rate in hertz.
    public let sampleRate: Double
    /// The number of channels of the appended samples.
    public var channelCount: Int { weights.count }

    private let options: Options
    private let weights: [Double]
    private var filters: [KWeighting]
    private var peaks: [TruePeakKernel]
    private var squares = 0.0
    private var frameCount: Int64 = 0

    // Energies of steps of 10 ms, so that no 400 ms of audio fall between two windows.
    private static let stepsPerSecond = 100
    private static let momentarySteps = 40
    private static let shortTermSteps = 300
    private static let stepsPerBlock = 10
    private var steps = [Double](repeating: 0, count: shortTermSteps)
    private var stepCount: Int64 = 0
    private var stepEnergy = 0.0
    private var stepFilled = 0
    private var stepLength: Int

    private var blocks = LoudnessHistogram()
    private var shortTerms = LoudnessHistogram()
    private var momentaryEnergy: Double?
    private var shortTermEnergy: Double?
    private var momentaryPeak = 0.0
    private var shortTermPeak = 0.0

    /// Creates a meter with a sample rate in hertz and a weight for each channel.
    /// - Precondition: The sample rate is at least 100 Hz, and there is at least one channel.
    public init(sampleRate: Double, weights: ChannelWeights, options: Options = .all) {
        precondition(sampleRate >= 100 && !weights.values.isEmpty, "loudness needs a rate and channels")
        self.sampleRate = sampleRate
        self.weights = weights.values
        self.options = options
        let pairs = (weights.values.count + 1) / 2
        filters = Array(repeating: KWeighting(sampleRate: sampleRate), count: pairs)
        peaks = options.contains(.peaks) ? Array(repeating: TruePeakKernel(), count: weights.values.count) : []
        stepLength = Self.stepEnd(0, sampleRate)
    }

    /// Creates a meter with a sample rate in hertz and the usual layout for the number of channels.
    public init(sampleRate: Double, channelCount: Int, options: Options = .all) {
        let weights = ChannelWeights(layout: "", channelCount: channelCount)
        self.init(sampleRate: sampleRate, weights: weights, options: options)
    }

    /// Returns the frame at the end of a step.
    ///
    /// If the sample rate is not a multiple of 100, steps have two lengths.
    private static func stepEnd(_ step: Int64, _ sampleRate: Double) -> Int {
        Int(Double(step + 1) * sampleRate / Double(stepsPerSecond))
    }

    // MARK: Adding samples

    /// Adds samples, one pointer for each channel.
    public mutating func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        for channel in peaks.indices { peaks[channel].append(channels[channel], count: frameCount) }
        if options.contains(.rms) {
            for channel in weights.indices { squares += Self.sumOfSquares(channels[channel], frameCount) }
        }
        var done = 0
        while done < frameCount {
            let count = min(stepLength - stepFilled, frameCount - done)
            for pair in filters.indices {
                let left = 2 * pair
                let right = left + 1 < weights.count ? UnsafePointer(channels[left + 1] + done) : nil
                let energy = filters[pair].energy(channels[left] + done, right, count: count)
                stepEnergy += energy.x * weights[left] + (right == nil ? 0 : energy.y * weights[left + 1])
            }
            stepFilled += count
            done += count
            if stepFilled == stepLength { closeStep() }
        }
        self.frameCount += Int64(frameCount)
    }

    /// Adds the samples of a buffer of 32-bit floats; buffers of another format or with fewer channels are ignored.
    public mutating func append(_ buffer: AVAudioPCMBuffer) {
        SampleView.read(buffer, channelCount: channelCount) { append($0, frameCount: $1) }
    }

    private static func sumOfSquares(_ samples: UnsafePointer<Float>, _ count: Int) -> Double {
        var sum = 0.0
        var done = 0
        while done < count {
            let now = min(count - done, 1024)
            let energy = PeakKernel.scan(samples + done, count: now, measuresEnergy: true).energy
            if energy.isFinite { sum += Double(energy) }
            done += now
        }
        return sum
    }

    private mutating func closeStep() {
        let energy = stepEnergy / Double(stepLength)
        steps[Int(stepCount % Int64(Self.shortTermSteps))] = energy.isFinite ? energy : 0
        stepCount += 1
        stepEnergy = 0
        stepFilled = 0
        stepLength = Self.stepEnd(stepCount, sampleRate) - Self.stepEnd(stepCount - 1, sampleRate)
        let isBlockEnd = stepCount % Int64(Self.stepsPerBlock) == 0
        if stepCount >= Int64(Self.momentarySteps) {
            let energy = mean(ofLast: Self.momentarySteps)
            momentaryEnergy = energy
            momentaryPeak = max(momentaryPeak, energy)
            if isBlockEnd { blocks.add(energy) }
        }
        if stepCount >= Int64(Self.shortTermSteps) {
            let energy = mean(ofLast: Self.shortTermSteps)
            shortTermEnergy = energy
            shortTermPeak = max(shortTermPeak, energy)
            if isBlockEnd { shortTerms.add(energy) }
        }
    }

    private func mean(ofLast count: Int) -> Double {
        let size = Int64(Self.shortTermSteps)
        var sum = 0.0
        for step in 1...count { sum += steps[Int((stepCount - Int64(step)) % size)] }
        return sum / Double(count)
    }

    // MARK: Results

    /// The momentary loudness, of the last 400 ms, in LUFS; −∞ for silence, `nil` before 400 ms were added.
    public var momentary: Double? { momentaryEnergy.map(LoudnessHistogram.loudness) }

    /// The short-term loudness, of the last 3 s, in LUFS; −∞ for silence, `nil` before 3 s were added.
    public var shortTerm: Double? { shortTermEnergy.map(LoudnessHistogram.loudness) }

    /// The measurements of all samples so far.
    public var report: LoudnessReport { Self.report(of: [self]) }

    /// Returns the report of several recordings as one album: the gate applies to all of them, and the peaks are the
    /// highest of any.
    ///
    /// ```swift
    /// let album = LoudnessMeter.report(of: meters) // one for each recording
    /// print("album gain:", album.replayGain ?? 0, "dB")
    /// ```
    public static func report(of meters: [LoudnessMeter]) -> LoudnessReport {
        var blocks = LoudnessHistogram()
        var shortTerms = LoudnessHistogram()
        for meter in meters {
            blocks.merge(meter.blocks)
            shortTerms.merge(meter.shortTerms)
        }
        let samples = meters.reduce(0.0) { $0 + Double($1.frameCount) * Double($1.channelCount) }
        let squares = meters.reduce(0.0) { $0 + $1.squares }
        let peaks = meters.flatMap(\.peaks)
        return LoudnessReport(
            integrated: blocks.integrated,
            range: shortTerms.range,
            momentaryMax: finite(LoudnessHistogram.loudness(meters.map(\.momentaryPeak).max() ?? 0)),
            shortTermMax: finite(LoudnessHistogram.loudness(meters.map(\.shortTermPeak).max() ?? 0)),
            truePeak: finite(20 * log10(Double(peaks.map(\.peak).max() ?? 0))),
            samplePeak: finite(20 * log10(Double(peaks.map(\.samplePeak).max() ?? 0))),
            rms: samples > 0 ? finite(10 * log10(squares / samples)) : nil
        )
    }

    private static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }
}
