/// Levels of a recording of unknown length, in a fixed amount of memory.
///
/// Each cell holds one sample at first. When all cells are used, pairs of cells are merged, and each later cell holds
/// twice as many samples. The result is exact while a cell holds one sample. After that, a level whose edge is inside a
/// cell takes a proportional share of it.
struct DecibelCells: Sendable {
    /// The maximum number of cells, an even number: 2 MiB.
    static let limit = 1 << 18

    private let averages: Bool
    private var cells: [Double] = []
    private var size: Int64 = 1
    private var filled: Int64 = 0
    private var cell = 0.0
    private var total: Int64 = 0

    init(averages: Bool) { self.averages = averages }

    /// Adds the level of the next sample.
    mutating func append(_ level: Double) {
        if averages { cell += level } else if filled == 0 { cell = level }
        filled += 1
        total += 1
        guard filled == size else { return }
        cells.append(cell)
        cell = 0
        filled = 0
        if cells.count == Self.limit { halve() }
    }

    private mutating func halve() {
        for index in 0..<cells.count / 2 {
            cells[index] = averages ? cells[2 * index] + cells[2 * index + 1] : cells[2 * index]
        }
        cells.removeLast(cells.count / 2)
        size *= 2
    }

    /// Returns all levels, each of `total` / `count` samples, at least 1; an incomplete last group is dropped.
    func levels(count: Int) -> (factor: Int64, values: [Double]) {
        let factor = max(total / Int64(max(count, 1)), 1)
        let number = Int(total / factor)
        var values: [Double] = []
        values.reserveCapacity(number)
        for index in 0..<number {
            let start = Int64(index) * factor
            values.append(averages ? sum(start, start + factor) / Double(factor) : self[Int(start / size)])
        }
        return (factor, values)
    }

    /// Returns the sum between two samples: whole cells, and proportional shares of the cells at both ends.
    private func sum(_ start: Int64, _ end: Int64) -> Double {
        var sum = 0.0
        var at = start
        while at < end {
            let index = Int(at / size)
            let from = Int64(index) * size
            let stop = min(from + size, end)
            let whole = index < cells.count ? size : filled
            sum += self[index] * (Double(stop - at) / Double(whole))
            at = stop
        }
        return sum
    }

    private subscript(index: Int) -> Double { index < cells.count ? cells[index] : cell }
}
