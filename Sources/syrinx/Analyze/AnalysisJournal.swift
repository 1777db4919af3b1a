import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec

/// The file that keeps the answers of `analyze`, so that a later run goes on where an earlier one ended.
final class AnalysisJournal: Sendable {
    private let descriptor: Int32
    private let path: FilePath
    private let answered: Set<String>
    private let write = Mutex(())

    /// Opens the file at `path`, which is created if it does not exist, and reads what it answers already.
    ///
    /// Answers with an error do not count: such inputs are tried again. A last line that was cut off does not count either. A pipe or a
    /// device is only written to.
    /// - Throws: `usage.notResults` if the file holds something else, which stays as it is; or why it cannot be opened.
    init(path: FilePath) throws(Failure) {
        self.path = path
        let isPlain = path.status.map { $0.st_mode & S_IFMT == S_IFREG } ?? true
        let access = isPlain ? O_RDWR | O_CREAT : O_WRONLY
        descriptor = path.withCString { open($0, access | O_APPEND | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else { throw Self.failure(errno, path) }
        var isCutOff = false
        do throws(Failure) {
            (answered, isCutOff) = isPlain ? try Self.read(descriptor, path) : ([], false)
        } catch {
            close(descriptor)
            throw error
        }
        if isCutOff { try append("") }
    }

    /// Reads the names of the inputs that have answers, and whether the last line was cut off.
    private static func read(_ descriptor: Int32, _ path: FilePath) throws(Failure) -> (Set<String>, isCutOff: Bool) {
        var cutter = LineCutter(limit: longestLine)
        var names: Set<String> = []
        var last: UInt8?
        while true {
            guard let bytes = Descriptor.readSome(from: descriptor, limit: 1 << 16) else { throw failure(errno, path) }
            guard let end = bytes.last else { return (names, last.map { $0 != UInt8(ascii: "\n") } ?? false) }
            guard last != nil || isResults(beginning: bytes) else {
                let message = "this file holds something else than answers of analyze, and stays as it is; name another"
                throw Failure(code: .notResults, message: message, name: path.name)
            }
            last = end
            for line in cutter.take(bytes) {
                if case .text(let text) = line, let name = answeredName(in: text) { names.insert(name) }
            }
        }
    }

    /// Whether a file that begins with these bytes has been written by `analyze`, if only in part.
    private static func isResults(beginning bytes: [UInt8]) -> Bool {
        let first = bytes.drop { $0 == UInt8(ascii: "\n") }.prefix { $0 != UInt8(ascii: "\n") }
        let beginnings = [#"{"info":{"#, #"{"error":{"#].map { Array($0.utf8) }
        // A first answer that was cut off, by a full disk for example, is no JSON.
        return beginnings.contains { first.starts(with: $0) || $0.starts(with: first) }
            || answeredName(in: Array(first)) != nil
    }

    deinit { close(descriptor) }

    /// Whether an earlier run has found out about `input`.
    func hasAnswer(for input: InputLine) -> Bool { answered.contains(input.name) }

    /// Adds a line, which is in the file when this returns.
    func append(_ line: String) throws(Failure) {
        let number = write.withLock { _ in Descriptor.writeAll(Array((line + "\n").utf8), to: descriptor) }
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

extension ErrorCode {
    /// The file for results holds something else.
    static let notResults = ErrorCode(rawValue: "usage.notResults")
}
