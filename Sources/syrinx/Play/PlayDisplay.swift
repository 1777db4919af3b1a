/// The way in which `play` displays playback.
enum PlayDisplay: Equatable, Sendable {
    /// By all of a terminal, with pages, the mouse and the waveform.
    case screen
    /// By lines at the bottom of a terminal that are rewritten in place.
    case drawn
    /// By a line for each input and chapter, on a terminal that can only print.
    case printed
    /// Not at all: there is no terminal, or a program reads events instead.
    case silent

    /// The way for what standard error leads to.
    /// - Parameter isPlain: Whether one line is wanted where all of the terminal could be drawn on.
    init(writesJSON: Bool, isTerminal: Bool, term: String?, isPlain: Bool = true) {
        if writesJSON || !isTerminal {
            self = .silent
        } else {
            self = term == "dumb" ? .printed : isPlain ? .drawn : .screen
        }
    }
}
