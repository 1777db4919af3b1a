/// The source of a manual page, in the macros of `man`, while it is written.
struct ManualText {
    private(set) var text: String

    /// Starts a page.
    ///
    /// - Parameters:
    ///   - name: The page's name, such as `syrinx-play`.
    ///   - version: The program's name and version, for the footer.
    init(name: String, version: String) {
        text = ".TH \(Self.quoted(name.uppercased())) 1 \"\" \(Self.quoted(version)) \"User Commands\"\n.nh\n.ad l\n"
    }

    /// Starts a section.
    mutating func section(_ title: String) { text += ".SH \(title)\n" }

    /// Starts a paragraph, which a section does by itself.
    private mutating func startParagraph() {
        let last = text.dropLast().lastIndex(of: "\n").map { text[text.index(after: $0)...] } ?? text[...]
        if !last.hasPrefix(".SH ") { text += ".PP\n" }
    }

    /// Adds an item with a label, which is source already.
    mutating func item(_ label: String, _ description: String) {
        text += ".TP\n\(label)\n\(Self.line(description))\n"
    }

    /// Adds a line that is source already.
    mutating func source(_ line: String) { text += line + "\n" }

    /// Adds lines as they are, such as commands to type.
    mutating func lines(_ lines: [String]) {
        startParagraph()
        text += ".nf\n.RS\n" + lines.map { Self.line($0, isCode: true) + "\n" }.joined() + ".RE\n.fi\n"
    }

    /// Adds a text of paragraphs.
    ///
    /// A paragraph with a line that starts with two spaces is a table, and keeps its lines.
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

    /// Returns text as a line of source: nothing in it is a request, an escape or a dash of another kind.
    ///
    /// - Parameter isCode: Whether it is a command or an option, in which backquotes stay, and minus signs can be copied.
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

    /// Returns text in bold, as commands and options are.
    static func bold(_ text: String) -> String { "\\fB\(line(text, isCode: true))\\fR" }

    private static func quoted(_ text: String) -> String { "\"\(line(text, isCode: true))\"" }
}
