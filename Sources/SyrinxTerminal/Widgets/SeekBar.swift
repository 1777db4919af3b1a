/// A waveform that shows the playback position and the downloaded parts.
package struct SeekBar: Equatable, Sendable {
    /// The styles of a seek bar.
    package struct Styles: Equatable, Sendable {
        package var played: Style
        package var received: Style
        package var missing: Style
        /// The style of the position, and of the marks of chapters and of the A-B loop.
        package var mark: Style
        /// The style of the column at the position; `nil` if the colors show the position.
        package var playhead: Style?

        package init(played: Style, received: Style, missing: Style, mark: Style, playhead: Style? = nil) {
            self.playhead = playhead
            self.played = played
            self.received = received
            self.missing = missing
            self.mark = mark
        }
    }

    /// The peaks at equal intervals, 0…1; negative or NaN if a peak is unknown.
    package var peaks: [Float]
    /// The downloaded parts, as fractions 0…1 of the duration.
    package var received: [ClosedRange<Double>]
    /// The playback position, as a fraction 0…1 of the duration.
    package var position: Double

    package init(peaks: [Float], received: [ClosedRange<Double>], position: Double) {
        self.peaks = peaks
        self.received = received
        self.position = position.isFinite ? min(max(position, 0), 1) : 0
    }

    /// Draws the bar into an area of the grid.
    ///
    /// A column shows the highest of its peaks. With three rows or more, the waveform is mirrored at the middle.
    /// Unknown peaks are shown as a thin line: `─` if the audio is downloaded, `╌` otherwise.
    package func draw(into grid: inout CellGrid, area: CellArea, styles: Styles) {
        let width = min(area.columns, CellGrid.maximumSide)
        let height = min(area.rows, CellGrid.maximumSide)
        guard width > 0, height > 0 else { return }
        let playedColumns = Int((position * Double(width)).rounded(.down))
        let arrived = arrivedColumns(width: width)
        for index in 0..<width {
            let style = index < playedColumns ? styles.played : arrived[index] ? styles.received : styles.missing
            let column = area.column + index
            guard let peak = peak(of: index, width: width) else {
                let line: Unicode.Scalar = arrived[index] || index < playedColumns ? "─" : "╌"
                grid.put(line, column: column, row: area.row + (height - 1) / 2 + (height == 2 ? 1 : 0), style: style)
                continue
            }
            if height < 3 {
                rise(peak, cells: height, column: column, bottom: area.bottom - 1, style: style, in: &grid)
            } else {
                mirror(peak, column: column, area: area, style: style, in: &grid)
            }
        }
        if let playhead = styles.playhead {
            let column = area.column + min(playedColumns, width - 1)
            grid.fill(CellArea(column: column, row: area.row, columns: 1, rows: height), style: playhead)
        }
    }

    /// Draws a column upward from the lowest cell, in eighths.
    ///
    /// Known silence takes one eighth, to distinguish it from unknown peaks.
    private func rise(
        _ peak: Float,
        cells: Int,
        column: Int,
        bottom: Int,
        style: Style,
        in grid: inout CellGrid
    ) {
        var eighths = max(Int((peak * Float(cells * 8)).rounded()), 1)
        for line in 0..<cells where eighths > 0 {
            grid.put(Self.blocks[min(eighths, 8)], column: column, row: bottom - line, style: style)
            eighths -= 8
        }
    }

    /// Draws a column upward and downward from the middle.
    ///
    /// There are no block characters that start at the top, so the lower half is drawn in reverse video: the block is
    /// the free part of its last cell.
    private func mirror(_ peak: Float, column: Int, area: CellArea, style: Style, in grid: inout CellGrid) {
        let upper = (area.rows + 1) / 2
        let lower = area.rows - upper
        rise(peak, cells: upper, column: column, bottom: area.row + upper - 1, style: style, in: &grid)
        // The lower half is slightly smaller, like a reflection.
        var eighths = Int((peak * Float(lower * 8) * 0.8).rounded())
        for line in 0..<lower where eighths > 0 {
            let row = area.row + upper + line
            if eighths >= 8 {
                grid.put("█", column: column, row: row, style: style)
            } else if eighths >= 3 {
                grid.put("▀", column: column, row: row, style: style)
            } else {
                grid.put("▔", column: column, row: row, style: style)
            }
            eighths -= 8
        }
    }

    /// Returns the fraction of the duration at a column of the bar, for mouse clicks.
    package static func fraction(column: Int, columns: Int) -> Double {
        columns > 1 ? Double(min(max(column, 0), columns - 1)) / Double(columns - 1) : 0
    }

    /// Returns the column of a fraction of the duration; `nil` outside of 0…1.
    package static func column(at fraction: Double, columns: Int) -> Int? {
        guard fraction.isFinite, (0...1).contains(fraction), columns > 0 else { return nil }
        return min(Int(fraction * Double(columns)), columns - 1)
    }

    private func peak(of column: Int, width: Int) -> Float? {
        guard !peaks.isEmpty else { return nil }
        let start = column * peaks.count / width
        let end = min(max((column + 1) * peaks.count / width, start + 1), peaks.count)
        var greatest: Float = -1
        for index in start..<end where peaks[index] > greatest { greatest = peaks[index] }
        return greatest < 0 ? nil : min(greatest, 1)
    }

    /// Returns whether the middle of each column has been downloaded.
    private func arrivedColumns(width: Int) -> [Bool] {
        var result = [Bool](repeating: false, count: width)
        for range in received where range.lowerBound.isFinite && range.upperBound.isFinite {
            let start = (min(max(range.lowerBound, 0), 1) * Double(width) - 0.5).rounded(.up)
            let end = (min(max(range.upperBound, 0), 1) * Double(width) - 0.5).rounded(.up)
            let from = max(Int(start), 0)
            for index in from..<max(from, min(Int(end), width)) { result[index] = true }
        }
        return result
    }

    private static let blocks: [Unicode.Scalar] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}
