import SyrinxTerminal

/// The styles of a theme, worked out once.
struct Styles: Sendable {
    let text: Style
    let dim: Style
    let title: Style
    let accent: Style
    let selection: Color
    let selectionText: Color
    let good: Style
    let warning: Style
    let error: Style
    let seekBar: SeekBar.Styles
    let meter: LevelMeter.Styles

    init(_ theme: Theme) {
        func style(_ role: Theme.Role, _ attributes: Style.Attributes = []) -> Style {
            Style(foreground: theme[role], background: theme[.background], attributes: attributes)
        }
        text = style(.text)
        dim = style(.dim)
        title = style(.text, .bold)
        accent = style(.accent)
        selection = theme[.selection]
        selectionText = theme[.selectionText]
        good = style(.good)
        warning = style(.warning)
        error = style(.error)
        seekBar = SeekBar.Styles(
            played: style(.played),
            received: style(.received),
            missing: style(.missing),
            mark: style(.accent, .bold)
        )
        meter = LevelMeter.Styles(
            low: style(.meter),
            high: style(.meterHigh),
            peak: style(.meterPeak),
            empty: style(.missing)
        )
    }
}
