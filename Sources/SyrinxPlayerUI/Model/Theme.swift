package import SyrinxTerminal

/// The colors of the screen, by role.
///
/// The default themes use the terminal's colors for text and background. There are themes for dark and light terminals,
/// each also in a version with sixteen colors.
package struct Theme: Equatable, Sendable {
    /// A role whose color `config.toml` can set.
    package enum Role: String, CaseIterable, Sendable {
        case text, background, dim, accent
        /// The bar of the selected entry, and its text.
        case selection
        case selectionText = "selection-text"
        /// The waveform: the played, the downloaded and the missing part.
        case played, received, missing
        /// The level meters: low, from −18 dB, and from −3 dB.
        case meter
        case meterHigh = "meter-high"
        case meterPeak = "meter-peak"
        case good, warning, error
    }

    private var colors: [Color]

    /// Creates a default theme with the terminal's colors and one accent color.
    ///
    /// - Parameters:
    ///   - depth: The number of colors of the terminal. With sixteen or fewer, the selection is drawn in reverse video.
    ///   - isLight: Whether the terminal has a light background.
    package init(depth: ColorDepth = .trueColor, isLight: Bool = false) {
        let color =
            switch (depth <= .sixteen, isLight) {
            case (true, false): Self.sixteenOnDark
            case (true, true): Self.sixteenOnLight
            case (false, false): Self.onDark
            case (false, true): Self.onLight
            }
        colors = Role.allCases.map(color)
    }

    /// The color of a role.
    package subscript(role: Role) -> Color {
        get { colors[Role.allCases.firstIndex(of: role) ?? 0] }
        set { if let index = Role.allCases.firstIndex(of: role) { colors[index] = newValue } }
    }

    // MARK: Standard themes

    private static func onDark(_ role: Role) -> Color {
        switch role {
        case .text, .background: .standard
        case .dim: .indexed(245)
        case .accent, .played: .rgb(0x5F, 0xAF, 0xD7)
        case .selection: .indexed(237)
        case .selectionText: .indexed(255)
        case .received: .indexed(246)
        case .missing: .indexed(239)
        case .meter: .rgb(0x5F, 0xAF, 0x87)
        case .meterHigh: .rgb(0xD7, 0xAF, 0x5F)
        case .meterPeak, .error: .rgb(0xD7, 0x5F, 0x5F)
        case .good: .rgb(0x87, 0xAF, 0x5F)
        case .warning: .rgb(0xD7, 0xAF, 0x5F)
        }
    }

    private static func onLight(_ role: Role) -> Color {
        switch role {
        case .text, .background: .standard
        case .dim: .indexed(242)
        case .accent, .played: .rgb(0x00, 0x5F, 0x87)
        case .selection: .indexed(253)
        case .selectionText: .indexed(232)
        case .received: .indexed(246)
        case .missing: .indexed(251)
        case .meter: .rgb(0x2E, 0x8B, 0x57)
        case .meterHigh, .warning: .rgb(0x87, 0x5F, 0x00)
        case .meterPeak, .error: .rgb(0xAF, 0x26, 0x26)
        case .good: .rgb(0x3F, 0x75, 0x1A)
        }
    }

    private static func sixteenOnDark(_ role: Role) -> Color {
        switch role {
        case .text, .background, .selection, .selectionText, .received: .standard
        case .dim, .missing: .indexed(8)
        case .accent, .played: .indexed(14)
        case .meter, .good: .indexed(10)
        case .meterHigh, .warning: .indexed(11)
        case .meterPeak, .error: .indexed(9)
        }
    }

    private static func sixteenOnLight(_ role: Role) -> Color {
        switch role {
        case .text, .background, .selection, .selectionText: .standard
        case .dim, .received: .indexed(8)
        case .missing: .indexed(7)
        case .accent, .played: .indexed(4)
        case .meter, .good: .indexed(2)
        case .meterHigh, .warning: .indexed(3)
        case .meterPeak, .error: .indexed(1)
        }
    }
}
