import SyrinxPlayback

/// The repeated part of the current input, which the streamer plays as an item that follows itself.
///
/// A value without side effects.
package struct PartRepetition: Equatable, Sendable {
    /// The part from the command line, which applies to every input.
    package let initial: RepeatedPart?
    private var marks = ABLoop()

    /// Creates a repetition of this part of every input; `nil` for none.
    init(_ initial: RepeatedPart? = nil) {
        self.initial = initial
        beginInput()
    }

    /// The repeated part; `nil` while one of its ends is missing.
    package var part: RepeatedPart? {
        guard let start = marks.start, let end = marks.end else { return nil }
        return RepeatedPart(start: start, end: end)
    }

    /// The start of the part in seconds, also before its end is set.
    package var start: Double? { marks.start }
    /// The end of the part in seconds.
    package var end: Double? { marks.end }

    /// Processes the start of another input.
    mutating func beginInput() {
        marks.clear()
        if let initial { marks.set(from: initial.start, to: initial.end) }
    }

    /// Sets the start to the playback position, then the end, and then clears both.
    mutating func mark(at time: Double) -> [SessionAction] {
        let hadPart = part != nil
        marks.mark(at: time)
        return part.map { [.playPart(from: $0.start, end: $0.end)] } ?? leave(hadPart)
    }

    /// Repeats a part of an input with this duration; `nil` ends the repetition.
    mutating func set(_ part: RepeatedPart?, duration: Double) -> [SessionAction] {
        guard let part else {
            let hadPart = self.part != nil
            clear()
            return leave(hadPart)
        }
        guard part.start < duration, marks.set(from: part.start, to: part.end) else {
            return [.refusal("the section starts after the end, or is too short", name: Failure.part)]
        }
        return [.playPart(from: part.start, end: part.end)]
    }

    /// Ends the repetition.
    mutating func clear() { marks.clear() }

    private func leave(_ hadPart: Bool) -> [SessionAction] { hadPart ? [.playPart(from: nil, end: nil)] : [] }
}
