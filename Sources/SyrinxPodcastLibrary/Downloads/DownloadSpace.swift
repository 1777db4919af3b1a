import Foundation

/// The space on the disk that a download may take.
struct DownloadSpace: Sendable {
    /// Bytes that a recording may have.
    let largestSize: Int64
    /// Bytes of the disk that stay free.
    let reserve: Int64

    /// Bytes of a download between two checks.
    static let step: Int64 = 4 << 20

    /// Checks a download that is under way.
    /// - Parameters:
    ///   - size: Bytes of the recording, as far as they are known.
    ///   - missing: Bytes of it that are still to come; `nil` if that is not known.
    ///   - descriptor: A file on the disk.
    ///   - name: The URL, for messages.
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

    /// Bytes that a user may still write to the disk that holds a file; `nil` if the system does not tell.
    private static func freeByteCount(_ descriptor: Int32) -> Int64? {
        var disk = statvfs()
        guard fstatvfs(descriptor, &disk) == 0 else { return nil }
        return Int64(clamping: disk.f_bavail).multipliedClamped(by: Int64(clamping: disk.f_frsize))
    }

    private static func megabytes(_ bytes: Int64) -> Int64 { max(bytes, 0) / 1_000_000 }
}
