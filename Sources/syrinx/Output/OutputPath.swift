import Foundation
import SyrinxByteStream

/// Files that a command writes.
enum OutputPath {
    /// Whether a WAV file may be written there: a name that says so, or something that is no ordinary file.
    static func isWAV(_ path: FilePath) -> Bool {
        path.name.lowercased().hasSuffix(".wav") || path.bytes.starts(with: "/dev/".utf8)
    }

    /// Whether both paths lead to the same existing file, whatever they are called.
    static func isSameFile(_ a: FilePath, _ b: FilePath) -> Bool {
        guard let first = a.status, let second = b.status, first.st_mode & S_IFMT == S_IFREG else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Whether writing to `path` would destroy one of the inputs.
    static func isInput(_ path: FilePath, among inputs: [InputArgument]) -> Bool {
        inputs.contains { input in
            if case .file(let inputPath) = input.location { isSameFile(path, inputPath) } else { false }
        }
    }
}
