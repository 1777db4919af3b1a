import SyrinxPlayback

/// The part of the current input that is repeated, which the streamer plays as an item that follows on itself.
///
/// Pure.
package struct PartRepetition: Equatable, Sendable {
    /// The part of every input, which the command line asks for.
    package let initial: RepeatedPart?
    private var marks = ABLoop()

    /// A repetition of this part of every input; `nil` for none.
    init(_ initial: RepeatedPart? = nil) {
        self.initial = initial
        beginInput()
    }

    /// The part that is repeated; `nil` while one of its ends is missing.
    package var part: RepeatedPart? {
        guard let start = marks.start, let end = marks.end else { return nil }
        return RepeatedPart(start: start, end: end)
    }

    /// The start of the part in seconds, also before its end is known.
    package var start: Double? { marks.start }
    /// The end of the part in seconds.
    package var end: Double? { marks.end }

    /// Another input begins, and not the same once more.
    mutating func beginInput() {
        marks.clear()
        if let initial { marks.set(from: initial.start, to: initial.end) }
    }

    /// Sets the start at the time that is heard, then the end, then neither.
    mutating func mark(at time: Double) -> [SessionAction] {
        let hadPart = part != nil
        marks.mark(at: time)
        return part.map { [.playPart(from: $0.start, end: $0.end)] } ?? leave(hadPart)
    }

    /// Repeats a part of an input of this length; `nil` ends the repetition.
    mutating func set(_ part: RepeatedPart?, duration: Double) -> [SessionAction] {
        guard let part else {
            let hadPart = self.part != nil
            clear()
            return leave(hadPart)
        }
        guard part.start < duration, marks.set(from: part.start, to: part.end) else {
            return [.refusal("the part lies behind the end, or is too short", name: Failure.part)]
        }
        return [.playPart(from: part.start, end: part.end)]
    }

    /// Ends the repetition.
    mutating func clear() { marks.clear() }

    private func leave(_ hadPart: Bool) -> [SessionAction] { hadPart ? [.playPart(from: nil, end: nil)] : [] }
}
