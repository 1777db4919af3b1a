import Foundation
import SyrinxDesktopModel

extension LocalPath {
    /// The path of a `file:` URL; `nil` for another one.
    init?(_ url: URL) {
        guard url.isFileURL else { return nil }
        self.init(url.absoluteURL.absoluteString)
    }

    /// The path as a URL.
    var fileURL: URL { URL(string: url) ?? URL(fileURLWithPath: display) }

    private func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        body(bytes.map { CChar(bitPattern: $0) } + [0])
    }

    /// The kind bits of the file's mode; `nil` if there is no such file.
    /// - Parameter follows: Whether a symbolic link stands for what it leads to.
    private func kind(follows: Bool = true) -> mode_t? {
        var status = stat()
        let result = withCString { follows ? stat($0, &status) : lstat($0, &status) }
        return result == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Whether there is such a file.
    var exists: Bool { kind() != nil }
    /// Whether the path leads to a plain file, and not to a folder, a pipe or a device.
    var isRegularFile: Bool { kind() == S_IFREG }
    /// Whether the path leads to a folder.
    var isFolder: Bool { kind() == S_IFDIR }

    /// Reads a file.
    /// - Parameter limit: The greatest number of bytes that is read.
    /// - Returns: The bytes, one more than `limit` if there are more; `nil` if it cannot be read or is no plain file.
    func read(limit: Int) -> Data? {
        guard isRegularFile else { return nil }
        let descriptor = withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return try? file.read(upToCount: limit + 1) ?? Data()
    }

    /// Finds files in a folder and the folders in it, without hidden ones.
    ///
    /// Symbolic links to folders are not followed.
    /// - Parameters:
    ///   - limit: The number of files at which the search ends.
    ///   - isWanted: Whether a file is wanted, by its name.
    func files(limit: Int, where isWanted: (LocalPath) -> Bool) -> [LocalPath] {
        var found: [LocalPath] = []
        var waiting = [self]
        while let folder = waiting.popLast(), found.count < limit {
            for path in folder.children {
                if path.kind(follows: false) == S_IFDIR {
                    waiting.append(path)
                } else if found.count < limit, isWanted(path), !path.isFolder {
                    found.append(path)
                }
            }
        }
        return found
    }

    /// The paths in the folder, without hidden ones.
    private var children: [LocalPath] {
        guard let folder = withCString({ opendir($0) }) else { return [] }
        defer { closedir(folder) }
        var paths: [LocalPath] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { name in
                    UnsafeBufferPointer(start: name, count: strnlen(name, Int(NAME_MAX))).map { UInt8(bitPattern: $0) }
                }
            }
            if name.first != UInt8(ascii: ".") { paths.append(appending(name)) }
        }
        return paths
    }
}
