import SyrinxByteStream

/// The range of frames to read: a whole recording, or a part of it.
struct FramePart: Equatable {
    /// The first frame.
    private(set) var start: Int64 = 0
    /// The frame after the last, or `Int64.max` for the end of the recording.
    private(set) var end = Int64.max

    /// The longest supported recording, in seconds: 31 years, whose frame count fits at any sample rate.
    private static let longest = 1e9

    /// Creates a range for a whole recording.
    init() {}

    /// Creates a range from times in seconds, ignoring values that are not numbers.
    init(from start: Double, to end: Double?, sampleRate: Double) {
        let frame = { (seconds: Double) in Int64(clamped: (min(max(seconds, 0), Self.longest) * sampleRate).rounded()) }
        self.start = start.isNaN ? 0 : frame(start)
        if let end, !end.isNaN { self.end = max(frame(end), self.start) }
    }

    /// Returns the frame of the recording for a frame of the part, limited to the part.
    func recordingFrame(_ frame: Int64) -> Int64 {
        let sum = start.addingReportingOverflow(max(frame, 0))
        return sum.overflow ? end : min(sum.partialValue, end)
    }

    /// Returns the description of the part, derived from that of the recording.
    func info(of info: MediaInfo) -> MediaInfo {
        guard start > 0 || end < .max else { return info }
        var result = info
        let from = Double(start) / info.sampleRate
        let to = end == .max ? Double.infinity : Double(end) / info.sampleRate
        result.frameCount = info.frameCount.map { max(min($0, end).subtractingClamped(start), 0) }
        result.duration =
            result.frameCount.map { Double($0) / info.sampleRate }
            ?? info.duration.map { max(min($0, to) - from, 0) } ?? (to.isFinite ? to - from : nil)
        result.chapters = info.chapters.compactMap { chapter in
            guard chapter.end > from, chapter.start < to else { return nil }
            let (start, end) = (max(chapter.start, from) - from, min(chapter.end, to) - from)
            return MediaChapter(start: start, end: end, title: chapter.title)
        }
        return result
    }
}
