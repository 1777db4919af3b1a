package import SyrinxTerminal

/// The colours of the screen by the roles of what is drawn.
///
/// The standard theme leaves text and background to the terminal, so that it fits light and dark ones.
package struct Theme: Equatable, Sendable {
    /// A role that `config.toml` can give a colour.
    package enum Role: String, CaseIterable, Sendable {
        case text, background, dim, accent
        /// The bar of the selected entry, and its text.
        case selection
        case selectionText = "selection-text"
        /// The waveform: what was played, what has arrived, and what has not.
        case played, received, missing
        /// The meters: low, from −18 dB, and from −3 dB.
        case meter
        case meterHigh = "meter-high"
        case meterPeak = "meter-peak"
        case good, warning, error
    }

    private var colors: [Color]

    /// The standard theme: the terminal's own colours, and one accent.
    package init() {
        colors = Role.allCases.map { role in
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
    }

    /// The colour of a role.
    package subscript(role: Role) -> Color {
        get { colors[Role.allCases.firstIndex(of: role) ?? 0] }
        set { if let index = Role.allCases.firstIndex(of: role) { colors[index] = newValue } }
    }
}
