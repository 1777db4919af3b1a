import ArgumentParser
import Foundation

/// The parser's description of a command, with its options, arguments and subcommands.
struct CommandOutline: Decodable {
    /// An option, a flag or an argument.
    struct Argument: Decodable {
        /// The kind of an argument: positional, an option with a value, or a flag.
        enum Kind: String, Decodable { case positional, option, flag }

        /// A name of an option or flag.
        struct Name: Decodable {
            let kind, name: String

            /// The name with its dashes.
            var text: String { (kind == "long" ? "--" : "-") + name }
        }

        let kind: Kind
        let names: [Name]?
        let valueName, abstract, discussion, defaultValue: String?
        let isOptional, isRepeating, shouldDisplay: Bool
    }

    let commandName: String
    let abstract, discussion: String?
    let arguments: [Argument]?
    let subcommands: [CommandOutline]?
    let shouldDisplay: Bool

    private struct Document: Decodable { let command: CommandOutline }

    /// Returns the description of the whole command.
    ///
    /// - Throws: `DecodingError` if the format of the parser's description has changed.
    static func root() throws -> CommandOutline {
        try JSONDecoder().decode(Document.self, from: Data(RootCommand._dumpHelp().utf8)).command
    }
}
