/// The bars of the visible part of a waveform, as rectangles.
///
/// The columns of one zoom are kept, in groups that are counted from the start of the recording. A bar therefore looks the same
/// wherever the view begins. Rectangles are cheap to compare: a renderer draws again only those that have changed.
public struct WaveformBars: Sendable {
    /// The part of a bar that a rectangle shows.
    public enum Part: Sendable, Hashable {
        /// The whole bar, up to the peaks.
        case peak
        /// The root mean square, over the peaks.
        case loudness
        /// The line that stands for what has not arrived.
        case missing
    }

    /// A rectangle of one colour, in pixels before scaling.
    public struct Rectangle: Sendable, Equatable {
        /// The distance from the left edge of the view; negative where the bar begins before it.
        public var x: Double
        /// The distance from the top edge.
        public var y: Double
        /// The width, more than 0.
        public var width: Double
        /// The height, more than 0.
        public var height: Double
        /// The part of a bar.
        public var part: Part
        /// Whether it lies before the playhead.
        public var isPlayed: Bool
    }

    private struct Group: Sendable {
        var bins: [WaveformBin]
        var frames: Range<Int64>
    }

    /// The properties on which the columns of a group depend.
    private struct Key: Sendable, Equatable {
        var secondsPerColumn: Double
        var pitch: Int
        var sampleRate: Double
    }

    /// Bars of a group.
    static let groupCount = 64
    /// The height of the highest view, in device pixels.
    public static let maximumHeight = 4096

    private var key: Key?
    private var groups: [Int: Group] = [:]

    /// Creates an empty cache.
    public init() {}

    /// The number of groups that are kept: those of the view, and as many again on either side at most.
    var keptGroupCount: Int { groups.count }

    /// Forgets all columns: another recording is shown.
    public mutating func removeAll() { groups = [:] }

    /// Notes that frames have arrived or changed: their columns are read anew.
    /// - Parameter frames: The frames; the last block of a waveform is often wider than what arrived, and counts whole.
    public mutating func invalidate(_ frames: Range<Int64>) {
        guard !frames.isEmpty else { return }
        for (index, group) in groups where group.frames.overlaps(frames) { groups[index] = nil }
    }

    /// Returns the bars of a view, from left to right.
    /// - Parameters:
    ///   - viewport: The part of the recording.
    ///   - height: The height of the view; 1 … 4096.
    ///   - scale: Device pixels of a pixel, 1 … 8.
    ///   - playhead: The position up to which bars count as played; `nil` for none.
    ///   - shape: The shape of the bars.
    ///   - gain: The factor of all samples.
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

    /// The columns and bars of a view, in device pixels.
    struct Layout {
        let height: Int
        let scale: Int
        let width: Int
        /// Device pixels from one bar to the next, and of its ink.
        let pitch: Int
        let ink: Int
        let isSymmetric: Bool
        let secondsPerColumn: Double
        let sampleRate: Double
        /// The column of the recording at the left edge.
        let origin: Int
        /// The column behind the last one of the recording.
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

        /// The numbers of the bars of the view that begin before the end of the recording.
        var bars: Range<Int> {
            // Bounded: a billion seconds have 10^15 columns.
            let first = origin / pitch
            return first..<max((min(origin + width, endColumn) + pitch - 1) / pitch, first)
        }

        /// The column of the view at a time.
        func column(at time: Double) -> Int {
            // Bounded: the view has 65,536 columns at most.
            Int(nearest: (time / secondsPerColumn - Double(origin)).finite(or: 0).clamped(to: -1e6...1e6))
        }

        /// The frames that a group covers.
        func frames(ofGroup index: Int) -> Range<Int64> {
            let framesPerColumn = secondsPerColumn * sampleRate
            let columns = WaveformBars.groupCount * pitch
            let start = Int(nearest: Double(index * columns) * framesPerColumn)
            let end = Int(nearest: Double((index + 1) * columns) * framesPerColumn)
            return Int64(start)..<Int64(max(end, start + 1))
        }
    }
}

/// The rectangles of bars, made from the left to the right.
private struct RectangleList {
    var rectangles: [WaveformBars.Rectangle] = []
    private let layout: WaveformBars.Layout
    private let split: Int
    /// Pixels before scaling in a device pixel.
    private let pixel: Double
    /// Device pixels of the half height for a sample of 1.
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
