/// A drawing of a waveform as rectangles, for output as SVG or as pixels.
///
/// A value; any thread may use it.
public struct WaveformDrawing: Sendable, Equatable {
    /// The drawing of one channel.
    struct Row: Sendable, Equatable {
        var bars: [WaveformBar]
        var color: WaveformColor
        /// The radius of the corners.
        var radius: Double
        /// Whether bars stay separate shapes even if they touch.
        var isLoose = false
    }

    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    let theme: WaveformTheme
    let rows: [Row]

    /// Draws a waveform from its first block, one block for each pixel, up to the width of the drawing or the end of
    /// the waveform.
    ///
    /// A value v is drawn at (65 536 − (v + 32 768)) / 65 536 of the height, rounded to whole pixels. Channels are
    /// drawn below each other. A bar combines all blocks of its width and of the gap after it.
    public init(
        _ waveform: PeakWaveform,
        width: Int,
        height: Int,
        style: WaveformStyle = .line,
        theme: WaveformTheme = .audacity,
        axis: WaveformAxis? = nil
    ) {
        self.width = width
        self.height = height
        self.theme = theme
        let part = height / waveform.channelCount
        let waves = (0..<waveform.channelCount).map { channel in
            let top = channel * part
            let own = channel == waveform.channelCount - 1 ? height - top : part
            let (bar, slot, radius) = Self.measures(style)
            let count = min(waveform.count, width)
            let bars = stride(from: 0, to: count, by: slot).compactMap { start -> WaveformBar? in
                let both = waveform.merged(start..<min(start + slot, count), channel: channel)
                guard both.low <= both.high else { return nil }
                let high = top + own - 1 - (Int(both.high) + 32768) * own / 65536
                let low = top + own - 1 - (Int(both.low) + 32768) * own / 65536
                return WaveformBar(
                    x: Double(start),
                    y: Double(high),
                    width: Double(min(bar, width - start)),
                    height: Double(low - high + 1)
                )
            }
            return Row(bars: bars, color: Self.color(theme, channel), radius: radius)
        }
        rows = waves + Self.row(axis, width, height)
    }

    /// Draws levels as bars about the middle; see `DecibelWaveform.bars(width:height:barWidth:spacing:floor:)`.
    ///
    /// To fill the width exactly, the waveform needs `levelCount(width:style:)` levels.
    /// - Parameters:
    ///   - waveform: The waveform.
    ///   - width: The width of the picture in pixels.
    ///   - height: The height of the picture in pixels.
    ///   - style: The style: lines or bars.
    ///   - theme: The colors.
    ///   - axis: The time axis, or `nil`.
    ///   - floor: The level at which bars start; the default, `nil`, is the noise floor of the waveform.
    public init(
        _ waveform: DecibelWaveform,
        width: Int,
        height: Int,
        style: WaveformStyle = .line,
        theme: WaveformTheme = .audacity,
        axis: WaveformAxis? = nil,
        floor: Double? = nil
    ) {
        self.width = width
        self.height = height
        self.theme = theme
        let (bar, _, radius) = Self.measures(style)
        let bars = waveform.bars(width: Double(width), height: Double(height), barWidth: Double(bar), floor: floor)
        rows = [Row(bars: bars, color: Self.color(theme, 0), radius: radius)] + Self.row(axis, width, height)
    }

    private static func row(_ axis: WaveformAxis?, _ width: Int, _ height: Int) -> [Row] {
        guard let axis else { return [] }
        return [Row(bars: axis.bars(width: width, height: height), color: axis.color, radius: 0, isLoose: true)]
    }

    /// Returns the number of levels of a `DecibelWaveform` that fills a drawing.
    public static func levelCount(width: Int, style: WaveformStyle) -> Int {
        let (bar, slot, _) = measures(style)
        return DecibelWaveform.barCount(width: Double(width), barWidth: Double(bar), spacing: Double(slot - bar))
    }

    private static func measures(_ style: WaveformStyle) -> (bar: Int, slot: Int, radius: Double) {
        switch style {
        case .line: (1, 1, 0)
        case .bars(let width, let gap, let isRounded):
            (max(width, 1), max(width, 1) + max(gap, 0), isRounded ? Double(max(width, 1)) / 2 : 0)
        }
    }

    private static func color(_ theme: WaveformTheme, _ channel: Int) -> WaveformColor {
        theme.waveform.isEmpty ? WaveformColor(0, 0, 0) : theme.waveform[min(channel, theme.waveform.count - 1)]
    }
}
