import ArgumentParser
import Foundation
import SyrinxByteStream
import SyrinxListening

/// The meaning of the arguments.
enum CommandLineMeaning {
    /// A command to run.
    case command(any RunnableCommand)
    /// A result to print, without running a command.
    case answer(CommandLineResult)

    /// Parses `arguments`, which do not include the program's name.
    init(of arguments: [String]) {
        // Scripts ask for the version often, and it needs no parser.
        if arguments == ["--version"] {
            self = .answer(CommandLineResult(text: VersionReport.version, failure: nil, asJSON: false))
            return
        }
        let commands = RootCommand.parts.keys.sorted() + ["help"]
        var arguments = arguments
        if arguments.sorted() == ["--verbose", "--version"] {
            self = .answer(CommandLineResult(text: VersionReport.text, failure: nil, asJSON: false))
            return
        }
        if let topic = HelpTopic(arguments) {
            self = .answer(CommandLineResult(text: topic.text, failure: nil, asJSON: false))
            return
        }
        // A shell requests completions, or the completion script. These words name no input.
        if ["---completion", "--generate-completion-script"].contains(arguments.first) {
            do {
                _ = try RootCommand.parseAsRoot(arguments)
            } catch {
                let answer = CommandLineResult(to: error, arguments: arguments)
                self = .answer(answer.completingScript(for: arguments.count > 1 ? arguments[1] : ""))
                return
            }
        }
        switch CommandLineShorthand(arguments, commands: commands, exists: { access($0, F_OK) == 0 }) {
        case .arguments(let complete): arguments = AdaptiveOptions.completed(complete)
        case .unknown(let word, let suggestion):
            self = .answer(CommandLineResult(unknown: word, suggestion: suggestion, arguments: arguments))
            return
        }
        if arguments.isEmpty, (try? PlayOptions.parse([]))?.canStayOpen == true { arguments = ["play"] }
        do {
            var command = try RootCommand.parseAsRoot(arguments)
            if let command = command as? any RunnableCommand {
                self = .command(command)
                return
            }
            // `syrinx` without a subcommand and the parser's `help` throw their text when run.
            try command.run()
            throw CleanExit.helpRequest(RootCommand.self)
        } catch {
            self = .answer(CommandLineResult(to: error, arguments: arguments))
        }
    }
}

/// The result of a command line that runs nothing: help, the version, or an error.
struct CommandLineResult: Equatable {
    /// The text for standard output; `nil` after an error.
    let text: String?
    /// The error; `nil` if there is none.
    let failure: Failure?
    /// Whether the error is also written as JSON.
    let asJSON: Bool

    fileprivate init(text: String?, failure: Failure?, asJSON: Bool) {
        (self.text, self.failure, self.asJSON) = (text, failure, asJSON)
    }

    /// Creates the result for an error of the parser, or for a help text that it throws.
    init(to error: any Error, arguments: [String]) {
        let part = arguments.first { RootCommand.parts[$0] != nil }
        if RootCommand.exitCode(for: error).isSuccess {
            let message = RootCommand.fullMessage(for: error)
            text = Self.isHelp(message) ? Self.examples(of: arguments) + message : message
            failure = nil
        } else {
            text = nil
            failure = .usage(Self.sentence(RootCommand.message(for: error)), name: part ?? "command line")
        }
        asJSON = failure != nil && arguments.contains("--json")
    }

    /// Creates the result for a first word that is neither a command nor an input.
    init(unknown word: String, suggestion: String?, arguments: [String]) {
        let hint = suggestion.map { "Did you mean \($0)?" } ?? "See syrinx --help for the commands."
        failure = .usage("There is no command and no file named \"\(word)\". \(hint)", name: "command line")
        text = nil
        asJSON = arguments.contains("--json")
    }

    /// Returns the result with the completion script for `shell` extended, if its text is that script.
    func completingScript(for shell: String) -> CommandLineResult {
        CommandLineResult(
            text: text.map { CompletionScript.completed($0, for: shell) },
            failure: failure,
            asJSON: asJSON
        )
    }

    /// Prints the text and the error, and returns the exit code.
    func give(on console: Console) -> ExitStatus {
        if let text { console.write(text) }
        guard let failure else { return .success }
        console.tell(failure, asJSON: asJSON)
        return failure.exitStatus
    }

    private static func isHelp(_ message: String) -> Bool { message.contains("USAGE:") }

    /// Returns the examples of the command that `arguments` name, such as those of `podcast add`.
    private static func examples(of arguments: [String]) -> String {
        var (parts, lines) = (RootCommand.parts, RootCommand.examples)
        for word in arguments {
            guard let part = parts[word] else { continue }
            (parts, lines) = (RootCommand.parts(of: part), part.examples)
        }
        return "EXAMPLES:\n" + lines.map { "  \($0)\n" }.joined() + "\n"
    }

    /// Returns a message of the parser on a single line.
    private static func sentence(_ message: String) -> String {
        let lines = ByteText.readable(message).split(whereSeparator: \.isNewline)
        return lines.map { $0.trimmed }.joined(separator: " ")
    }
}

extension Substring {
    /// The text without leading and trailing spaces.
    fileprivate var trimmed: Substring {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? endIndex
        return start < end ? self[start..<end] : ""
    }
}
