/// The omitted parts of an input: maps played frames to frames of the input.
///
/// A pure value; frames are counted from the last seek.
struct PauseCuts {
    private struct Cut {
        var frame: Int64
        var count: Int64
    }

    /// The cuts that were not heard yet, in order.
    private var cuts: [Cut] = []
    /// Frames left out before them.
    private var passed: Int64 = 0
    /// The played frame at which the pump's numbering starts.
    private var start: Int64 = 0

    /// The frames that have been left out.
    var frameCount: Int64 { cuts.reduce(passed) { $0 + $1.count } }

    /// Whether there are no pending cuts.
    var isEmpty: Bool { cuts.isEmpty }

    /// Adds a cut.
    /// - Parameters:
    ///   - frame: The frame after the cut, in the pump's numbering.
    ///   - count: The number of omitted frames.
    mutating func add(frame: Int64, count: Int64) { cuts.append(Cut(frame: start + frame, count: count)) }

    /// Returns the frame of the input that is played as `frame`.
    func inputFrame(_ frame: Double) -> Double {
        cuts.prefix { Double($0.frame) <= frame }.reduce(frame + Double(passed)) { $0 + Double($1.count) }
    }

    /// Removes the cuts up to `frame`, and returns the number of their frames.
    mutating func pass(_ frame: Double) -> Int64 {
        let heard = cuts.prefix { Double($0.frame) <= frame }
        guard !heard.isEmpty else { return 0 }
        let count = heard.reduce(0) { $0 + $1.count }
        cuts.removeFirst(heard.count)
        passed += count
        return count
    }

    /// Continues the numbering of another pump at `frame`, where the previous one ends.
    mutating func startAgain(at frame: Int64) {
        start = frame
        cuts.removeAll { $0.frame > frame }
    }

    /// Starts the pump's numbering `count` frames before the first frame of the input: those belong to the previous
    /// input.
    mutating func begin(after count: Int64) { start = -count }
}
