import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec

/// The results file of `analyze`, with which a later run continues an earlier one.
final class AnalysisJournal: Sendable {
    private let descriptor: Int32
    private let path: FilePath
    private let answered: Set<String>
    private let write = Mutex(())

    /// Opens or creates the file at `path`, and reads its existing results.
    ///
    /// Inputs whose result is an error, or whose line is truncated, are analyzed again. A pipe or a device is only
    /// written to.
    /// - Throws: `usage.notResults` if the file contains something else, which is preserved, or the error of opening
    ///   it.
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

    /// Returns the names of the inputs with results, and whether the last line is truncated.
    private static func read(_ descriptor: Int32, _ path: FilePath) throws(Failure) -> (Set<String>, isCutOff: Bool) {
        var cutter = LineCutter(limit: longestLine)
        var names: Set<String> = []
        var last: UInt8?
        while true {
            guard let bytes = Descriptor.readSome(from: descriptor, limit: 1 << 16) else { throw failure(errno, path) }
            guard let end = bytes.last else { return (names, last.map { $0 != UInt8(ascii: "\n") } ?? false) }
            guard last != nil || isResults(beginning: bytes) else {
                let message = "this file contains something other than results of analyze; choose another file"
                throw Failure(code: .notResults, message: message, name: path.name)
            }
            last = end
            for line in cutter.take(bytes) {
                if case .text(let text) = line, let name = answeredName(in: text) { names.insert(name) }
            }
        }
    }

    /// Whether the first bytes of a file are those of an `analyze` result, possibly truncated.
    private static func isResults(beginning bytes: [UInt8]) -> Bool {
        let first = bytes.drop { $0 == UInt8(ascii: "\n") }.prefix { $0 != UInt8(ascii: "\n") }
        let beginnings = [#"{"info":{"#, #"{"error":{"#].map { Array($0.utf8) }
        // A truncated first result, for example after the disk was full, is not valid JSON.
        return beginnings.contains { first.starts(with: $0) || $0.starts(with: first) }
            || answeredName(in: Array(first)) != nil
    }

    deinit { close(descriptor) }

    /// Whether the file contains a result for an input.
    func hasAnswer(for input: InputLine) -> Bool { answered.contains(input.name) }

    /// Appends a line, which is in the file when this method returns.
    func append(_ line: String) throws(Failure) {
        let number = write.withLock { _ in Descriptor.writeAll(Array((line + "\n").utf8), to: descriptor) }
        if number != 0 { throw Self.failure(number, path) }
    }

    /// The maximum length of a line in bytes, far more than a result with chapters and silences needs.
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
    /// The results file contains something else.
    static let notResults = ErrorCode(rawValue: "usage.notResults")
}
