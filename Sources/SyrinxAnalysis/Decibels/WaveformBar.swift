/// A bar of a drawing, in the units of the requested width and height; y increases downward.
public struct WaveformBar: Sendable, Equatable {
    /// The x coordinate of the left edge.
    public var x: Double
    /// The y coordinate of the upper edge.
    public var y: Double
    /// The width, from the left edge to the right edge.
    public var width: Double
    /// The height, from the upper edge to the lower edge.
    public var height: Double

    /// Creates a bar.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension DecibelWaveform {
    /// Returns the bars of a drawing, symmetric about the middle; the loudest bar is as high as the drawing.
    ///
    /// Half the height of a bar is mid · (s − n) / (s_max − n), where s is its level, n the noise floor and s_max the
    /// highest level. If every level is at the noise floor, every bar has full height, because there is no reference.
    /// - Parameters:
    ///   - width: The width of the drawing; each level occupies `width` / number of levels.
    ///   - height: The height of the drawing.
    ///   - barWidth: The width of each bar, at the left of its place; `nil` fills the place except `spacing`.
    ///   - spacing: The gap between bars if `barWidth` is `nil`.
    ///   - floor: Replaces n if it is higher; lower levels have no bar.
    public func bars(
        width: Double,
        height: Double,
        barWidth: Double? = nil,
        spacing: Double = 0,
        floor: Double? = nil
    ) -> [WaveformBar] {
        let noiseFloor = max(floor ?? self.noiseFloor, self.noiseFloor)
        guard let loudest = values.max() else { return [] }
        let slot = width / Double(values.count)
        let middle = height / 2
        let thick = max(min(barWidth ?? slot - spacing, slot), 0)
        return values.enumerated().map { index, level in
            let share = loudest <= noiseFloor ? 1 : max(level - noiseFloor, 0) / (loudest - noiseFloor)
            let half = middle * share
            return WaveformBar(x: slot * Double(index), y: middle - half, width: thick, height: 2 * half)
        }
    }
}

extension DecibelWaveform {
    /// The minimum range of a drawing in decibels, so that a constant level does not look like changes.
    private static let leastSpan = 12.0
    /// The fraction of levels that may be in the compressed lower part of a drawing.
    private static let quietShare = 0.1
    /// The fraction of the height that these levels occupy.
    private static let quietHeight = 0.25

    /// The level at which a readable drawing starts.
    ///
    /// Quiet passages get a quarter of the height. Loud music has levels within a few decibels, so a drawing from the
    /// noise floor up would be one solid block.
    public var drawingFloor: Double {
        let sorted = values.sorted()
        guard let loudest = sorted.last else { return noiseFloor }
        let quiet = sorted[min(Int(Double(sorted.count) * Self.quietShare), sorted.count - 1)]
        let span = max((loudest - quiet) / (1 - Self.quietHeight), Self.leastSpan)
        return max(loudest - span, noiseFloor)
    }
}

extension WaveformPyramid {
    /// Returns the bars of a drawing of the frames in `range`, one array for each channel.
    ///
    /// Each bar spans from the minimum to the maximum sample of its part; y = 0 is positive full scale, and `height` is
    /// negative full scale. Unknown parts have no bar.
    public func bars(
        in range: Range<Int64>,
        width: Double,
        height: Double,
        barWidth: Double,
        spacing: Double
    ) -> [[WaveformBar]] {
        let count = DecibelWaveform.barCount(width: width, barWidth: barWidth, spacing: spacing)
        return columns(in: range, width: count).map { row in
            row.enumerated().compactMap { index, column in
                guard column.isKnown else { return nil }
                let top = height * (32768 - Double(column.maximum)) / 65536
                let bottom = height * (32768 - Double(column.minimum)) / 65536
                return WaveformBar(
                    x: Double(index) * (barWidth + spacing),
                    y: top,
                    width: barWidth,
                    height: bottom - top
                )
            }
        }
    }
}
