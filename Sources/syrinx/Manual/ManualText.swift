/// Generates the source of a manual page, with `man` macros.
struct ManualText {
    private(set) var text: String

    /// Starts a page.
    ///
    /// - Parameters:
    ///   - name: The name of the page, such as `syrinx-play`.
    ///   - version: The program's name and version, for the footer.
    init(name: String, version: String) {
        text = ".TH \(Self.quoted(name.uppercased())) 1 \"\" \(Self.quoted(version)) \"User Commands\"\n.nh\n.ad l\n"
    }

    /// Starts a section.
    mutating func section(_ title: String) { text += ".SH \(title)\n" }

    /// Starts a paragraph, except at the start of a section.
    private mutating func startParagraph() {
        let last = text.dropLast().lastIndex(of: "\n").map { text[text.index(after: $0)...] } ?? text[...]
        if !last.hasPrefix(".SH ") { text += ".PP\n" }
    }

    /// Adds an item with a label, given as page source.
    mutating func item(_ label: String, _ description: String) {
        text += ".TP\n\(label)\n\(Self.line(description))\n"
    }

    /// Adds a line of page source.
    mutating func source(_ line: String) { text += line + "\n" }

    /// Adds preformatted lines, such as example commands.
    mutating func lines(_ lines: [String]) {
        startParagraph()
        text += ".nf\n.RS\n" + lines.map { Self.line($0, isCode: true) + "\n" }.joined() + ".RE\n.fi\n"
    }

    /// Adds paragraphs of text.
    ///
    /// A paragraph with a line that starts with two spaces is a table, whose lines are kept.
    mutating func paragraphs(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for paragraph in lines.split(whereSeparator: \.isEmpty) {
            if paragraph.contains(where: { $0.hasPrefix("  ") }) {
                self.lines(paragraph.map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : $0 })
            } else {
                startParagraph()
                self.text += "\(Self.line(paragraph.joined(separator: " ")))\n"
            }
        }
    }

    /// Returns text as a line of page source, with special characters escaped.
    ///
    /// - Parameter isCode: Whether it is a command or an option, in which backquotes are kept and minus signs can be
    ///   copied.
    static func line(_ text: String, isCode: Bool = false) -> String {
        var line = text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : ""
        var isBold = false
        for character in text {
            switch character {
            case "\\": line += "\\e"
            case "-": line += isCode || isBold ? "\\-" : "-"
            case "'": line += "\\(aq"
            case "^": line += "\\(ha"
            case "~": line += "\\(ti"
            case "`" where isCode: line += "\\(ga"
            case "`":
                isBold.toggle()
                line += isBold ? "\\fB" : "\\fR"
            case "\n": line += " "
            default: line.append(character)
            }
        }
        return isBold ? line + "\\fR" : line
    }

    /// Returns text in bold, for commands and options.
    static func bold(_ text: String) -> String { "\\fB\(line(text, isCode: true))\\fR" }

    private static func quoted(_ text: String) -> String { "\"\(line(text, isCode: true))\"" }
}
