import SyrinxListening
import SyrinxPlayback

/// The part of the current input that is repeated, which the streamer plays as an item that follows on itself.
///
/// Pure.
struct PartRepetition: Equatable {
    /// The part of every input, which the command line asks for.
    let initial: RepeatedPart?
    private var marks = ABLoop()

    /// A repetition of this part of every input; `nil` for none.
    init(_ initial: RepeatedPart? = nil) {
        self.initial = initial
        beginInput()
    }

    /// The part that is repeated; `nil` while one of its ends is missing.
    var part: RepeatedPart? {
        guard let start = marks.start, let end = marks.end else { return nil }
        return RepeatedPart(start: start, end: end)
    }

    /// The start of the part in seconds, also before its end is known.
    var start: Double? { marks.start }
    /// The end of the part in seconds.
    var end: Double? { marks.end }

    /// Another input begins, and not the same once more.
    mutating func beginInput() {
        marks.clear()
        if let initial { marks.set(from: initial.start, to: initial.end) }
    }

    /// Sets the start at the time that is heard, then the end, then neither.
    mutating func mark(at time: Double) { marks.mark(at: time) }

    /// Repeats a part.
    /// - Returns: Whether it is long enough.
    mutating func set(_ part: RepeatedPart) -> Bool { marks.set(from: part.start, to: part.end) }

    /// Ends the repetition.
    mutating func clear() { marks.clear() }
}
