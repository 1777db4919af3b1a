internal import SyrinxByteStream

extension AVIOBridge {
    /// Keeps the last pages that libavformat reads, and replaces unneeded bytes near the end of a remote file by zeros.
    ///
    /// The zeros spare a download of up to 64 KiB. They last until `setBlank(nil)`. Does nothing for other formats.
    func prepareForOgg() {
        guard head.starts(with: OggPage.mark) else { return }
        keepRecentBytes(Self.largestPageAndMore)
        // In a shorter file, some of the end may already be downloaded, or the headers may extend into it.
        guard stream.isRemote, let length = stream.length, length > 4 * OggLastPage.reach,
            let unneeded = OggLastPage.unneeded(of: tail(OggLastPage.size), after: head)
        else { return }
        setBlank(length - OggLastPage.reach..<length - Int64(OggLastPage.size - unneeded))
    }

    /// The largest page, and the bytes that libavformat reads beyond it.
    private static let largestPageAndMore = 1 << 17
}
