import Foundation

/// The references of one playlist, with a limit on their total size.
///
/// Each URL is as long as its reference plus the playlist's own URL, so a playlist of some megabytes could expand to
/// gigabytes. Time and memory are limited to those for `maximumSize` bytes.
struct HLSReferences {
    /// The most bytes of all references of a playlist, each with the playlist's own address: 100,000 of 670 each.
    static let maximumSize = 64 << 20

    let locator: HLSLocator
    private var byteCount = 0

    init(_ locator: HLSLocator) { self.locator = locator }

    /// The absolute URL of a reference in UTF-8, as playlists of many segments hold it.
    /// - Throws: As `HLSLocator.url(of:)`, and `media.playlistTooLarge` if the references exceed `maximumSize`.
    mutating func location(of reference: ArraySlice<UInt8>) throws(SyrinxError) -> CompactURL {
        try count(reference.count)
        return try locator.location(of: reference)
    }

    /// The absolute URL of a reference.
    /// - Throws: As `location(of:)`.
    mutating func url(of reference: String) throws(SyrinxError) -> URL {
        try count(reference.utf8.count)
        return try locator.url(of: reference)
    }

    private mutating func count(_ size: Int) throws(SyrinxError) {
        byteCount += size + locator.baseByteCount
        guard byteCount <= Self.maximumSize else {
            let message =
                "The URLs of the playlist take more than \(Self.maximumSize >> 20) MiB, the most that is taken: tell the sender."
            throw SyrinxError(.playlistTooLarge, message, name: StreamingInput.url(locator.base).name)
        }
    }
}
