import Foundation

/// The limits on the disk space of a download.
struct DownloadSpace: Sendable {
    /// The maximum size of a recording, in bytes.
    let largestSize: Int64
    /// The number of bytes to leave free on the disk.
    let reserve: Int64

    /// The number of downloaded bytes between two checks.
    static let step: Int64 = 4 << 20

    /// Checks the limits during a download.
    /// - Parameters:
    ///   - size: The size of the recording in bytes, as far as it is known.
    ///   - missing: The number of bytes still to download; `nil` if it is unknown.
    ///   - descriptor: A file on the disk.
    ///   - name: The URL, for error messages.
    /// - Throws: `media.recordingTooLarge`, or `file.diskFull` if the disk would have less than `reserve` free bytes.
    func check(size: Int64, missing: Int64?, _ descriptor: Int32, _ name: String) throws(SyrinxError) {
        guard size <= largestSize else {
            let message =
                "the recording has more than \(Self.megabytes(largestSize)) MB, all that its download may take: play it without one, or raise the limit"
            throw SyrinxError(.recordingTooLarge, message, name: name)
        }
        let needed = max(missing ?? Self.step, 0).addingClamped(reserve)
        guard let free = Self.freeByteCount(descriptor), free < needed else { return }
        let message =
            "the disk has \(Self.megabytes(free)) MB left and the download needs \(Self.megabytes(needed)), of which \(Self.megabytes(reserve)) stay free; what has been downloaded stays, and goes on when there is space"
        throw SyrinxError(.diskFull, message, name: name)
    }

    /// Returns the number of bytes that the user may still write to a file's disk; `nil` if it is unknown.
    private static func freeByteCount(_ descriptor: Int32) -> Int64? {
        var disk = statvfs()
        guard fstatvfs(descriptor, &disk) == 0 else { return nil }
        return Int64(clamping: disk.f_bavail).multipliedClamped(by: Int64(clamping: disk.f_frsize))
    }

    private static func megabytes(_ bytes: Int64) -> Int64 { max(bytes, 0) / 1_000_000 }
}
