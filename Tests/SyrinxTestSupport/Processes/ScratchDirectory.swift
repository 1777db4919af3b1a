public import Foundation
import Synchronization

/// A directory of a test's own, removed with the object.
public final class ScratchDirectory: Sendable {
    /// The absolute path.
    public let path: String

    /// The folder of all of them.
    static let parent = "/tmp/"

    /// Makes a directory under `/tmp`: its name is short, since paths of sockets have at most 107 bytes.
    public init(_ prefix: String = "syrinx") throws {
        var template = Array("\(Self.parent)\(prefix)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ChildProcess.LaunchError(description: "mkdtemp: \(String(cString: strerror(errno)))")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Makes a directory for what tests of this process share, removed when the process ends.
    public static func ofProcess(_ prefix: String = "syrinx") throws -> ScratchDirectory {
        let directory = try ScratchDirectory(prefix)
        kept.withLock { $0.append(directory) }
        _ = removal
        return directory
    }

    private static let kept = Mutex<[ScratchDirectory]>([])
    private static let removal: Void = {
        atexit {
            for directory in ScratchDirectory.kept.withLock({ $0 }) {
                try? FileManager.default.removeItem(atPath: directory.path)
            }
        }
    }()

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The URL of a file in it.
    public func url(_ name: String) -> URL { URL(fileURLWithPath: file(name)) }
}
