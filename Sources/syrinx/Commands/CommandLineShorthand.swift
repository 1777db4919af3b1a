import Foundation
import SyrinxListening

/// Finds out what a command line without a command means: inputs to play, or a word that is misspelt.
///
/// Pure but for `exists`.
enum CommandLineShorthand: Equatable {
    /// The arguments with the command that they stand for.
    case arguments([String])
    /// A word that is neither a command nor an input, and the command that it may have been meant for.
    case unknown(String, suggestion: String?)

    /// Understands `arguments`, which do not hold the program's own name; `exists` tells whether there is a file at a path.
    init(_ arguments: [String], commands: [String], exists: (String) -> Bool) {
        guard let first = arguments.first else {
            self = .arguments(arguments)
            return
        }
        // Options before any word: they are those of `play` if something to play follows.
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
