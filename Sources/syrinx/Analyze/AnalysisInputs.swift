import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening

/// The list of inputs, from the command line and from standard input, handed out one by one to any thread.
final class AnalysisInputs: Sendable {
    private struct State {
        var arguments: ArraySlice<ListeningInput>
        var cutter = LineCutter(limit: InputLine.longest)
        var lines: ArraySlice<LineCutter.Line> = []
        var readsStandardInput = false
        /// The failure that ended the reading of standard input.
        var failure: Failure?
    }

    private let state: Mutex<State>
    private let interruption: Interruption
    /// The number of inputs, or `nil` if standard input has some.
    let total: Int?

    /// The inputs of the command line, in which `-` stands for the lines of standard input.
    init(_ arguments: [ListeningInput], interruption: Interruption) {
        state = Mutex(State(arguments: arguments[...]))
        self.interruption = interruption
        total = arguments.contains(where: \.isStandardInput) ? nil : arguments.count
    }

    /// Returns the next input, and waits for standard input if that is where it comes from; `nil` at the end or if interrupted.
    ///
    /// Standard input is read no further than the inputs that have been handed out, but for one piece.
    func next() -> InputLine? {
        state.withLock { state in
            while !interruption.isRequested {
                if let line = state.lines.popFirst() {
                    if let input = InputLine(line) { return input }
                } else if state.readsStandardInput {
                    readLines(&state)
                } else {
                    guard let argument = state.arguments.popFirst() else { return nil }
                    guard argument.isStandardInput else { return .input(argument) }
                    state.readsStandardInput = true
                }
            }
            return nil
        }
    }

    /// The failure that has ended the reading of standard input; `nil` if it has come to its end, or not been read.
    var failure: Failure? { state.withLock { $0.failure } }

    private func readLines(_ state: inout State) {
        guard Descriptor.wait(for: POLLIN, on: STDIN_FILENO, milliseconds: 100) else { return }
        guard let bytes = Descriptor.readSome(from: STDIN_FILENO, limit: 1 << 14) else {
            let sentence = Descriptor.sentence(errno)
            state.failure = Failure(code: .fileReadFailed, message: sentence, name: "standard input")
            // A line that has come in part only may name another input.
            state.readsStandardInput = false
            return
        }
        guard bytes.isEmpty else {
            state.lines = state.cutter.take(bytes)[...]
            return
        }
        state.lines = state.cutter.finish()[...]
        state.readsStandardInput = false
    }
}
