import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxMediaCodec

/// The file that keeps the answers of `analyze`, so that a later run goes on where an earlier one ended.
final class AnalysisJournal: Sendable {
    private let descriptor: Int32
    private let path: FilePath
    private let answered: Set<String>
    private let write = Mutex(())

    /// Opens the file at `path`, which is created if it does not exist, and reads what it answers already.
    ///
    /// Answers with an error do not count: such inputs are tried again. A last line that was cut off does not count either.
    init(path: FilePath) throws(Failure) {
        self.path = path
        descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else { throw Self.failure(errno, path) }
        var cutter = LineCutter(limit: Self.longestLine)
        var names: Set<String> = []
        var last: UInt8 = UInt8(ascii: "\n")
        while true {
            guard let bytes = Descriptor.read(from: descriptor, limit: 1 << 16) else {
                throw Self.failure(errno, path)
            }
            guard let end = bytes.last else { break }
            last = end
            for line in cutter.take(bytes) {
                if case .text(let text) = line, let name = Self.answeredName(in: text) { names.insert(name) }
            }
        }
        answered = names
        if last != UInt8(ascii: "\n") { try append("") }
    }

    deinit { close(descriptor) }

    /// Whether an earlier run has found out about `input`.
    func hasAnswer(for input: AnalysisInput) -> Bool { answered.contains(input.name) }

    /// Adds a line, which is in the file when this returns.
    func append(_ line: String) throws(Failure) {
        let number = write.withLock { _ -> Int32 in
            do throws(Descriptor.WriteError) {
                try Descriptor.write(line + "\n", to: descriptor)
                return 0
            } catch {
                return error.number
            }
        }
        if number != 0 { throw Self.failure(number, path) }
    }

    /// Far more than an answer with chapters and silences takes.
    private static let longestLine = 64 << 20

    private static func answeredName(in line: [UInt8]) -> String? {
        struct Answer: Decodable {
            struct Mark: Decodable {}
            var input: String
            var info: Mark
        }
        return (try? JSONDecoder().decode(Answer.self, from: Data(line)))?.input
    }

    private static func failure(_ number: Int32, _ path: FilePath) -> Failure {
        let isDenied = number == EACCES || number == EPERM || number == EROFS
        let code: ErrorCode = isDenied ? .filePermissionDenied : .fileWriteFailed
        return Failure(code: code, message: Descriptor.sentence(number), name: path.name)
    }
}
