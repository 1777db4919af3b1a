/// The parts of an input that are left out of what is played, as a map from the frames that are played to those of the input.
///
/// Pure. Frames are counted from the last seek.
struct PauseCuts {
    private struct Cut {
        var frame: Int64
        var count: Int64
    }

    /// Cuts that have not been heard, in order.
    private var cuts: [Cut] = []
    /// Frames left out before them.
    private var passed: Int64 = 0
    /// The played frame at which the numbers of the pump begin.
    private var start: Int64 = 0

    /// The frames that have been left out.
    var frameCount: Int64 { cuts.reduce(passed) { $0 + $1.count } }

    /// Whether there is no part that has not been heard.
    var isEmpty: Bool { cuts.isEmpty }

    /// Adds a part that is left out.
    /// - Parameters:
    ///   - frame: The frame before which it lies, counted by the pump.
    ///   - count: Its frames.
    mutating func add(frame: Int64, count: Int64) { cuts.append(Cut(frame: start + frame, count: count)) }

    /// Returns the frame of the input that is played as `frame`.
    func inputFrame(_ frame: Double) -> Double {
        cuts.prefix { Double($0.frame) <= frame }.reduce(frame + Double(passed)) { $0 + Double($1.count) }
    }

    /// Forgets the parts that have been heard up to `frame`, and returns their frames.
    mutating func pass(_ frame: Double) -> Int64 {
        let heard = cuts.prefix { Double($0.frame) <= frame }
        guard !heard.isEmpty else { return 0 }
        let count = heard.reduce(0) { $0 + $1.count }
        cuts.removeFirst(heard.count)
        passed += count
        return count
    }

    /// Has another pump count its frames from `frame` on, where the one before ends.
    mutating func startAgain(at frame: Int64) {
        start = frame
        cuts.removeAll { $0.frame > frame }
    }

    /// Has the numbers of the pump begin `count` frames before the input's first: those belong to the input before.
    mutating func begin(after count: Int64) { start = -count }
}
