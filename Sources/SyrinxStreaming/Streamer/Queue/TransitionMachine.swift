/// Decides when the next input is opened ahead, and how the end of the one that is decoded passes on to it.
///
/// It follows the decoding: what it calls the current input is the one that is decoded last, which may be heard seconds later.
/// No sound, no thread, no clock.
struct TransitionMachine {
    /// An action to perform.
    enum Action: Equatable {
        /// Open the next input, and decode none of it yet.
        case openNext
        /// The next input's samples follow on the current one's: it is the current one from now on.
        case join
        /// The sound ends with the current input.
        case end
    }

    /// The state of the next input.
    enum Next: Equatable {
        /// There is none.
        case none
        /// It has not been opened.
        case waiting
        /// It has not been opened, and is one too many: it waits until one of those before it has been heard.
        case held
        case opening
        /// It is open, and its samples can follow.
        case ready
        /// It cannot follow without an end between: it failed, has another format, or is a broadcast. It is opened in its turn.
        case refused
    }

    private(set) var next = Next.none
    /// Whether all of the current input has been decoded.
    private(set) var isDecoded = false
    private var hasEnded = false

    /// Whether the current input's end waits for the next one to open.
    var isWaiting: Bool { isDecoded && !hasEnded && (next == .opening || next == .held) }

    /// The current input is another, and nothing is known of what comes behind it.
    mutating func begin() { self = TransitionMachine() }

    /// The current input is decoded from another place.
    mutating func restarted() { (isDecoded, hasEnded) = (false, false) }

    /// Another input comes next, or none.
    /// - Parameter mayOpen: Whether it may be opened; if not, that is reported later.
    mutating func nextChanged(hasNext: Bool, mayOpen: Bool = true) -> [Action] {
        next = !hasNext ? .none : mayOpen ? .waiting : .held
        return isDecoded ? settle() : []
    }

    /// The next input is opened when so many seconds of the current one are left to be decoded, at the playback rate.
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

    /// Reports the decoded seconds at the output, of which too few would let it play silence.
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
