/// The end of a FLAC file.
enum FLACTail {
    /// The marks of tags that may follow the last frame of a complete file.
    private static let tags = ["TAG", "APETAGEX", "ID3"].map { Array($0.utf8) }

    private static let mostHeads = 16

    /// Returns whether `rest` can follow the last frame of a complete file: it is empty or a tag.
    static func isEnd(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.isEmpty || tags.contains { rest.starts(with: $0) }
    }

    /// Returns the sample number after the last sample of a file that ends with `bytes`.
    ///
    /// Returns `nil` if the last frame is incomplete, or does not follow from the frame before.
    static func end(of bytes: [UInt8], _ info: FLACStreamInfo) -> Int64? {
        let heads = bytes.indices.compactMap { place in
            bytes[place] == 0xFF
                ? FLACFrameHeader(bytes[...], at: place, of: info).map { (place: place, frame: $0) } : nil
        }
        // One position in millions looks like a header by coincidence; in files full of headers, only some are checked.
        let last = heads.suffix(Self.mostHeads).last { head in
            FLACChecksum.lastEnd(in: bytes[head.place...]).map { isEnd(bytes[$0...]) } ?? false
        }
        guard let last, last.frame.start == 0 || heads.contains(where: { $0.frame.end == last.frame.start }) else {
            return nil
        }
        return last.frame.end
    }
}
