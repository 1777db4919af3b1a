import SyrinxListening

/// The words of `syrinx control`, understood.
///
/// Pure.
enum ControlWords: Equatable {
    case status
    case command(ListeningCommand)

    /// Understands words.
    /// - Parameter directory: The folder that relative paths are in.
    init(_ words: [String], directory: String) throws(CommandError) {
        guard words.first == "status" else {
            var command = try ListeningCommand(words: words)
            if case .enqueue(let input) = command { command = .enqueue(Self.absolute(input, directory)) }
            self = .command(command)
            return
        }
        if words.count > 1 { throw CommandError("status takes no value") }
        self = .status
    }

    /// The path of a file as another process, in another folder, finds it.
    static func absolute(_ input: String, _ directory: String) -> String {
        guard let argument = ListeningInput(argument: input), case .file = argument.location,
            !input.hasPrefix("/"), !input.lowercased().hasPrefix("file:")
        else { return input }
        return directory + "/" + input
    }
}
