/// Computes the bars of the visible part of a waveform, as rectangles.
///
/// The columns of one zoom are cached in groups, counted from the start of the recording. Therefore a bar looks the
/// same wherever the view starts. A renderer can compare the rectangles, and redraw only those that have changed.
public struct WaveformBars: Sendable {
    /// The part of a bar that a rectangle represents.
    public enum Part: Sendable, Hashable {
        /// The whole bar, up to the peak.
        case peak
        /// The root mean square, drawn over the peak.
        case loudness
        /// The line for audio that is not available yet.
        case missing
    }

    /// A rectangle of one color, in logical pixels.
    public struct Rectangle: Sendable, Equatable {
        /// The distance from the left edge of the view; negative if the bar starts before it.
        public var x: Double
        /// The distance from the top edge.
        public var y: Double
        /// The width, greater than 0.
        public var width: Double
        /// The height, greater than 0.
        public var height: Double
        /// The part of a bar.
        public var part: Part
        /// Whether it precedes the playhead.
        public var isPlayed: Bool
    }

    private struct Group: Sendable {
        var bins: [WaveformBin]
        var frames: Range<Int64>
    }

    /// The properties that determine the columns of a group.
    private struct Key: Sendable, Equatable {
        var secondsPerColumn: Double
        var pitch: Int
        var sampleRate: Double
    }

    /// The number of bars per group.
    static let groupCount = 64
    /// The maximum height of a view, in device pixels.
    public static let maximumHeight = 4096

    private var key: Key?
    private var groups: [Int: Group] = [:]

    /// Creates an empty cache.
    public init() {}

    /// The number of cached groups, at most those of the view and as many on each side.
    var keptGroupCount: Int { groups.count }

    /// Removes all columns, before another recording is displayed.
    public mutating func removeAll() { groups = [:] }

    /// Called when frames have become available or have changed, so that their columns are computed again.
    /// - Parameter frames: The frames, including all of the last waveform block, which may contain more than has
    ///   arrived.
    public mutating func invalidate(_ frames: Range<Int64>) {
        guard !frames.isEmpty else { return }
        for (index, group) in groups where group.frames.overlaps(frames) { groups[index] = nil }
    }

    /// Returns the bars of a view, from left to right.
    /// - Parameters:
    ///   - viewport: The visible part of the recording.
    ///   - height: The height of the view in pixels, 1…4096.
    ///   - scale: The number of device pixels per pixel, 1…8.
    ///   - playhead: The position up to which bars are marked as played; `nil` for none.
    ///   - shape: The shape of the bars.
    ///   - gain: The factor for all samples.
    ///   - source: The waveform.
    public mutating func rectangles(
        viewport: WaveformViewport,
        height: Double,
        scale: Int,
        playhead: Double?,
        shape: WaveformStyle.Shape,
        gain: Float,
        source: WaveformSource
    ) -> [Rectangle] {
        let layout = Layout(viewport, height: height, scale: scale, shape: shape, sampleRate: source.sampleRate)
        let key = Key(
            secondsPerColumn: layout.secondsPerColumn,
            pitch: layout.pitch,
            sampleRate: layout.sampleRate
        )
        if key != self.key { (self.key, groups) = (key, [:]) }
        let shown = layout.bars
        let range = shown.lowerBound / Self.groupCount...max(shown.upperBound - 1, shown.lowerBound) / Self.groupCount
        var list = RectangleList(layout, gain: gain, split: playhead.map { layout.column(at: $0) })
        list.rectangles.reserveCapacity(2 * shown.count + 2)
        for index in range {
            let bins = bins(ofGroup: index, layout, source)
            let first = index * Self.groupCount
            for bar in (first..<first + Self.groupCount).clamped(to: shown) {
                let offset = bar - first
                list.add(offset < bins.count ? bins[offset] : .unknown, atColumn: bar * layout.pitch - layout.origin)
            }
        }
        if groups.count > 3 * range.count {
            let kept = range.lowerBound - range.count...range.upperBound + range.count
            groups = groups.filter { kept.contains($0.key) }
        }
        return list.rectangles
    }

    private mutating func bins(ofGroup index: Int, _ layout: Layout, _ source: WaveformSource) -> [WaveformBin] {
        if let known = groups[index] { return known.bins }
        let frames = layout.frames(ofGroup: index)
        let bins = source.columns(frames, Self.groupCount)
        groups[index] = Group(bins: bins, frames: frames)
        return bins
    }

    /// The layout of columns and bars, in device pixels.
    struct Layout {
        let height: Int
        let scale: Int
        let width: Int
        /// The distance between bars, in device pixels.
        let pitch: Int
        /// The width of a bar, in device pixels.
        let ink: Int
        let isSymmetric: Bool
        let secondsPerColumn: Double
        let sampleRate: Double
        /// The column of the recording at the left edge of the view.
        let origin: Int
        /// The column after the last one of the recording.
        let endColumn: Int

