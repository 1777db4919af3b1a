import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening

/// The inputs from the command line and from standard input, which are returned one by one to any thread.
final class AnalysisInputs: Sendable {
    private struct State {
        var arguments: ArraySlice<ListeningInput>
        var cutter = LineCutter(limit: InputLine.longest)
        var lines: ArraySlice<LineCutter.Line> = []
        var readsStandardInput = false
        /// The error that ended reading of standard input.
        var failure: Failure?
    }

    private let state: Mutex<State>
    private let interruption: Interruption
    /// The number of inputs; `nil` if some come from standard input.
    let total: Int?

    /// Creates a list of the command line's inputs, in which `-` stands for the lines of standard input.
    init(_ arguments: [ListeningInput], interruption: Interruption) {
        state = Mutex(State(arguments: arguments[...]))
        self.interruption = interruption
        total = arguments.contains(where: \.isStandardInput) ? nil : arguments.count
    }

    /// Returns the next input, waiting for standard input if necessary; `nil` at the end or after an interruption.
    ///
    /// Standard input is read only one buffer ahead.
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

    /// The error that ended reading of standard input; `nil` if there is none.
    var failure: Failure? { state.withLock { $0.failure } }

    private func readLines(_ state: inout State) {
        guard Descriptor.wait(for: POLLIN, on: STDIN_FILENO, milliseconds: 100) else { return }
        guard let bytes = Descriptor.readSome(from: STDIN_FILENO, limit: 1 << 14) else {
            let sentence = Descriptor.sentence(errno)
            state.failure = Failure(code: .fileReadFailed, message: sentence, name: "standard input")
            // An incomplete line may name another input.
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
