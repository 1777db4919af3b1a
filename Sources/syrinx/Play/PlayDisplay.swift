/// The way in which `play` tells people what plays.
enum PlayDisplay: Equatable, Sendable {
    /// By lines at the bottom of a terminal that are rewritten in place.
    case drawn
    /// By a line for each input and chapter, on a terminal that can only print.
    case printed
    /// Not at all: there is no terminal, or a program reads events instead.
    case silent

    /// The way for what standard error leads to.
    init(writesJSON: Bool, isTerminal: Bool, term: String?) {
        if writesJSON || !isTerminal {
            self = .silent
        } else {
            self = term == "dumb" ? .printed : .drawn
        }
    }
}
