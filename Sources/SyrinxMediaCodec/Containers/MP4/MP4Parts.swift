internal import SyrinxByteStream

/// The audible parts of a track's media, in order.
struct MP4Parts {
    struct Part: Equatable {
        /// The start frame of the part in the recording.
        var start: Int64
        /// Its frames of the media.
        var media: Range<Int64>

        var end: Int64 { start.addingClamped(Int64(media.count)) }
    }

    /// Contains at least one part.
    private(set) var parts: [Part]

    /// The maximum number of repetitions of the media in an edit list, so that the cost is proportional to the size of
    /// the file.
    private static let mostRepeats: Int64 = 16

    /// - Parameters:
    ///   - list: The edit list, if there is one. Its pauses are left out, because video is timed by the audio.
    ///   - gapless: The iTunes comment, which applies if the edit list covers the whole media.
    ///   - delay: The known encoder delay in frames, which applies if none is stated.
    ///   - ticksPerSecond: The timescale of the track.
    init(
        _ clock: MP4PacketClock,
        _ list: MP4EditList?,
        gapless: ITunesGapless?,
        delay: Int64,
        ticksPerSecond: Int64
    ) {
        let whole = Part(start: 0, media: 0..<clock.frameCount)
        parts = list.map { Self.parts(of: $0, clock, ticksPerSecond) } ?? []
        // An edit list without valid edits is ignored.
        if parts.isEmpty { parts = [whole] }
        guard parts.count == 1 else { return }
        let edited = parts[0].media
        if let gapless {
            let noted = gapless.media(of: clock).clamped(to: whole.media)
            let isMeant = edited.lowerBound == 0 || edited.lowerBound == noted.lowerBound
            let rounding = list.map { Self.tolerance(of: $0, clock, ticksPerSecond) } ?? 0
            if isMeant, !noted.isEmpty, noted.upperBound <= edited.upperBound.addingClamped(rounding) {
                parts[0].media = noted
            }
        } else if edited == whole.media, 0..<clock.frameCount ~= delay {
            parts[0].media = delay..<clock.frameCount
        }
    }

    /// Ends are rounded to ticks of the movie: returns the number of track ticks in one of those.
    private static func rounding(of list: MP4EditList, _ ticksPerSecond: Int64) -> Int64 {
        ticksPerSecond.dividedRoundingUp(by: list.movieScale)
    }

    /// That rounding in frames.
    private static func tolerance(of list: MP4EditList, _ clock: MP4PacketClock, _ ticksPerSecond: Int64) -> Int64 {
        max(clock.frames(rounding(of: list, ticksPerSecond)), 1)
    }

    private static func parts(of list: MP4EditList, _ clock: MP4PacketClock, _ ticksPerSecond: Int64) -> [Part] {
        let tick = rounding(of: list, ticksPerSecond)
        let tolerance = tolerance(of: list, clock, ticksPerSecond)
        var parts: [Part] = []
        var left = clock.frameCount.multipliedClamped(by: mostRepeats)
        let last = list.edits.lastIndex { $0.start != nil }
        for (index, edit) in list.edits.enumerated() {
            guard let start = edit.start, edit.duration > 0 || index == last else { continue }
            let ticks = Double(edit.duration) * Double(ticksPerSecond) / Double(list.movieScale)
            let stated = start.addingClamped(Int64(clamped: ticks.rounded()))
            // A last edit without a duration, or one that ends with the table, extends to the end.
            let isAll =
                edit.duration == 0 || stated.addingClamped(tick) >= clock.ticks
                || stated.subtractingClamped(clock.tableTicks).magnitude <= tick.magnitude
            let from = clock.frame(at: start)
            let media = from..<max(isAll ? clock.frameCount : clock.frame(at: stated), from)
            guard !media.isEmpty, left > 0 else { continue }
            left = left.subtractingClamped(Int64(media.count))
            if let before = parts.last, before.media.upperBound.subtractingClamped(from).magnitude <= tolerance,
                before.media.lowerBound < media.upperBound
            {
                parts.removeLast()
                parts.append(Part(start: before.start, media: before.media.lowerBound..<media.upperBound))
            } else {
                parts.append(Part(start: parts.last?.end ?? 0, media: media))
            }
        }
        return parts
    }

    /// The number of audible frames.
    var frameCount: Int64 { parts[parts.count - 1].end }
}

extension ITunesGapless {
    /// Returns the audible frames of the decoded frames; for HE-AAC, the comment may count core frames.
    fileprivate func media(of clock: MP4PacketClock) -> Range<Int64> {
        let all = startSkip.addingClamped(frameCount).addingClamped(endPadding)
        let isHalf = clock.framesPerPacket == 2048 && all.multipliedClamped(by: 2) <= clock.start(of: clock.count)
        let scale: Int64 = isHalf ? 2 : 1
        let start = startSkip.multipliedClamped(by: scale)
        return start..<start.addingClamped(frameCount.multipliedClamped(by: scale))
    }
}
