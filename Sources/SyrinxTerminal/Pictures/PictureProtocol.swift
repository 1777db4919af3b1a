/// A way in which a terminal shows pictures.
package enum PictureProtocol: Equatable, Sendable {
    case none
    /// Two pixels a cell, by the upper half block in two colours.
    case halfBlocks
    case sixel
    case kitty

    /// Returns the best way by the environment and by what the terminal has answered.
    ///
    /// A terminal multiplexer passes neither protocol on by itself, so only an answer counts there.
    /// - Parameter answers: The answers to `TerminalAnswer`'s questions; none if they have not come.
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
        // Sixteen colours make no picture.
        return depth >= .indexed ? .halfBlocks : .none
    }
}
