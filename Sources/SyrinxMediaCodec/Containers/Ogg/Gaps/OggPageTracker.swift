internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Tracks the pages in which packets start, detects lost pages, and corrects the timestamps after a gap.
struct OggPageTracker {
    private var format: LibavContext
    /// The durations of the packets in pages.
    private(set) var durations: OggPageDurations
    private var gaps = OggGapDetector()
    /// The audio missing before the next packet.
    private var missing = MissingAudio()
    private var isBehindGap = false
    /// Whether the current page is late, so that it is not played.
    private(set) var isStale = false
    /// The end position of the recording, if the current page is its last.
    private(set) var endPosition: Int64?
    /// The number of frames left in a last page after a gap, where libavformat relies on the wrong start.
    private var soundLeft: Int64?
    /// The first recording's sample rate divided by that of the last page's recording.
    private var pageScale = 1.0

    /// Follows the pages that `format` reads.
    init(_ format: LibavContext) {
        self.format = format
        durations = OggPageDurations(format)
    }

    /// Examines the page in which `packet` starts, if it differs from that of the packet before.
    /// - Parameter sampleRate: The sample rate of the first recording in hertz.
    mutating func note(_ packet: UnsafeMutablePointer<AVPacket>, sampleRate: Int64) {
        let offset = packet.pointee.pos
        guard offset >= 0, packet.pointee.size > 0 else { return }
        durations.noteHeaders(in: packet)
        guard offset != gaps.place.lowerBound else {
            // libavformat does not know the position at the start of the page.
            if isBehindGap { packet.pointee.pts = syrinx_no_timestamp() }
            return
        }
        (soundLeft, endPosition, isBehindGap, isStale) = (nil, nil, false, false)
        let bridge = format.bridge
        guard let page = OggPage(bridge.recentBytes(at: offset, count: OggPage.largestHeader)) else {
            return gaps.breakOff()
        }
        if page.isLast { endPosition = page.position }
        let durations = durations
        let gap = gaps.hole(
            before: page,
            at: offset..<offset.addingClamped(Int64(page.end)),
            between: { bridge.stretch(of: $0) },
            sound: { durations.sound(ofPageAt: offset, size: page.end, from: packet) }
        )
        isStale = gap.isStale
        missing.add(gap.endCount.scaled(by: pageScale))
        let scale = scale(to: sampleRate)
        pageScale = scale
        if gap.endCount > 0 { missing.count += 1 }
        guard gap.count > 0 else { return }
        // The first Vorbis packet decodes to no samples, but has a duration.
        packet.pointee.pts = gap.end.subtractingClamped(delayInPositions)
            .subtractingClamped(isVorbis ? packet.pointee.duration : 0)
        (soundLeft, isBehindGap) = (gap.soundLeft, true)
        missing.count += 1
        missing.hasDelay = gap.isAtFront
        missing.add(max(gap.count.subtractingClamped(gap.isAtFront ? delayInPositions : 0), 0).scaled(by: scale))
    }

    /// Returns the padding of a packet of `count` frames, in the last page after a gap.
    mutating func endTrimBehindGap(_ count: Int64?) -> Int64? {
        guard let left = soundLeft, let count else { return nil }
        soundLeft = left.subtractingClamped(count)
        return min(max(count.subtractingClamped(left), 0), count)
    }

    /// Returns the audio missing before the next packet, and resets it.
    mutating func takeMissing() -> MissingAudio {
        defer { missing = MissingAudio() }
        return missing
    }

    /// The audio missing after the last page; `nil` if there is none, or that page is unknown.
    var missingAtEnd: MissingAudio? {
        let place = gaps.place.upperBound
        guard place > 0, place < .max else { return nil }
        let frames = gaps.lostAtEnd(format.bridge.stretch(of: place..<Int64.max)).scaled(by: pageScale)
        return frames > 0 ? MissingAudio(count: 1, frames: frames) : nil
    }

    /// Whether the bytes so far end with a page that is marked as the last of its stream (RFC 3533, 6).
    var endsWithLastPage: Bool {
        let end = avio_tell(format.bridge.context)
        var place = gaps.place.lowerBound
        var isLast = false
        while place < end, let page = OggPage(format.bridge.recentBytes(at: place, count: OggPage.largestHeader)) {
            isLast = page.isLast
            place += Int64(page.end)
        }
        return isLast && place == end
    }

    /// Notes a discontinuity before the next packet, as after a seek.
    mutating func breakOff() {
        gaps.breakOff()
        durations.breakOff()
        (isStale, isBehindGap) = (false, false)
        (missing, soundLeft, endPosition) = (MissingAudio(), nil, nil)
    }

    /// Follows the pages that `format` reads from now on, from the start of the file.
    mutating func restart(_ format: LibavContext) {
        self.format = format
        durations = OggPageDurations(format)
        breakOff()
    }

    /// The first recording's sample rate divided by that of the recording that is read.
    private func scale(to sampleRate: Int64) -> Double {
        guard let rate = format.stream.pointee.codecpar?.pointee.sample_rate, rate > 0 else { return 1 }
        return Double(sampleRate) / Double(rate)
    }

    private var isVorbis: Bool { format.stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_VORBIS }

    /// The difference between Ogg positions and libavformat's timestamps, in frames: Opus positions include the
    /// pre-skip.
    private var delayInPositions: Int64 { PacketTrim.opusPreSkip(of: format.stream) ?? 0 }
}
