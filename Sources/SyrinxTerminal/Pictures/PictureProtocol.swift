/// A method of displaying pictures in a terminal.
package enum PictureProtocol: Equatable, Sendable {
    case none
    /// Two pixels per cell, with the upper half block in two colors.
    case halfBlocks
    case sixel
    case kitty

    /// Returns the best method for the environment and the terminal's responses.
    ///
    /// Terminal multiplexers do not forward graphics protocols by default, so inside one, only a response counts.
    /// - Parameter answers: The responses to the queries; empty if none have arrived.
    package static func best(environment: [String: String], answers: [TerminalAnswer] = []) -> Self {
        let depth = ColorDepth(environment: environment)
        guard depth != .none else { return .none }
        var hasSixel = false
        for answer in answers {
            switch answer {
            case .kittyGraphics(isSupported: true): return .kitty
            case .attributes(let numbers) where numbers.contains(4): hasSixel = true
            default: break
            }
        }
        let term = environment["TERM"] ?? ""
        let program = environment["TERM_PROGRAM"] ?? ""
        let isMultiplexed =
            environment["TMUX"] != nil || environment["STY"] != nil || term.hasPrefix("screen")
            || term.hasPrefix("tmux")
        let isRefused = answers.contains(.kittyGraphics(isSupported: false))
        if !isMultiplexed, !isRefused {
            if environment["KITTY_WINDOW_ID"] != nil || term == "xterm-kitty" || term == "xterm-ghostty"
                || program == "ghostty" || program == "WezTerm"
            {
                return .kitty
            }
        }
        if hasSixel { return .sixel }
        // Sixteen colors are too few for a picture.
        return depth >= .indexed ? .halfBlocks : .none
    }
}
