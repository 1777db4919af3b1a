/// Decides when the next input is opened ahead, and how the end of the last decoded input joins it.
///
/// It follows the decoding: its current input is the last decoded one, which may be heard seconds later. A pure value,
/// without audio, a thread or a clock.
struct TransitionMachine {
    /// An action to perform.
    enum Action: Equatable {
        /// Open the next input without decoding it.
        case openNext
        /// Join the samples of the next input, which becomes the current one.
        case join
        /// End playback with the current input.
        case end
    }

    /// The state of the next input.
    enum Next: Equatable {
        /// There is none.
        case none
        /// It has not been opened.
        case waiting
        /// The next input is not opened, because the limit is reached; it waits until an earlier one was heard.
        case held
        case opening
        /// It is open, and its samples can follow.
        case ready
        /// The next input cannot be joined: it failed, has another format, or is a broadcast.
        ///
        /// It is opened in its turn.
        case refused
    }

    private(set) var next = Next.none
    /// Whether all of the current input has been decoded.
    private(set) var isDecoded = false
    private var hasEnded = false

    /// Whether the end of the current input waits for the next one to open.
    var isWaiting: Bool { isDecoded && !hasEnded && (next == .opening || next == .held) }

    /// Handles a new current input; the state of the next one is unknown.
    mutating func begin() { self = TransitionMachine() }

    /// Handles a restart of decoding at another position.
    mutating func restarted() { (isDecoded, hasEnded) = (false, false) }

    /// Handles a change of the next input.
    /// - Parameter mayOpen: Whether it may be opened; if not, that is reported later.
    mutating func nextChanged(hasNext: Bool, mayOpen: Bool = true) -> [Action] {
        next = !hasNext ? .none : mayOpen ? .waiting : .held
        return isDecoded ? settle() : []
    }

    /// The remaining seconds of the current input, at the playback rate, at which the next one is opened.
    static let openingLead = 20.0
    /// The decoded seconds at the output below which an input that is still opening is not waited for.
    static let closingLead = 0.25

    /// Reports the seconds of the current input that have not been decoded.
    mutating func remaining(_ seconds: Double, playbackRate: Double) -> [Action] {
        guard next == .waiting, seconds <= Self.openingLead * max(1, playbackRate) else { return [] }
        return openNext()
    }

    /// All of the current input has been decoded.
    mutating func decoded() -> [Action] {
        isDecoded = true
        return settle()
    }

    /// The next input is open, and its samples can follow.
    mutating func prepared() -> [Action] {
        guard next == .opening else { return [] }
        next = .ready
        return isDecoded ? settle() : []
    }

    /// The next input cannot follow without an end between.
    mutating func refused() -> [Action] {
        guard next == .opening || next == .ready else { return [] }
        next = .refused
        return isDecoded ? settle() : []
    }

    /// Handles the number of decoded seconds at the output; if they are too few, the output would play silence.
    mutating func level(_ secondsAhead: Double) -> [Action] {
        isWaiting && secondsAhead < Self.closingLead ? end() : []
    }

    private mutating func openNext() -> [Action] {
        next = .opening
        return [.openNext]
    }

    private mutating func settle() -> [Action] {
        guard !hasEnded else { return [] }
        switch next {
        case .none, .refused: return end()
        case .waiting: return openNext()
        case .opening, .held: return []
        case .ready:
            begin()
            return [.join]
        }
    }

    private mutating func end() -> [Action] {
        hasEnded = true
        return [.end]
    }
}