        init(
            _ viewport: WaveformViewport,
            height: Double,
            scale: Int,
            shape: WaveformStyle.Shape,
            sampleRate: Double
        ) {
            self.scale = scale.clamped(to: 1...8)
            let rows = Int(nearest: height.finite(or: 1).clamped(to: 1...Double(maximumHeight)))
            self.height = (rows * self.scale).clamped(to: 1...maximumHeight)
            width = Int(nearest: viewport.width * Double(self.scale)).clamped(to: 1...65_536)
            switch shape {
            case .columns: (pitch, ink, isSymmetric) = (1, 1, false)
            case .bars(let width, let gap):
                ink = width.clamped(to: 1...32) * self.scale
                pitch = ink + gap.clamped(to: 0...32) * self.scale
                isSymmetric = true
            }
            secondsPerColumn = viewport.secondsPerPixel / Double(self.scale)
            self.sampleRate = sampleRate.isFinite && sampleRate > 0 ? min(sampleRate, 1e7) : 48_000
            origin = Int(nearest: viewport.start / secondsPerColumn)
            endColumn = Int(nearest: (viewport.lastTime / secondsPerColumn).rounded(.up))
        }

        /// The numbers of the bars in the view that start before the end of the recording.
        var bars: Range<Int> {
            // Bounded: a billion seconds have 10^15 columns.
            let first = origin / pitch
            return first..<max((min(origin + width, endColumn) + pitch - 1) / pitch, first)
        }

        /// Returns the column of the view at a time.
        func column(at time: Double) -> Int {
            // Bounded: the view has 65,536 columns at most.
            Int(nearest: (time / secondsPerColumn - Double(origin)).finite(or: 0).clamped(to: -1e6...1e6))
        }

        /// Returns the frames of a group.
        func frames(ofGroup index: Int) -> Range<Int64> {
            let framesPerColumn = secondsPerColumn * sampleRate
            let columns = WaveformBars.groupCount * pitch
            let start = Int(nearest: Double(index * columns) * framesPerColumn)
            let end = Int(nearest: Double((index + 1) * columns) * framesPerColumn)
            return Int64(start)..<Int64(max(end, start + 1))
        }
    }
}

/// Collects the rectangles of bars, from left to right.
private struct RectangleList {
    var rectangles: [WaveformBars.Rectangle] = []
    private let layout: WaveformBars.Layout
    private let split: Int
    /// The size of a device pixel, in logical pixels.
    private let pixel: Double
    /// The height of a sample of 1, in device pixels.
    private let unit: Float

    init(_ layout: WaveformBars.Layout, gain: Float, split: Int?) {
        self.layout = layout
        self.split = split ?? .min
        pixel = 1 / Double(layout.scale)
        unit = Float(layout.height) / 2 * (gain.isFinite ? gain : 1)
    }

    /// Adds the rectangles of a bar.
    mutating func add(_ bin: WaveformBin, atColumn column: Int) {
        let middle = Float(layout.height) / 2
        let least = Float(layout.scale) / 2
        var (top, bottom) = (middle - least, middle + least)
        guard bin.isKnown else { return add(column, top, bottom, .missing) }
        let (high, low) = (Float(bin.maximum) / 32_768, Float(bin.minimum) / 32_768)
        if layout.isSymmetric {
            let reach = max(max(abs(high), abs(low)) * unit, least)
            (top, bottom) = (middle - reach, middle + reach)
        } else {
            (top, bottom) = (middle - high * unit, middle - low * unit)
            if bottom - top < 2 * least {
                let center = (top + bottom) / 2
                (top, bottom) = (center - least, center + least)
            }
        }
        add(column, top, bottom, .peak)
        guard bin.rms > 0 else { return }
        let loud = min(bin.rms, 1) * unit
        add(column, max(middle - loud, top), min(middle + loud, bottom), .loudness)
    }

    private mutating func add(_ column: Int, _ top: Float, _ bottom: Float, _ part: WaveformBars.Part) {
        let limit = Float(layout.height)
        let (top, bottom) = (min(max(top, 0), limit), min(max(bottom, 0), limit))
        guard bottom > top else { return }
        let end = column + layout.ink
        let border = min(max(split, column), end)
        for (from, to, isPlayed) in [(column, border, true), (border, end, false)] where from < to {
            rectangles.append(
                WaveformBars.Rectangle(
                    x: Double(from) * pixel,
                    y: Double(top) * pixel,
                    width: Double(to - from) * pixel,
                    height: Double(bottom - top) * pixel,
                    part: part,
                    isPlayed: isPlayed
                )
            )
        }
    }
}
