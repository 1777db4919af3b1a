import ArgumentParser
import SyrinxListening

/// A manual page, generated from the parser's description and the tables of effects and exit codes.
struct ManualPage {
    /// The name of the page: the words of the command, joined by hyphens.
    let name: String
    /// The source of the page, with `man` macros.
    let text: String

    /// Returns the pages of all commands that appear in the help, starting with `syrinx`.
    ///
    /// - Throws: `DecodingError` if the parser's description cannot be decoded.
    static func all() throws -> [ManualPage] {
        try pages(of: CommandOutline.root(), RootCommand.self, below: [], examples: RootCommand.examples)
    }

    private static func pages(
        of outline: CommandOutline,
        _ type: any ParsableCommand.Type,
        below parents: [String],
        examples: [String]
    ) -> [ManualPage] {
        let words = parents + [outline.commandName]
        let parts = type.configuration.subcommands.compactMap { part in
            outline.subcommands?.first { $0.shouldDisplay && $0.commandName == part._commandName }.map { ($0, part) }
        }
        return [ManualPage(words, outline, parts: parts.map(\.0), examples: examples)]
            + parts.flatMap { outline, part in
                pages(of: outline, part, below: words, examples: (part as? any RunnableCommand.Type)?.examples ?? [])
            }
    }

    private init(_ words: [String], _ outline: CommandOutline, parts: [CommandOutline], examples: [String]) {
        let name = words.joined(separator: "-")
        self.name = name
        let command = words.joined(separator: " ")
        let arguments = (outline.arguments ?? []).filter(\.shouldDisplay)
        let options = arguments.filter { $0.kind != .positional }
        let values = arguments.filter { $0.kind == .positional }
        var page = ManualText(name: name, version: VersionReport.version)
        page.section("NAME")
        let abstract = outline.abstract ?? ""
        let summary = abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract
        page.source("\(ManualText.line(name, isCode: true)) \\- \(ManualText.line(summary))")
        page.section("EXAMPLES")
        page.lines(examples)
        page.section("SYNOPSIS")
        let usage = values.map(\.usage) + (parts.isEmpty ? [] : ["\\fIcommand\\fR"])
        page.source(([ManualText.bold(command), "[\\fIoptions\\fR]"] + usage).joined(separator: " "))
        if words.count == 1 { page.source(".br\n\(ManualText.bold(command)) \\fIfile\\fR…") }
        page.section("DESCRIPTION")
        page.paragraphs([outline.abstract, outline.discussion].compactMap(\.self).joined(separator: "\n\n"))
        page.add(values, titled: "ARGUMENTS")
        page.add(options, titled: "OPTIONS")
        if !parts.isEmpty {
            page.section("COMMANDS")
            for part in parts {
                page.item("\(ManualText.bold("\(name)-\(part.commandName)"))(1)", part.abstract ?? "")
            }
        }
        if options.contains(where: { $0.names?.contains { $0.name == "effect" } == true }) {
            page.section("EFFECTS")
            page.paragraphs("The values of `--effect`, with their keys, ranges and defaults:")
            page.lines(EffectList.lines())
        }
        page.section("EXIT STATUS")
        for (status, meaning) in ExitStatus.meanings { page.item("\(status.rawValue)", meaning) }
        let others = parts.map { "\(name)-\($0.commandName)" }
        let parent = words.dropLast().joined(separator: "-")
        let related =
            (parent.isEmpty ? [] : [parent]) + (parent.isEmpty || parent == "syrinx" ? [] : ["syrinx"]) + others
        if !related.isEmpty {
            page.section("SEE ALSO")
            page.source(related.map { "\(ManualText.bold($0))(1)" }.joined(separator: ", "))
        }
        text = page.text
    }
}

extension CommandOutline.Argument {
    /// The argument in a synopsis, as page source.
    fileprivate var usage: String {
        let name = "\\fI\(ManualText.line(valueName ?? "value"))\\fR\(isRepeating ? "…" : "")"
        return isOptional ? "[\(name)]" : name
    }

    /// The label in the list of options or arguments, as page source.
    fileprivate var label: String {
        let value = "\\fI\(ManualText.line(valueName ?? "value"))\\fR"
        guard let names, kind != .positional else { return value }
        // Manuals list the short name first.
        let sorted = names.filter { $0.kind != "long" } + names.filter { $0.kind == "long" }
        let text = sorted.map { ManualText.bold($0.text) }.joined(separator: ", ")
        return kind == .option ? "\(text) \(value)" : text
    }
}

extension ManualText {
    /// Adds a section of options or arguments, unless there are none.
    fileprivate mutating func add(_ arguments: [CommandOutline.Argument], titled title: String) {
        guard !arguments.isEmpty else { return }
        section(title)
        for argument in arguments {
            let standard = argument.defaultValue.map { "Default: \($0)." }
            item(
                argument.label,
                [argument.abstract, argument.discussion, standard].compactMap(\.self).joined(separator: " ")
            )
        }
    }
}
