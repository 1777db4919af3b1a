import Foundation
import Synchronization

/// A claim to an output file: while it exists, no `FileByteStream` opens that file.
///
/// Inputs may be found in folders and playlists while a file is written, so each is checked when it is opened. The
/// check compares device and inode, because a file may have several names. Any thread may use it.
package final class OutputClaim: Sendable {
    private static let claims = Mutex<[ObjectIdentifier: FilePath]>([:])

    /// Claims the file at `path`, which need not exist yet.
    package init(_ path: FilePath) { Self.claims.withLock { $0[ObjectIdentifier(self)] = path } }

    deinit { _ = Self.claims.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) } }

    /// Returns whether the file with this status is claimed.
    static func covers(_ status: stat) -> Bool {
        let paths = claims.withLock { Array($0.values) }
        return !paths.isEmpty && paths.contains { $0.identity == FileIdentity(status) }
    }
}

extension ErrorCode {
    /// An input is the file that is being written.
    public static let outputIsInput = ErrorCode(rawValue: "usage.outputIsInput")
}
