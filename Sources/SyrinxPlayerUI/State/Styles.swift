import SyrinxTerminal

/// The styles of a theme, computed once.
///
/// With few colors, attributes replace them: the open tab, the selection and the playhead are drawn in reverse video.
/// Without colors, the played part is bold, and secondary text is dim.
struct Styles: Sendable {
    let theme: Theme
    let depth: ColorDepth
    let text: Style
    let dim: Style
    let title: Style
    let accent: Style
    /// The tab of the current page.
    let openTab: Style
    let good: Style
    let warning: Style
    let error: Style
    let seekBar: SeekBar.Styles
    let meter: LevelMeter.Styles
    private let selection: Color
    private let selectionText: Color
    private let reversesSelection: Bool

    init(_ theme: Theme, depth: ColorDepth) {
        (self.theme, self.depth) = (theme, depth)
        let (isColorless, hasFew) = (depth == .none, depth <= .sixteen)
        func style(
            _ role: Theme.Role,
            _ attributes: Style.Attributes = [],
            colorless: Style.Attributes = []
        ) -> Style {
            let all = isColorless ? attributes.union(colorless) : attributes
            return Style(foreground: theme[role], background: theme[.background], attributes: all)
        }
        text = style(.text)
        dim = style(.dim, colorless: .dim)
        title = style(.text, .bold)
        accent = style(.accent, colorless: .bold)
        openTab = style(.accent, hasFew ? [.bold, .reversed] : .bold)
        selection = theme[.selection]
        selectionText = theme[.selectionText]
        reversesSelection = hasFew
        good = style(.good)
        warning = style(.warning)
        error = style(.error, colorless: .bold)
        seekBar = SeekBar.Styles(
            played: style(.played, colorless: .bold),
            received: style(.received),
            missing: style(.missing, colorless: .dim),
            mark: style(.accent, .bold),
            playhead: hasFew ? style(.played, .reversed) : nil
        )
        meter = LevelMeter.Styles(
            low: style(.meter),
            high: style(.meterHigh),
            peak: style(.meterPeak),
            empty: style(.missing, colorless: .dim)
        )
    }

    /// Applies the style of the selected row.
    ///
    /// Colors with a meaning are kept.
    func select(_ style: inout Style) {
        style.attributes.insert(.bold)
        style.attributes.remove(.dim)
        if reversesSelection {
            style.attributes.insert(.reversed)
            if style.foreground == dim.foreground { style.foreground = text.foreground }
            return
        }
        style.background = selection
        if style.foreground == text.foreground || style.foreground == dim.foreground {
            style.foreground = selectionText
        }
    }
}
