import SyrinxByteStream

/// A waveform at several zooms, so that any part can be drawn from a few thousand points.
///
/// It may have gaps for parts that have not arrived. The finest zoom is that of the inserted blocks; each further level
/// has a quarter of the points. A value; copies share memory until one of them is changed.
///
/// ```swift
/// let pyramid = WaveformPyramid(waveform)
/// for column in pyramid.columns(in: 0..<pyramid.frameCount, width: 800)[0] where column.isKnown {
///     print(column.minimum, column.maximum)
/// }
/// ```
public struct WaveformPyramid: Sendable, Equatable {
    /// A column of a drawing.
    public struct Column: Sendable, Equatable {
        /// The minimum sample, −32 768…32 767; 0 in unknown parts.
        public var minimum: Int16
        /// The maximum sample, −32 768…32 767; 0 in unknown parts.
        public var maximum: Int16
        /// The root mean square, 0…1; 0 if it was not measured.
        public var rms: Float
        /// Whether any part of the column has arrived.
        public var isKnown: Bool
    }

    /// The number of blocks that are combined into a block of the next level.
    private static let factor = 4

    /// The levels, the finest first.
    private(set) var levels: [PeakWaveform]
    /// The frames that have arrived, as ascending disjoint ranges.
    public private(set) var knownRanges: [Range<Int64>] = []

    /// The sample rate in hertz.
    public var sampleRate: Int { levels[0].sampleRate }
    /// The number of channels.
    public var channelCount: Int { levels[0].channelCount }
    /// The number of frames in a block of the finest level.
    public var samplesPerPixel: Int { levels[0].samplesPerPixel }
    /// The end of the last block that has arrived, in frames.
    public private(set) var frameCount: Int64 = 0

    /// Creates an empty pyramid.
    public init(sampleRate: Int, samplesPerPixel: Int, channelCount: Int) {
        levels = [PeakWaveform(sampleRate: sampleRate, samplesPerPixel: samplesPerPixel, channelCount: channelCount)]
    }

    /// Creates a pyramid from a complete waveform.
    public init(_ waveform: PeakWaveform) {
        self.init(
            sampleRate: waveform.sampleRate,
            samplesPerPixel: waveform.samplesPerPixel,
            channelCount: waveform.channelCount
        )
        insert(waveform, at: 0)
    }

    /// The finest level; unknown blocks have a minimum above their maximum.
    public var finest: PeakWaveform { levels[0] }

    /// Inserts blocks at the block index `index`, and overwrites existing ones.
    /// - Parameters:
    ///   - blocks: The blocks to insert.
    ///   - index: The index of the first block.
    ///   - lastFrameCount: The number of frames of the last block, if it is the incomplete last block of the recording.
    /// - Precondition: The blocks have the zoom and the channels of this pyramid.
    public mutating func insert(_ blocks: PeakWaveform, at index: Int, lastFrameCount: Int? = nil) {
        precondition(
            blocks.samplesPerPixel == samplesPerPixel && blocks.channelCount == channelCount,
            "blocks have the zoom and the channels of their pyramid"
        )
        guard blocks.count > 0, index >= 0, let end = index.addingChecked(blocks.count) else { return }
        levels[0].reserve(end)
        levels[0].replace(from: index, with: blocks)
        updateLevels(index..<end)
        let width = Int64(samplesPerPixel)
        let lastStart = Int64(end - 1).multipliedClamped(by: width)
        let lastFrames = min(max(lastFrameCount.map { Int64($0) } ?? width, 0), width)
        let stop = lastStart.addingClamped(lastFrames)
        frameCount = max(frameCount, stop)
        note(Int64(index).multipliedClamped(by: width)..<stop)
    }

    private mutating func updateLevels(_ range: Range<Int>) {
        var changed = range
        var level = 0
        while levels[level].count > Self.factor {
            let finer = levels[level]
            if level + 1 == levels.count {
                levels.append(
                    PeakWaveform(
                        sampleRate: sampleRate,
                        samplesPerPixel: finer.samplesPerPixel.multipliedClamped(by: Self.factor),
                        channelCount: channelCount
                    )
                )
                changed = 0..<finer.count
            }
            changed = changed.lowerBound / Self.factor..<(changed.upperBound + Self.factor - 1) / Self.factor
            levels[level + 1].reserve(changed.upperBound)
            for index in changed {
                let span = index * Self.factor..<min((index + 1) * Self.factor, finer.count)
                levels[level + 1].setMerged(finer, span, at: index)
            }
            level += 1
        }
    }

    private mutating func note(_ range: Range<Int64>) {
        var merged = range
        var kept: [Range<Int64>] = []
        for known in knownRanges {
            if known.upperBound < merged.lowerBound || known.lowerBound > merged.upperBound {
                kept.append(known)
            } else {
                merged = min(known.lowerBound, merged.lowerBound)..<max(known.upperBound, merged.upperBound)
            }
        }
        kept.append(merged)
        knownRanges = kept.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Returns the columns of a drawing of the frames in `range`: `width` columns for each channel.
    ///
    /// Each column combines at most five points of a suitable level, so it may include one point of its neighbors. If
    /// blocks of the finest level are wider than a column, they are repeated.
    public func columns(in range: Range<Int64>, width: Int) -> [[Column]] {
        guard width > 0, !range.isEmpty else { return Array(repeating: [], count: channelCount) }
        let perColumn = Double(range.count) / Double(width)
        let level = levels.last { Double($0.samplesPerPixel) <= perColumn } ?? levels[0]
        let blocksPerFrame = 1 / Double(level.samplesPerPixel)
        return (0..<channelCount).map { channel in
            (0..<width).map { column in
                let first = (Double(range.lowerBound) + Double(column) * perColumn) * blocksPerFrame
                let last = (Double(range.lowerBound) + Double(column + 1) * perColumn) * blocksPerFrame
                let start = max(Int(first), 0)
                let stop = min(max(Int(clamped: last.rounded(.up)), start + 1), level.count)
                guard start < stop else { return Column(minimum: 0, maximum: 0, rms: 0, isKnown: false) }
                let both = level.merged(start..<stop, channel: channel)
                guard both.low <= both.high else { return Column(minimum: 0, maximum: 0, rms: 0, isKnown: false) }
                return Column(minimum: both.low, maximum: both.high, rms: both.rms, isKnown: true)
            }
        }
    }

    /// Returns the waveform at any zoom that is not finer than the finest level; see `PeakWaveform.rescaled(to:)`.
    ///
    /// The result is computed from the coarsest suitable level, and equals that of the finest level.
    /// - Throws: `.zoomTooFine`.
    public func waveform(samplesPerPixel: Int) throws(AnalysisError) -> PeakWaveform {
        let level = levels.last { samplesPerPixel % $0.samplesPerPixel == 0 } ?? levels[0]
        return try level.rescaled(to: samplesPerPixel)
    }
}
