import SyrinxByteStream

/// A waveform at several zooms, so that any part of it is drawn from a few thousand points.
///
/// It may have holes: what has not arrived is not known, and says so. The finest zoom is the one that it is fed; each
/// further one has a quarter of the points. A value; copies share memory until one of them changes.
public struct WaveformPyramid: Sendable, Equatable {
    /// One column of a drawing.
    public struct Column: Sendable, Equatable {
        /// The least sample, −32 768 … 32 767; 0 where nothing is known.
        public var minimum: Int16
        /// The greatest sample.
        public var maximum: Int16
        /// The root mean square, 0 … 1; 0 where it was not measured.
        public var rms: Float
        /// Whether any of it has arrived.
        public var isKnown: Bool
    }

    /// Blocks of a level in one of the next.
    private static let factor = 4

    /// The levels, the finest first.
    private(set) var levels: [PeakWaveform]
    /// The frames that have arrived, in order and apart from each other.
    public private(set) var knownRanges: [Range<Int64>] = []

    /// Frames per second.
    public var sampleRate: Int { levels[0].sampleRate }
    /// The channels of the waveform.
    public var channelCount: Int { levels[0].channelCount }
    /// Frames in a block of the finest zoom.
    public var samplesPerPixel: Int { levels[0].samplesPerPixel }
    /// The frames up to the end of the last block that has arrived.
    public private(set) var frameCount: Int64 = 0

    /// A pyramid that knows nothing yet.
    public init(sampleRate: Int, samplesPerPixel: Int, channelCount: Int) {
        levels = [PeakWaveform(sampleRate: sampleRate, samplesPerPixel: samplesPerPixel, channelCount: channelCount)]
    }

    /// A pyramid over a whole waveform.
    public init(_ waveform: PeakWaveform) {
        self.init(
            sampleRate: waveform.sampleRate,
            samplesPerPixel: waveform.samplesPerPixel,
            channelCount: waveform.channelCount
        )
        insert(waveform, at: 0)
    }

    /// The whole of the finest zoom; blocks that are not known are empty, their minimum above their maximum.
    public var finest: PeakWaveform { levels[0] }

    /// Puts blocks in their place, the first of them at block `index`, over what was there.
    /// - Parameters:
    ///   - blocks: The blocks to insert.
    ///   - index: The number of the first block.
    ///   - lastFrameCount: The frames of the last block, if it ends the recording early.
    /// - Precondition: They have the zoom and the channels of this pyramid.
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

    /// The columns of a drawing: `width` of them for each channel, which together cover the frames of `range`.
    ///
    /// Each is made of at most five points of the zoom that suits, so it may show up to one such point of its neighbours.
    /// Where a block of the finest zoom is wider than a column, it is repeated.
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

    /// The waveform at any zoom that is not finer than the finest; see `PeakWaveform.rescaled(to:)`.
    ///
    /// It is made of the coarsest level of which the zoom is a multiple, which gives the same as the finest would.
    /// - Throws: `.zoomTooFine`.
    public func waveform(samplesPerPixel: Int) throws(AnalysisError) -> PeakWaveform {
        let level = levels.last { samplesPerPixel % $0.samplesPerPixel == 0 } ?? levels[0]
        return try level.rescaled(to: samplesPerPixel)
    }
}
