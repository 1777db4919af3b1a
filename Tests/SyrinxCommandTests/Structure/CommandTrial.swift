import Foundation
import SyrinxTestSupport
import Testing

/// Runs a command of the program on many files at once, and finds the ones that it does not bear.
struct CommandTrial {
    /// The effect of a command on its inputs.
    enum Command: String, CaseIterable, Sendable {
        case info, infoText, meter, meterText, waveform, drawing, play, render

        /// Whether it takes several inputs.
        var takesSeveral: Bool { self != .render && self != .play }

        func arguments(_ inputs: [String], folder: String) -> [String] {
            switch self {
            case .info: ["info", "--json"] + inputs
            case .infoText: ["info"] + inputs
            case .meter: ["meter", "--json"] + inputs
            case .meterText: ["meter"] + inputs
            case .waveform: ["waveform", "-o", folder, "--output-format", "dat", "-z", "auto", "-w", "100"] + inputs
            case .drawing:
                ["waveform", "-o", folder, "--output-format", "svg", "-z", "auto", "--with-axis-labels"] + inputs
            case .play: ["play", "--json", "--output", "file:/dev/null"] + inputs
            case .render: ["render"] + inputs + [folder + "out.wav"]
            }
        }
    }

    /// A failure of a run.
    struct Complaint: CustomStringConvertible {
        let input: String
        let description: String
    }

    /// Seconds that a run may take; of several files that take longer, each is tried by itself.
    static let longest = 10.0
    /// Bytes that a run may hold.
    static let largest = 300 << 20
    /// The exit codes that are allowed: those of the contract except that of a wrong command line.
    static let statuses: Set<Int32> = [0, 65, 66, 69, 74, 75, 77]

    private static let tooLong = "it ran for more than \(Int(longest)) s"

    let folder: String
    var environment = Syrinx.environment
    var statuses = Self.statuses

    /// The inputs that the command does not bear.
    func complaints(_ command: Command, _ inputs: [String]) throws -> [Complaint] {
        guard command.takesSeveral || inputs.count == 1 else {
            return try inputs.flatMap { try complaints(command, [$0]) }
        }
        return try complaints(inputs, "\(command)") { command.arguments($0, folder: folder) }
    }

    /// The inputs that a command does not bear which takes several.
    ///
    /// - Parameters:
    ///   - inputs: The inputs.
    ///   - name: The command, for the complaints.
    ///   - arguments: Returns the arguments for some of the inputs.
    func complaints(_ inputs: [String], _ name: String, _ arguments: ([String]) -> [String]) throws -> [Complaint] {
        guard !inputs.isEmpty, let problem = try run(arguments(inputs)) else { return [] }
        if inputs.count == 1 { return [Complaint(input: inputs[0], description: "\(name): \(problem)")] }
        let middle = inputs.count / 2
        let found =
            try complaints(Array(inputs[..<middle]), name, arguments)
            + complaints(Array(inputs[middle...]), name, arguments)
        // What only happens with several of them is one of them all the same; but several may take longer than one.
        return found.isEmpty && problem != Self.tooLong
            ? [Complaint(input: inputs[0], description: "\(name), with others: \(problem)")] : found
    }

    /// Runs the program.
    /// - Returns: What is wrong with how it ended, if anything is.
    func run(_ arguments: [String]) throws -> String? {
        let errors = folder + "errors"
        let process = try ChildProcess(
            Syrinx.path,
            arguments,
            environment: environment,
            stdout: .file(folder + "output"),
            stderr: .file(errors)
        )
        var peak = 0
        waitUntil(timeout: Self.longest) {
            peak = max(peak, process.residentPeak)
            return process.exitStatus != nil
        }
        guard let status = process.exitStatus else {
            process.kill()
            return Self.tooLong
        }
        if peak > Self.largest { return "it held \(peak >> 20) MiB" }
        guard !statuses.contains(status) else { return nil }
        let text = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        let fatal = text.split(separator: "\n").first { $0.contains("Fatal error") }
        return "it ended with \(status): \(fatal ?? text.split(separator: "\n").last ?? "")"
    }
}
