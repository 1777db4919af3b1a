internal import SyrinxByteStream

/// Detects formats by their first bytes.
///
/// The result determines the error message for files that are not audio, and which formats can be played without
/// reading the end of the file first.
enum FormatProbe {
    enum Kind: Equatable {
        case empty
        /// Not audio; the text names the kind of file, as the end of a sentence.
        case text(String)
        /// Any format after an ID3v2 tag.
        case tagged
        case mpegAudio
        case adts
        case flac
        case wave
        /// An unknown format, which libavformat examines.
        case other
    }

    static func kind(of head: [UInt8]) -> Kind {
        guard !head.isEmpty else { return .empty }
        if id3End(of: head) != nil { return .tagged }
        if starts(head, with: "fLaC") { return .flac }
        if (starts(head, with: "RIFF") || starts(head, with: "RF64")) && head.dropFirst(8).starts(with: "WAVE".utf8) {
            return .wave
        }
        if head.count >= 2, head[0] == 0xFF {
            if head[1] & 0xF6 == 0xF0 { return .adts }
            if MPEGFrameHeader(head[...]) != nil { return .mpegAudio }
        }
        return DocumentKind.text(of: head).map(Kind.text) ?? .other
    }

    /// Whether the first bytes identify no media format, so that they may be noise before a recording.
    static func mayBeNoise(_ head: [UInt8]) -> Bool {
        switch kind(of: head) {
        case .other, .text: true
        case .empty, .tagged, .mpegAudio, .adts, .flac, .wave: false
        }
    }

    /// Returns the offset after an ID3v2 tag at the start of `bytes`; `nil` if there is none.
    static func id3End(of bytes: [UInt8]) -> Int64? {
        guard bytes.count >= 10, starts(bytes, with: "ID3"), bytes[6...9].allSatisfy({ $0 < 0x80 }) else { return nil }
        let size = bytes[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1) }
        let footer: Int64 = bytes[5] & 0x10 != 0 ? 10 : 0
        // Bounded: the size has 28 bits.
        return size + 10 + footer
    }

    /// Returns libavformat's name of a format without a container: `mp3`, `aac` or `flac`; `nil` for others.
    ///
    /// MP3 and AAC need two consecutive frames, except for a frame that only AAC can have.
    static func rawFormat(of head: [UInt8]) -> String? {
        if starts(head, with: "fLaC") { return "flac" }
        if let first = MPEGFrameHeader(head[...]), first.layer == 3 {
            // The next frame may follow with or without a padding byte.
            let next = Int(first.bytesPerPacket)
            // Bounded: a frame of a few thousand bytes.
            let hit = [next, next + 1].contains { offset in
                offset < head.count && MPEGFrameHeader(head[offset...])?.sampleRate == first.sampleRate
            }
            if hit { return "mp3" }
        }
        guard let length = adtsLength(head), length <= head.count else { return nil }
        if length == head.count { return "aac" }
        guard length + 1 < head.count else { return nil }
        return head[length] == 0xFF && head[length + 1] & 0xF6 == 0xF0 ? "aac" : nil
    }

    /// Returns the start of consecutive MPEG audio or ADTS frames up to the end of `head`, and libavformat's name.
    ///
    /// Returns `nil` for a container, which may contain such frames. A broadcast usually starts within a frame.
    static func rawFrames(in head: [UInt8]) -> (start: Int, format: String)? {
        guard !beginsContainer(head), id3End(of: head) == nil else { return nil }
        for start in head.indices where head[start] == 0xFF {
            if followEachOther(head, from: start, { MPEGFrameHeader($0)?.byteCount }) { return (start, "mp3") }
            if followEachOther(head, from: start, { adtsLength(Array($0.prefix(7))) }) { return (start, "aac") }
        }
        return nil
    }

    /// Whether three consecutive headers lead to each other, which rules out a chance match.
    private static func followEachOther(
        _ head: [UInt8],
        from start: Int,
        _ byteCount: (ArraySlice<UInt8>) -> Int?
    ) -> Bool {
        var place = start
        var count = 0
        // An incomplete header is ignored.
        while place + 7 <= head.count {
            guard let size = byteCount(head[place...]) else { return false }
            // Bounded: a frame of a few thousand bytes.
            place += size
            count += 1
        }
        return count >= 3
    }

    /// Returns the size in bytes of the ADTS frame at the start of `head`; `nil` if there is none.
    static func adtsLength(_ head: [UInt8]) -> Int? {
        guard head.count >= 7, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 else { return nil }
        let length = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
        return length >= 7 ? length : nil
    }

    /// Returns the number of foreign bytes before a FLAC file.
    ///
    /// Returns `nil` if there are none, or if the bytes are a container, which may contain a FLAC header.
    static func junkBeforeFLAC(_ head: [UInt8]) -> Int64? {
        guard !beginsContainer(head) else { return nil }
        // The first metadata block is the stream info, of 34 bytes.
        let mark = Array("fLaC".utf8)
        return head.indices.dropLast(42).first { place in
            guard head[place] == mark[0], head[place...].starts(with: mark), head[place + 4] & 0x7F == 0 else {
                return false
            }
            return head[place + 5..<place + 8].elementsEqual([0, 0, 34])
                && FLACStreamInfo(Array(head[place + 8..<place + 42])) != nil
        }.flatMap { $0 > 0 ? Int64($0) : nil }
    }

    /// Whether the bytes are the start of a container, which may contain any data.
    static func beginsContainer(_ head: [UInt8]) -> Bool {
        let names = ["OggS", "RIFF", "RF64", "riff", "caff", "FORM", "FLV", ".snd", ".RMF"].map { Array($0.utf8) }
        // Matroska, ASF, and MPEG's program and transport streams.
        let marks = names + [[0x1A, 0x45, 0xDF, 0xA3], [0x30, 0x26, 0xB2, 0x75], [0, 0, 1, 0xBA]]
        return marks.contains(where: head.starts(with:)) || head.dropFirst(4).starts(with: "ftyp".utf8)
            || head.count > 376 && head[0] == 0x47 && head[188] == 0x47 && head[376] == 0x47
    }

    private static func starts(_ bytes: [UInt8], with text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes.starts(with: $0) }
    }
}
