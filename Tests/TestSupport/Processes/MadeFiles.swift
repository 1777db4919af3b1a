import Foundation
import Glibc
import Synchronization

/// Files that `ffmpeg` makes from nothing but its arguments: each is made once in a process, and each who wants it gets a copy.
///
/// Starting the program takes longer than making most of these files does.
final class MadeFiles: Sendable {
    /// Those of this process, removed when it ends; `nil` if there is no place for them.
    static let shared: MadeFiles? = {
        guard let files = try? MadeFiles() else { return nil }
        atexit { try? FileManager.default.removeItem(atPath: MadeFiles.shared?.folder.path ?? "") }
        return files
    }()

    /// The arguments that decide what a file holds, and where it goes.
    struct Order: Equatable {
        /// All arguments but the path, and the ending of the path, which decides the container.
        let key: [String]
        /// The absolute path of the file.
        let path: String

        /// - Returns: `nil` if the arguments read a file, name more than one output, or make many files; and for Ogg, where each file
        ///   has a serial number by chance, which distinguishes the streams of a chain.
        init?(_ arguments: [String]) {
            guard let path = arguments.last, path.hasPrefix("/"), !path.contains("%") else { return nil }
            let others = arguments.dropLast()
            let options = zip(others, others.dropFirst())
            let inputs = others.count { $0 == "-i" }
            guard inputs > 0, inputs == options.count(where: { $0 == ("-f", "lavfi") }) else { return nil }
            let ending = (path as NSString).pathExtension
            let makesMany =
                ["m3u8", "mpd"].contains(ending) || options.contains { $0.0 == "-f" && Self.many.contains($0.1) }
            guard !["ogg", "oga", "ogv", "opus", "spx"].contains(ending) else { return nil }
            guard !makesMany, !others.contains(where: { $0.contains(ScratchDirectory.parent) }) else { return nil }
            key = others + [ending]
            self.path = path
        }

        private static let many: Set = ["hls", "dash", "segment", "stream_segment", "ssegment", "tee"]
    }

    /// A file, and whether it has been made, which is held while it is made.
    private final class Entry: Sendable {
        let path: String
        let isThere = Mutex(false)

        init(path: String) { self.path = path }
    }

    private let folder: ScratchDirectory
    private let entries = Mutex<[[String]: Entry]>([:])

    init() throws {
        folder = try ScratchDirectory("syrinx-made")
    }

    /// Puts a copy of the file where the order says, as a new file of this moment.
    /// - Parameter make: Makes the file at the path that it is given.
    func copy(_ order: Order, making make: (String) throws -> Void) throws {
        let entry = entries.withLock { entries in
            let new = Entry(path: folder.file("\(entries.count).\(order.key.last ?? "")"))
            let entry = entries[order.key] ?? new
            entries[order.key] = entry
            return entry
        }
        try entry.isThere.withLock { isThere in
            if !isThere { try make(entry.path) }
            isThere = true
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: entry.path), options: .alwaysMapped)
        try bytes.write(to: URL(fileURLWithPath: order.path))
    }
}
