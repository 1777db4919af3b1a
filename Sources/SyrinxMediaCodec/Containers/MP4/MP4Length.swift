internal import SyrinxByteStream

/// The exact length of an MP4 file's sound, in frames.
///
/// The edit list says what part of the media is to be heard, but usually in thousandths of a second; libavformat gives
/// that number only. Where both agree to within one of those, the media's own length counts. Box names and layouts are
/// those of ISO/IEC 14496-12.
struct MP4Length {
    /// Reads up to `count` bytes at an offset of the file, or fewer where they cannot be had.
    let bytes: (_ offset: Int64, _ count: Int) -> [UInt8]

    private struct Track {
        var isSound = false
        var timescale: Int64 = 0
        var duration: Int64 = 0
        /// The one edit that is not empty: its length in ticks of the movie, and where in the media it begins.
        var edit: (duration: Int64, start: Int64)?
        var editCount = 0
    }

    /// The length of the first track with sound, in ticks of that track.
    /// - Returns: `nil` where it is not known, or the edits are not of the usual kind.
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
            let media = track.duration.subtractingClamped(edit.start)
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

    /// Whether the sound comes in fragments: then the header describes none of it, or the first of it.
    func isFragmented() -> Bool {
        guard let movie = boxes(from: 0, to: .max, until: "moov").last, movie.kind == "moov" else { return false }
        return boxes(from: movie.body, to: movie.end).contains { $0.kind == "mvex" }
    }

    /// The packets that the table of the first track with sound counts.
    func packetCount() -> Int64? {
        guard let movie = boxes(from: 0, to: .max, until: "moov").last, movie.kind == "moov" else { return nil }
        for track in boxes(from: movie.body, to: movie.end) where track.kind == "trak" && self.track(track).isSound {
            let sizes = MP4Boxes(bytes: bytes).find(["mdia", "minf", "stbl", "stsz"], in: track)
            guard let sizes else { return nil }
            return number(sizes.body.addingClamped(8), 4)
        }
        return nil
    }

    private func track(_ box: MP4Boxes.Box) -> Track {
        var track = Track()
        for box in boxes(from: box.body, to: box.end) {
            switch box.kind {
            case "edts":
                for list in boxes(from: box.body, to: box.end) where list.kind == "elst" { edits(list, &track) }
            case "mdia":
                for box in boxes(from: box.body, to: box.end) {
                    if box.kind == "hdlr" {
                        track.isSound = bytes(box.body.addingClamped(8), 4).elementsEqual("soun".utf8)
                    }
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

    private func edits(_ list: MP4Boxes.Box, _ track: inout Track) {
        let isLong = number(list.body, 1) == 1
        let count = number(list.body.addingClamped(4), 4) ?? 0
        track.editCount = Int(clamping: count)
        guard count == 1 else { return }
        let width = isLong ? 8 : 4
        let first = list.body.addingClamped(8)
        guard let duration = number(first, width), let start = number(first.addingClamped(Int64(width)), width),
            0..<1 << 31 ~= start
        else { return }
        track.edit = (duration, start)
    }

    /// The time scale and the duration of a `mvhd` or `mdhd`.
    private func header(_ box: MP4Boxes.Box) -> (timescale: Int64, duration: Int64)? {
        let isLong = number(box.body, 1) == 1
        let scale = box.body.addingClamped(isLong ? 20 : 12)
        guard let timescale = number(scale, 4), let duration = number(scale.addingClamped(4), isLong ? 8 : 4) else {
            return nil
        }
        // All ones: not known.
        guard duration >= 0, isLong || duration != 0xFFFF_FFFF else { return nil }
        return (timescale, duration)
    }

    private func boxes(from start: Int64, to end: Int64, until last: String? = nil) -> [MP4Boxes.Box] {
        MP4Boxes(bytes: bytes).boxes(from: start, to: end, until: last)
    }

    private func number(_ offset: Int64, _ width: Int) -> Int64? {
        let read = bytes(offset, width)
        return read.count == width ? MP4Boxes.number(read[...]) : nil
    }
}
