import ArgumentParser
import Foundation

/// A command as the parser describes it: its options, arguments and subcommands.
struct CommandOutline: Decodable {
    /// An option, a flag or an argument.
    struct Argument: Decodable {
        /// The place of an argument on the command line: by itself, behind a name, or only a name.
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
    /// - Throws: `DecodingError` if the parser writes a format that this type does not read.
    static func root() throws -> CommandOutline {
        try JSONDecoder().decode(Document.self, from: Data(RootCommand._dumpHelp().utf8)).command
    }
}
