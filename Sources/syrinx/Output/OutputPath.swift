import Foundation
import SyrinxByteStream
import SyrinxListening

/// Files that a command writes.
enum OutputPath {
    /// Whether a WAV file may be written there: a name that says so, or something that is no ordinary file.
    static func isWAV(_ path: FilePath) -> Bool {
        path.name.lowercased().hasSuffix(".wav") || path.bytes.starts(with: "/dev/".utf8)
    }

    /// Whether both paths lead to the same file, or to the same place for one, whatever they are called.
    static func isSameFile(_ a: FilePath, _ b: FilePath) -> Bool {
        if let first = a.status, let second = b.status {
            return first.st_mode & S_IFMT == S_IFREG && FileIdentity(first) == FileIdentity(second)
        }
        guard a.status == nil, b.status == nil, let folder = a.folder.identity else { return false }
        return folder == b.folder.identity && a.lastComponent == b.lastComponent
    }
}

/// The files on this machine that inputs lead to, also through folders, playlists and CUE sheets.
///
/// What comes later, by `--control` for example, is compared when it is opened (`OutputClaim`).
struct InputFiles {
    private var files: Set<FileIdentity> = []

    /// Reads all lists among the inputs; those that cannot be read name nothing.
    /// - Parameter recursively: Whether folders in folders are read too.
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
                // A list may have any name: what is none is known by its first bytes.
                waiting += (try? expansion.expand(input))?.inputs ?? []
            }
        }
    }

    /// Whether writing to `path` would destroy one of them.
    func contains(_ path: FilePath) -> Bool { path.identity.map(files.contains) ?? false }

    /// Claims files that are going to be written, so that no input that is opened later is one of them.
    /// - Returns: The claims, which hold as long as they live.
    /// - Throws: `usage.outputIsInput` if one of them is an input.
    func claim(_ outputs: [FilePath]) throws(Failure) -> [OutputClaim] {
        for path in outputs where contains(path) {
            throw .usage("this output would overwrite an input", name: path.name, code: .outputIsInput)
        }
        return outputs.map { OutputClaim($0) }
    }
}
