import SyrinxByteStream
import SyrinxMediaCodec

/// The part of an input that is played, in its own frames.
struct InputPart {
    /// The first frame.
    let start: Int64
    /// The frame after the last one, if it is not the end of the input.
    let end: Int64
    /// The time at which it ends, in seconds; `nil` is the end of the input.
    let endTime: Double?
    private let startTime: Double
    private let isRequired: Bool

    /// Creates the part from `start` to `end`, in seconds; `nil` is the end of the input.
    /// - Parameter isRequired: Whether a start at or after the end is an error, as opposed to an empty part.
    init(start: Double, end: Double?, isRequired: Bool, of info: MediaInfo) {
        startTime = start
        endTime = end
        self.isRequired = isRequired
        self.start = Self.frame(start, of: info)
        self.end = Self.endFrame(end, of: info)
    }

    private static func frame(_ seconds: Double, of info: MediaInfo) -> Int64 {
        // So many seconds are a number of frames at any sample rate that a recording may state.
        Int64(clamped: (min(seconds, PlaybackTimeline.longest) * info.sampleRate).rounded())
    }

    /// Returns the end frame for an end time in seconds; `nil` is the end of the input.
    static func endFrame(_ end: Double?, of info: MediaInfo) -> Int64 { end.map { frame($0, of: info) } ?? .max }

    /// Whether the first frame must exist, because an empty part would be silent.
    private var needsStart: Bool { isRequired && start > 0 && start < end }

    /// Throws if the start is known to be at or after the end of the input, before anything is read up to there.
    func check(_ reader: any SampleReader, name: String) throws {
        guard needsStart, let count = reader.info.frameCount, start >= count else { return }
        // The length that an input states may be too short, which a seek finds out.
        if reader.info.isSeekable { try reader.seek(toFrame: start) }
        if reader.info.frameCount.map({ start >= $0 }) ?? false { throw startBehindEnd(reader.info, name: name) }
    }

    /// Seeks to the start; throws if it turns out to be at or after the end of the input.
    func seekToStart(_ reader: any SampleReader, name: String) throws {
        guard start > 0, reader.position != start else { return }
        try reader.seek(toFrame: start)
        let isBehind = reader.isAtEnd || reader.position < start || reader.info.frameCount.map { start >= $0 } ?? false
        if needsStart, isBehind { throw startBehindEnd(reader.info, name: name) }
    }

    private func startBehindEnd(_ info: MediaInfo, name: String) -> SyrinxError {
        let end = info.duration.map { ", which is \(Self.seconds($0)) s long" } ?? ""
        let message = "The start, at \(Self.seconds(startTime)) s, is at or after the end of the input\(end)."
        return SyrinxError(.startBeyondEnd, message, name: name)
    }

    private static func seconds(_ seconds: Double) -> String {
        let rounded = (seconds * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() && rounded < 1e15 ? "\(Int64(rounded))" : "\(rounded)"
    }
}
