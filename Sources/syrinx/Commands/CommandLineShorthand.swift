import Foundation
import SyrinxListening

/// Interprets a command line without a command, as inputs to play or as a misspelt word.
///
/// Without side effects, apart from the calls of `exists`.
enum CommandLineShorthand: Equatable {
    /// The arguments with the implied command.
    case arguments([String])
    /// A word that is neither a command nor an input, and the most similar command.
    case unknown(String, suggestion: String?)

    /// Interprets `arguments`, which do not include the program's name.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - commands: The names of the commands.
    ///   - exists: Returns whether a file exists at a path.
    init(_ arguments: [String], commands: [String], exists: (String) -> Bool) {
        guard let first = arguments.first else {
            self = .arguments(arguments)
            return
        }
        // Options before the first word belong to `play` if an input follows.
        if first.hasPrefix("-"), first != "-" {
            let words = arguments.filter { !$0.hasPrefix("-") || $0 == "-" }
            let isPlay = !words.isEmpty && !words.contains(where: commands.contains)
            self = .arguments(isPlay ? ["play"] + arguments : arguments)
        } else if commands.contains(first) || first.isEmpty {
            self = .arguments(arguments)
        } else if first == "-" || first.contains("/") || exists(first) {
            self = .arguments(["play"] + arguments)
        } else if let suggestion = NearestName.find(first, among: commands) {
            self = .unknown(first, suggestion: suggestion)
        } else if first.contains(".") {
            self = .arguments(["play"] + arguments)
        } else {
            self = .unknown(first, suggestion: nil)
        }
    }
}
