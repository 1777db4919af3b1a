internal import SyrinxByteStream

extension AVIOBridge {
    /// Keeps the pages of an Ogg file as they pass, and hides from libavformat what it would read of the file's end without need.
    ///
    /// It hides it until `setBlank(nil)`, and does nothing for other files.
    func prepareForOgg() {
        guard head.starts(with: OggPage.mark) else { return }
        keepRecentBytes(Self.largestPageAndMore)
        // Of a smaller file there may be something at hand already, and the header may reach that far.
        guard stream.isRemote, let length = stream.length, length > 4 * OggLastPage.reach,
            let unneeded = OggLastPage.unneeded(of: tail(OggLastPage.size), after: head)
        else { return }
        setBlank(length - OggLastPage.reach..<length - Int64(OggLastPage.size - unneeded))
    }

    /// The largest page, and what libavformat reads beyond.
    private static let largestPageAndMore = 1 << 17
}
