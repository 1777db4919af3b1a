import SyrinxByteStream

/// Finds the start of the audio after the ID3v2 tags of a file, even if their sizes are wrong.
///
/// A size is accepted if it leads to audio. Otherwise, the frames of the tag are followed, and then the first audio
/// frame is searched.
struct ID3v2Scanner {
    /// Four bytes of a file, the size of a tag, as they should be.
    struct Correction: Equatable {
        let offset: Int64
        let bytes: [UInt8]
    }

    /// The end of the last tag.
    private(set) var end: Int64 = 0
    private(set) var corrections: [Correction] = []
    /// The places of the tags.
    private(set) var tags: [Range<Int64>] = []
    private let length: Int64
    private let looksAhead: Bool
    /// Reads a number of bytes at an offset; fewer if they are unavailable.
    private let look: (_ offset: Int64, _ count: Int) -> [UInt8]

    /// The maximum number of consecutive tags in a real file.
    private static let mostTags = 16
    /// More frames than this are not a real tag.
    private static let mostFrames = 1000
    /// The maximum distance in bytes from the last frame of a tag to the audio, enough for padding and junk.
    private static let reach = 65536
    /// The number of bytes that a bridge returns at once.
    private static let page = 1024

    /// - Parameters:
    ///   - length: The length of the file in bytes, if known.
    ///   - looksAhead: Whether reading at the end of a tag is cheap; otherwise, its frames are examined first.
    init(length: Int64?, looksAhead: Bool, look: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]) {
        self.length = length ?? .max / 2
        self.looksAhead = looksAhead
        self.look = look
        for _ in 0..<Self.mostTags {
            let head = look(end, 10)
            guard let size = FormatProbe.id3End(of: head) else { break }
            let found = soundBehind(head, at: end, stated: end + size) ?? end + size
            if found != end + size { correct(head, at: end, to: found) }
            if found > end { tags.append(end..<found) }
            end = found
        }
    }

    private mutating func correct(_ head: [UInt8], at offset: Int64, to found: Int64) {
        let size = found - offset - (head[5] & 0x10 != 0 ? 20 : 10)
        guard 0..<1 << 28 ~= size else { return }
        corrections.append(
            Correction(offset: offset + 6, bytes: (0..<4).map { UInt8(size >> (21 - 7 * $0) & 0x7F) })
        )
    }

    /// Returns the true end of a tag; `nil` if it cannot be found.
    private func soundBehind(_ head: [UInt8], at offset: Int64, stated: Int64) -> Int64? {
        if looksAhead, stated < length, isSound(at: stated, frames: 2) { return stated }
        if let found = firstSound(from: endOfFrames(head, at: offset)) { return found }
        return looksAhead && stated < length ? firstSound(from: stated) : nil
    }

    // MARK: Sound

    private static let marks = [
        "fLaC", "OggS", "RIFF", "RF64", "FORM", "caff", "MAC ", "wvpk", "TTA1", "DSD ", "MPCK", "tBaK", "ADIF",
        "\u{B}w",
    ].map { Array($0.utf8) }

    /// Returns whether an audio file, or another tag, starts at `offset`.
    /// - Parameter frames: The number of consecutive frames required, unless the file has fewer.
    private func isSound(at offset: Int64, frames: Int) -> Bool {
        let head = look(offset, 10)
        if FormatProbe.id3End(of: head) != nil { return true }
        if Self.marks.contains(where: head.starts(with:)) { return true }
        return isRun(at: offset, of: frames) || FreeFormatStream(at: offset, bytes: lookFar) != nil
    }

    /// Returns whether MPEG audio or ADTS frames follow each other, up to `count` or the end of the file.
    private func isRun(at offset: Int64, of count: Int) -> Bool {
        var place = offset
        var first: MPEGFrameHeader?
        for number in 0..<count {
            if number > 0, place == length { return true }
            let head = look(place, 7)
            if let header = MPEGFrameHeader(head[...]) {
                guard first.map(header.isSameKind) ?? (number == 0) else { return false }
                first = header
                place += Int64(header.byteCount)
            } else {
                guard first == nil, let size = FormatProbe.adtsLength(head) else { return false }
                place += Int64(size)
            }
        }
        return true
    }

    /// Returns the first position, starting at `start`, where audio starts.
    private func firstSound(from start: Int64) -> Int64? {
        var place = start
        let last = min(start + Int64(Self.reach), length)
        while place < last {
            let bytes = look(place, Self.page)
            for (index, byte) in bytes.enumerated() {
                let here = place + Int64(index)
                switch byte {
                case 0xFF:
                    if isRun(at: here, of: 3) || FreeFormatStream(at: here, bytes: lookFar) != nil { return here }
                // The shorter marks are skipped, because they occur by coincidence.
                case 0x66, 0x4F: if [Self.marks[0], Self.marks[1]].contains(look(here, 4)) { return here }
                case 0x49: if FormatProbe.id3End(of: look(here, 10)) != nil { return here }
                default: break
                }
            }
            guard bytes.count == Self.page else { return nil }
            place += Int64(Self.page)
        }
        return nil
    }

    /// Looks at any number of bytes.
    private func lookFar(_ offset: Int64, _ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece = look(offset + Int64(bytes.count), min(count - bytes.count, Self.page))
            bytes += piece
            if piece.count < Self.page { break }
        }
        return bytes
    }

    // MARK: Frames of a tag

    /// Returns the end of the last frame in the tag that starts with `head` (id3.org, ID3v2.2 to ID3v2.4).
    private func endOfFrames(_ head: [UInt8], at offset: Int64) -> Int64 {
        let version = head[3]
        var place = offset + 10
        if version > 2, head[5] & 0x40 != 0 {
            let size = number(look(place, 4), bits: version == 3 ? 8 : 7)
            place += version == 3 ? size + 4 : size
        }
        for _ in 0..<Self.mostFrames {
            guard let next = frameEnd(at: place, version), next <= length else { break }
            place = next
        }
        return min(place, length)
    }

    private func frameEnd(at place: Int64, _ version: UInt8) -> Int64? {
        let head = look(place, 10)
        guard head.count == 10, !Self.marks.contains(where: head.starts(with:)),
            let frame = ID3v2FrameHead(head, version: version)
        else { return nil }
        let body = place.addingClamped(Int64(frame.size))
        return body.addingClamped(Int64(frame.bodySize { isFrameOrPadding(at: body.addingClamped(Int64($0))) }))
    }

    private func isFrameOrPadding(at place: Int64) -> Bool {
        let head = look(place, 4)
        return head.first == 0 || head.count == 4 && head.allSatisfy { (0x30...0x5A).contains($0) }
            || isSound(at: place, frames: 2)
    }

    private func number(_ bytes: [UInt8], bits: Int64) -> Int64 { bytes.reduce(0) { $0 << bits | Int64($1) } }
}
