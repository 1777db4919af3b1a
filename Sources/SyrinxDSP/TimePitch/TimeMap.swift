/// The stretch of the time map that has been decided and not yet been played: which input position each output frame
/// is.
///
/// Straight lines from one vocoder frame's middle to the next. Adding frames and advancing never allocate.
struct TimeMap: ~Copyable {
    private struct Line {
        var start: Int
        var position: FixedPosition
        var step: FixedPosition
    }

    /// The maximum number of frames with centers within half a window of each other: 32 at the largest overlap, plus a
    /// margin.
    private static let capacity = 64

    // Allocated here, freed in deinit, and not shared.
    private let lines: UnsafeMutablePointer<Line>
    private var first = 0
    private var count = 0

    init() {
        lines = .allocate(capacity: Self.capacity)
        let empty = Line(start: 0, position: FixedPosition(whole: 0), step: FixedPosition(whole: 1))
        lines.initialize(repeating: empty, count: Self.capacity)
    }

    deinit {
        lines.deallocate()
    }

    @_noLocks @_noAllocation
    mutating func clear() {
        first = 0
        count = 0
    }

    /// Appends the line that ends at a frame's middle.
    @_noLocks @_noAllocation
    mutating func append(from start: Int, position: FixedPosition, step: FixedPosition) {
        lines[(first + count) % 64] = Line(start: start, position: position, step: step)
        count = min(count + 1, 64)
    }

    /// Forgets the lines that end at or before `output`.
    @_noLocks @_noAllocation
    mutating func advance(to output: Int) {
        while count > 1, lines[(first + 1) % 64].start <= output {
            first = (first + 1) % 64
            count -= 1
        }
    }

    /// Returns the input position of `output`, which is on the first line.
    @_noLocks @_noAllocation
    func position(at output: Int) -> FixedPosition {
        lines[first].position + lines[first].step * (output - lines[first].start)
    }

    /// Returns the number of frames from `output`, at most `limit`, before the end of the input.
    ///
    /// The last frame is the one whose center is within the input, so that n frames at rate r become round(n / r).
    @_noLocks @_noAllocation
    func frames(from output: Int, limit: Int, beforeInputFrame end: Int) -> Int {
        var total = 0
        for index in 0..<count {
            let line = lines[(first + index) % 64]
            let next = index + 1 < count ? lines[(first + index + 1) % 64].start : output + limit
            let from = output + total
            let room = min(next - from, limit - total)
            guard room > 0 else { continue }
            let inside = Self.frames(on: line, from: from, limit: room, before: end)
            total += inside
            if inside < room { break }
        }
        return total
    }

    @_noLocks @_noAllocation
    private static func frames(on line: Line, from: Int, limit: Int, before end: Int) -> Int {
        let doubledEnd = FixedPosition(whole: 2 * end)
        let first = (line.position + line.step * (from - line.start)) * 2 + line.step
        let room = (doubledEnd - first).value
        guard room > 0 else { return 0 }
        // The quotient is rounded, so the count is put right by whole frames.
        var count = Int(min(room / (2 * line.step.value), Double(limit)))
        while count > 0, !(first + line.step * (2 * (count - 1)) < doubledEnd) { count -= 1 }
        while count < limit, first + line.step * (2 * count) < doubledEnd { count += 1 }
        return count
    }
}
