import Foundation
import Synchronization

/// A program of Tests/Peers that plays the other side of a protocol.
///
/// It prints its port on its first line, and what happens to it on further ones. It ends when its standard input is closed.
public final class PeerProcess: Sendable {
    /// The port of 127.0.0.1 that it listens on.
    public let port: Int
    private let input = Pipe()
    private let process = Process()
    private let output = Mutex<[String]>([])

    struct Failure: Error { let program: String }

    /// Starts the program, and waits for its port.
    /// - Parameter script: The first line that it reads from its standard input, if it reads one.
    public init(_ program: String, _ arguments: [String] = [], script: String? = nil) throws {
        let pipe = Pipe()
        process.executableURL = repositoryRoot.appendingPathComponent("Tests/Peers/\(program)")
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = pipe
        try process.run()
        if let script { input.fileHandleForWriting.write(Data((script + "\n").utf8)) }
        var rest = Data()
        while !rest.contains(10) {
            let some = pipe.fileHandleForReading.availableData
            guard !some.isEmpty else { throw Failure(program: program) }
            rest += some
        }
        let end = rest.firstIndex(of: 10) ?? rest.endIndex
        guard let port = Int(String(decoding: rest[..<end], as: UTF8.self)) else { throw Failure(program: program) }
        self.port = port
        take(Data(rest[end...].dropFirst()), pipe.fileHandleForReading)
    }

    /// The lines that it has printed after its port.
    public var lines: [String] { output.withLock { $0 } }

    /// Collects further lines on a thread of its own, until the program ends.
    private func take(_ first: Data, _ reading: FileHandle) {
        Thread.detachNewThread { [weak self] in
            var rest = first
            while true {
                while let end = rest.firstIndex(of: 10) {
                    let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                    self?.output.withLock { $0.append(line) }
                    rest = Data(rest[end...].dropFirst())
                }
                let some = reading.availableData
                if some.isEmpty { return }
                rest += some
            }
        }
    }

    deinit {
        // A child inherits the blocked signals of the dispatch worker that starts it: SIGTERM would stay pending.
        kill(process.processIdentifier, SIGKILL)
    }
}
