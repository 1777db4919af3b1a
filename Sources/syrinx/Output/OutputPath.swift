import Foundation
import SyrinxByteStream
import SyrinxListening

/// Checks of paths that a command writes.
enum OutputPath {
    /// Whether a WAV file may be written to a path, because of its name, or because it is not a regular file.
    static func isWAV(_ path: FilePath) -> Bool {
        path.name.lowercased().hasSuffix(".wav") || path.bytes.starts(with: "/dev/".utf8)
    }

    /// Whether both paths refer to the same file, or would refer to the same new file.
    static func isSameFile(_ a: FilePath, _ b: FilePath) -> Bool {
        if let first = a.status, let second = b.status {
            return first.st_mode & S_IFMT == S_IFREG && FileIdentity(first) == FileIdentity(second)
        }
        guard a.status == nil, b.status == nil, let folder = a.folder.identity else { return false }
        return folder == b.folder.identity && a.lastComponent == b.lastComponent
    }
}

/// The local files of all inputs, including the contents of folders, playlists and CUE sheets.
///
/// Inputs that are added later, for example with `--control`, are checked when they are opened (`OutputClaim`).
struct InputFiles {
    private var files: Set<FileIdentity> = []

    /// Reads all lists among the inputs; unreadable lists are ignored.
    /// - Parameter recursively: Whether subfolders are read too.
    init(_ inputs: [ListeningInput], recursively: Bool = false) {
        let expansion = InputExpansion(recursively: recursively)
        var waiting = inputs
        while let input = waiting.popLast() {
            switch input.location {
            case .web: continue
            case .standardInput:
                var status = stat()
                if fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                    files.insert(FileIdentity(status))
                }
            case .file(let path):
                guard let status = path.status, [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT),
                    files.insert(FileIdentity(status)).inserted
                else { continue }
                // A list may have any name, so it is recognized by its first bytes.
                waiting += (try? expansion.expand(input))?.inputs ?? []
            }
        }
    }

    /// Whether writing to `path` would overwrite an input.
    func contains(_ path: FilePath) -> Bool { path.identity.map(files.contains) ?? false }

    /// Claims files that will be written, so that they cannot be opened as inputs.
    /// - Returns: The claims, which last as long as the objects.
    /// - Throws: `usage.outputIsInput` if a file is an input.
    func claim(_ outputs: [FilePath]) throws(Failure) -> [OutputClaim] {
        for path in outputs where contains(path) {
            throw .usage("this output would overwrite an input", name: path.name, code: .outputIsInput)
        }
        return outputs.map { OutputClaim($0) }
    }
}
