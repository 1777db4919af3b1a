/// How long the sound of an MP4 file is, to the frame.
///
/// The edit list says what part of the media is to be heard, but usually in thousandths of a second; libavformat gives
/// that number only. Where both agree to within one of those, the media's own length counts. Box names and layouts are
/// those of ISO/IEC 14496-12.
struct MP4Length {
    /// Reads up to `count` bytes at an offset of the file, or fewer where they cannot be had.
    let bytes: (_ offset: Int64, _ count: Int) -> [UInt8]

    private struct Box {
        var kind: String
        var body: Int64
        var end: Int64
    }

    private struct Track {
        var isSound = false
        var timescale: Int64 = 0
        var duration: Int64 = 0
        /// The one edit that is not empty: its length in ticks of the movie, and where in the media it begins.
        var edit: (duration: Int64, start: Int64)?
        var editCount = 0
    }

    /// More boxes than this in one place are not a real file.
    private static let mostBoxes = 256

    /// The length of the first track with sound, in ticks of that track.
    /// - Returns: `nil` where it cannot be told, or the edits are not of the usual kind.
    func soundTicks() -> (ticks: Int64, timescale: Int64)? {
        guard let movie = boxes(from: 0, to: .max, until: "moov").last, movie.kind == "moov" else { return nil }
        var movieScale: Int64 = 0
        for box in boxes(from: movie.body, to: movie.end) {
            if box.kind == "mvhd" { movieScale = header(box)?.timescale ?? 0 }
            guard box.kind == "trak" else { continue }
            let track = track(box)
            guard track.isSound else { continue }
            guard track.timescale > 0, track.duration > 0, movieScale > 0, track.editCount < 2 else { return nil }
            guard let edit = track.edit else { return (track.duration, track.timescale) }
            let media = track.duration - edit.start
            let edited = Double(edit.duration) * Double(track.timescale) / Double(movieScale)
            let tick = Double(track.timescale) / Double(movieScale)
            guard media > 0, edit.duration > 0, abs(edited - Double(media)) <= tick else { return nil }
            return (media, track.timescale)
        }
        return nil
    }

    /// Whether an index of segments stands before the first fragment; whether its times count the encoder's delay depends
    /// on who wrote it.
    func hasSegmentIndex() -> Bool {
        boxes(from: 0, to: .max, until: "sidx").last?.kind == "sidx"
    }

    private func track(_ box: Box) -> Track {
        var track = Track()
        for box in boxes(from: box.body, to: box.end) {
            switch box.kind {
            case "edts":
                for list in boxes(from: box.body, to: box.end) where list.kind == "elst" { edits(list, &track) }
            case "mdia":
                for box in boxes(from: box.body, to: box.end) {
                    if box.kind == "hdlr" { track.isSound = bytes(box.body + 8, 4).elementsEqual("soun".utf8) }
                    if box.kind == "mdhd", let header = header(box) {
                        track.timescale = header.timescale
                        track.duration = header.duration
                    }
                }
            default: break
            }
        }
        return track
    }

    private func edits(_ list: Box, _ track: inout Track) {
        let isLong = number(list.body, 1) == 1
        let count = number(list.body + 4, 4) ?? 0
        track.editCount = Int(clamping: count)
        guard count == 1 else { return }
        let width = isLong ? 8 : 4
        guard let duration = number(list.body + 8, width), let start = number(list.body + 8 + Int64(width), width),
            start < 1 << 31
        else { return }
        track.edit = (duration, start)
    }

    /// The time scale and the duration of a `mvhd` or `mdhd`.
    private func header(_ box: Box) -> (timescale: Int64, duration: Int64)? {
        let isLong = number(box.body, 1) == 1
        let scale = box.body + (isLong ? 20 : 12)
        guard let timescale = number(scale, 4), let duration = number(scale + 4, isLong ? 8 : 4) else { return nil }
        // All ones: not known.
        guard duration >= 0, isLong || duration != 0xFFFF_FFFF else { return nil }
        return (timescale, duration)
    }

    private func boxes(from start: Int64, to end: Int64, until last: String? = nil) -> [Box] {
        var found: [Box] = []
        var offset = start
        while offset < end, end - offset >= 8, found.count < Self.mostBoxes {
            let head = bytes(offset, 16)
            guard head.count >= 8 else { break }
            var size = Self.number(head[0..<4])
            var body = offset + 8
            if size == 1, head.count == 16 {
                size = Self.number(head[8..<16])
                body = offset + 16
            }
            let (next, overflow) = offset.addingReportingOverflow(size == 0 ? end - offset : size)
            guard !overflow, next > offset, next >= body else { break }
            found.append(Box(kind: String(decoding: head[4..<8], as: UTF8.self), body: body, end: min(next, end)))
            if found.last?.kind == last { break }
            offset = next
        }
        return found
    }

    private func number(_ offset: Int64, _ width: Int) -> Int64? {
        let read = bytes(offset, width)
        return read.count == width ? Self.number(read[...]) : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        Int64(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
