/// One bar of a drawing, in the units of the width and height that were asked for; y grows downwards.
public struct WaveformBar: Sendable, Equatable {
    /// The left edge.
    public var x: Double
    /// The upper edge.
    public var y: Double
    /// From left to right.
    public var width: Double
    /// From the upper edge to the lower.
    public var height: Double

    /// A bar of these measures.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension DecibelWaveform {
    /// The bars of a drawing: symmetric about the middle, the loudest as high as the drawing.
    ///
    /// Half a bar is mid · (s − n) / (s_max − n), s its level, n the noise floor, s_max the greatest level; where
    /// everything is at the noise floor, every bar is full, as there is nothing to compare with.
    /// - Parameters:
    ///   - width: Of the drawing; each level takes `width` / number of levels of it.
    ///   - height: Of the drawing.
    ///   - barWidth: Of each bar, at the left of its part; `nil` for all but `spacing`.
    ///   - spacing: Between bars, if no width is given.
    ///   - floor: Takes the place of n, if it lies above: what is below has no bar.
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
    /// Decibels that a drawing shows at the least, so that what does not change does not seem to.
    private static let leastSpan = 12.0
    /// One level of ten may lie deeper than where a drawing begins to tell them apart.
    private static let quietShare = 0.1
    /// So much of the height is left for those.
    private static let quietHeight = 0.25

    /// The level that a drawing begins at to be readable.
    ///
    /// The quieter passages take a quarter of the height. Of loud music, whose levels all lie within some decibels, a drawing from
    /// the noise floor on would be one block.
    public var drawingFloor: Double {
        let sorted = values.sorted()
        guard let loudest = sorted.last else { return noiseFloor }
        let quiet = sorted[min(Int(Double(sorted.count) * Self.quietShare), sorted.count - 1)]
        let span = max((loudest - quiet) / (1 - Self.quietHeight), Self.leastSpan)
        return max(loudest - span, noiseFloor)
    }
}

extension WaveformPyramid {
    /// The bars of a drawing of the frames in `range`, one array for each channel.
    ///
    /// Each bar reaches from the least to the greatest sample of its part; y = 0 is full scale, `height` its negative.
    /// Parts that are not known have no bar.
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
