internal import SyrinxByteStream

/// The statements in an audio track's header that libavformat does not report.
struct MP4TrackHeader {
    /// The edit list, if there is one.
    private(set) var edits: MP4EditList?
    /// Ticks per second of the media.
    private(set) var timescale: Int64?
    /// The duration of the media in ticks; `nil` if it is unknown.
    private(set) var duration: Int64?
    /// The ticks of the last packet.
    private(set) var lastDuration: Int64?

    /// The types with which an MP4 file may start.
    private static let firstKinds: Set = ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"]

    /// Reads the headers of the audio tracks before libavformat, and hides their edit lists from it.
    /// - Returns: The headers by track number; `nil` if they cannot be read, or the audio is fragmented and libavformat
    ///   places it.
    static func read(through bridge: AVIOBridge) -> [Int32: MP4TrackHeader]? {
        guard firstKinds.contains(String(decoding: bridge.head.dropFirst(4).prefix(4), as: UTF8.self)) else {
            return nil
        }
        // A stream that cannot go back is read ahead by its header only.
        let front = MP4Boxes { bridge.peek(at: $0, count: $1) }
        guard bridge.stream.isSeekable || front.boxes(from: 0, to: .max, until: "moov").last?.kind == "moov" else {
            return nil
        }
        let boxes = MP4Boxes { bridge.look(at: $0, count: $1) }
        let parts = boxes.inMovie
        guard !parts.contains(where: { $0.kind == "mvex" }), let header = parts.first(where: { $0.kind == "mvhd" }),
            let movieScale = boxes.timescale(of: header)
        else { return nil }
        var headers: [Int32: MP4TrackHeader] = [:]
        for track in parts where track.kind == "trak" && boxes.isSound(track) {
            guard let number = boxes.trackNumber(of: track) else { continue }
            var header = MP4TrackHeader()
            if let edits = boxes.find(["edts"], in: track) {
                bridge.replace(Array("free".utf8), at: edits.start.addingClamped(4))
                header.edits = boxes.find(["elst"], in: edits).map { MP4EditList($0, boxes, movieScale) }
            }
            header.readMedia(of: track, boxes)
            headers[number] = header
        }
        return headers
    }

    private mutating func readMedia(of track: MP4Boxes.Box, _ boxes: MP4Boxes) {
        guard let media = boxes.find(["mdia"], in: track) else { return }
        if let header = boxes.find(["mdhd"], in: media) {
            timescale = boxes.timescale(of: header)
            duration = boxes.duration(of: header)
        }
        guard let times = boxes.find(["minf", "stbl", "stts"], in: media),
            let runs = boxes.number(times.body.addingClamped(4), 4), runs > 0
        else { return }
        let last = times.body.addingClamped(runs.multipliedClamped(by: 8)).addingClamped(4)
        if last <= times.end.subtractingClamped(4) { lastDuration = boxes.number(last, 4) }
    }
}
