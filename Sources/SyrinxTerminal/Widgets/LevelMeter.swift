/// A level meter in decibels with a slow fall and a peak hold.
package struct LevelMeter: Equatable, Sendable {
    /// The lowest displayed level, in dBFS.
    package static let floor: Float = -60
    /// The fall of the bar in decibels per second, that of a type I peak programme meter (IEC 60268-10).
    package static let fall: Float = 20 / 1.7
    /// The duration of the peak hold, in seconds.
    package static let holdTime: Double = 1.5

    /// The styles of a meter: below −18 dB, from −18 dB, from −3 dB, and of its empty part.
    package struct Styles: Equatable, Sendable {
        package var low: Style
        package var high: Style
        package var peak: Style
        package var empty: Style

        package init(low: Style, high: Style, peak: Style, empty: Style) {
            self.low = low
            self.high = high
            self.peak = peak
            self.empty = empty
        }
    }

    /// The displayed level, in dBFS.
    package private(set) var level = Self.floor
    /// The held peak, in dBFS.
    package private(set) var peak = Self.floor
    private var peakAge = 0.0

    package init() {}

    /// Whether the meter changes without a new level.
    package var isFalling: Bool { level > Self.floor || peak > Self.floor }

    /// Updates the meter with the highest level since the last call.
    ///
    /// - Parameters:
    ///   - decibels: The level in dBFS, clamped to `floor`…0; NaN counts as `floor`.
    ///   - elapsed: The time since the last call, in seconds.
    package mutating func update(decibels: Float, elapsed: Double) {
        let value = decibels.isNaN ? Self.floor : min(max(decibels, Self.floor), 0)
        let time = elapsed.isFinite ? min(max(elapsed, 0), 60) : 0
        level = max(value, level - Self.fall * Float(time))
        peakAge += time
        if value >= peak {
            peak = value
            peakAge = 0
        } else if peakAge > Self.holdTime {
            peak = max(level, peak - Self.fall * Float(time))
        }
    }

    /// Draws the meter in a row, with eighths of blocks, and `▏` for the held peak.
    package func draw(into grid: inout CellGrid, column: Int, row: Int, columns: Int, styles: Styles) {
        let width = min(max(columns, 0), CellGrid.maximumSide)
        guard width > 0 else { return }
        func style(_ index: Int) -> Style {
            let decibels = Self.floor - Self.floor * Float(index) / Float(width)
            return decibels >= -3 ? styles.peak : decibels >= -18 ? styles.high : styles.low
        }
        let eighths = Int((level - Self.floor) / -Self.floor * Float(width * 8))
        for index in 0..<width {
            let filled = min(max(eighths - index * 8, 0), 8)
            let isEmpty = filled == 0
            grid.put(
                isEmpty ? "╌" : Self.blocks[filled],
                column: column + index,
                row: row,
                style: isEmpty ? styles.empty : style(index)
            )
        }
        let peakCell = min(Int((peak - Self.floor) / -Self.floor * Float(width)), width - 1)
        if peak > Self.floor, eighths <= peakCell * 8 {
            grid.put("▏", column: column + peakCell, row: row, style: style(peakCell))
        }
    }

    private static let blocks: [Unicode.Scalar] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
}
