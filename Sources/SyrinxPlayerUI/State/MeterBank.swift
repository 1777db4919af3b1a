import SyrinxTerminal

/// The level meters of all channels.
struct MeterBank: Sendable {
    /// The maximum number of displayed channels.
    static let maximumCount = 8

    private(set) var meters: [LevelMeter] = []
    private var lastTime: Double?

    /// The peaks of the channels, in dBFS.
    var peaks: [Float] { meters.map(\.peak) }

    var isFalling: Bool { meters.contains(where: \.isFalling) }

    /// Updates the meters with the levels of a view in dBFS, and its time in seconds.
    mutating func update(_ levels: [Float], at now: Double) {
        let elapsed = lastTime.map { now - $0 } ?? 0
        lastTime = now
        let count = min(levels.count, Self.maximumCount)
        if count > 0, count != meters.count {
            meters = Array(meters.prefix(count)) + Array(repeating: LevelMeter(), count: max(count - meters.count, 0))
        }
        for index in meters.indices {
            meters[index].update(decibels: index < count ? levels[index] : -.infinity, elapsed: elapsed)
        }
    }

    /// Draws the level meters.
    ///
    /// - Parameters:
    ///   - area: The area, with one row per channel.
    ///   - drawn: The peaks whose numbers the grid already displays.
    ///   - styles: The colors.
    ///   - grid: The frame.
    func draw(in area: CellArea, over drawn: [Float] = [], _ styles: Styles, _ grid: inout CellGrid) {
        let names = meters.count == 1 ? ["M"] : meters.count == 2 ? ["L", "R"] : []
        for (index, meter) in meters.prefix(area.rows).enumerated() {
            let row = area.row + index
            let showsNumber = area.columns >= 50
            let isDrawn = drawn.indices.contains(index) && drawn[index] == meter.peak
            let name = names.indices.contains(index) ? names[index] : String(index + 1)
            let start = area.column + 2
            if !isDrawn { grid.draw(name, column: area.column, row: row, width: 1, style: styles.dim) }
            let width = area.end - start - (showsNumber ? 7 : 0)
            meter.draw(into: &grid, column: start, row: row, columns: width, styles: styles.meter)
            guard showsNumber, !isDrawn else { continue }
            let text = meter.peak <= LevelMeter.floor ? "–" : FloatText.text(Double(meter.peak), decimals: 1)
            // Clear a previous number, which may be longer.
            grid.fill(CellArea(column: area.end - 6, row: row, columns: 6, rows: 1), style: styles.text)
            grid.draw(text, endingAt: area.end, row: row, width: 6, style: styles.dim)
        }
    }
}
