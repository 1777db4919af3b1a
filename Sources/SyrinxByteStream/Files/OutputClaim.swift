import Foundation
import Synchronization

/// A file that the process writes, and that no `FileByteStream` opens for as long as the claim exists.
///
/// Inputs come from folders, playlists and other programs while a file is written, so that each of them is compared when it is opened: by
/// device and inode, because a file may have several names. Any thread.
package final class OutputClaim: Sendable {
    private static let claims = Mutex<[ObjectIdentifier: FilePath]>([:])

    /// Claims the file at `path`, which need not exist yet.
    package init(_ path: FilePath) { Self.claims.withLock { $0[ObjectIdentifier(self)] = path } }

    deinit { _ = Self.claims.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) } }

    /// Whether the file with this status is claimed.
    static func covers(_ status: stat) -> Bool {
        let paths = claims.withLock { Array($0.values) }
        return !paths.isEmpty && paths.contains { $0.identity == FileIdentity(status) }
    }
}

extension ErrorCode {
    /// An input is the file that is being written.
    public static let outputIsInput = ErrorCode(rawValue: "usage.outputIsInput")
}
