internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The statements of an Ogg file's first and last pages about the start and the end of the audio.
struct OggMetadata {
    /// Whether the file is a chain of several recordings.
    let isChain: Bool
    /// Whether the positions have no common clock: in a chain, or in a recording with invalid positions.
    let hasNoCommonClock: Bool
    /// The last position of a file with one stream.
    let end: Int64?
    /// The offset and the start position of the first page with audio, for FLAC in Ogg.
    ///
    /// libavformat assumes a start at 0, but uses the stated positions of later pages.
    let firstPage: (offset: Int64, start: Int64)?
    /// Whether the first pages with audio are damaged, so that the readable audio starts later.
    let hasLostFront: Bool
    /// Whether the positions differ from the packet durations.
    let hasRoundedPositions: Bool
    /// The start and duration of the first Vorbis packet, which decodes to no samples, if libavformat counts it as
    /// audio.
    ///
    /// This occurs if the first page with audio is also the last one: the positions seem to start a packet late, and
    /// too much is cut off the end.
    private let silentPacket: (start: Int64, duration: Int64)?

    /// - Parameter durations: The packet durations of this file.
    init(_ format: LibavContext, first: UnsafePointer<AVPacket>?, _ durations: OggPageDurations) {
        let bridge = format.bridge
        let codec = format.stream.pointee.codecpar?.pointee.codec_id
        let tail = OggLastPage.read { bridge.tail($0) }
        isChain = OggChain.isChained(head: bridge.head, tail: tail)
        hasNoCommonClock =
            isChain
            || OggLastPage.isBeforeTheStart(of: bridge.head) {
                tail.count < OggLastPage.size || $0 <= tail.count ? tail.suffix($0) : bridge.tail($0)
            }
        end = OggLastPage.lastPosition(in: tail, after: bridge.head)
        // If frame sizes vary, the first frame does not describe the others.
        let isFLAC = codec == AV_CODEC_ID_FLAC && format.flacInfo?.blockSizes.count == 1
        firstPage = isFLAC ? first.flatMap { Self.page(of: $0, bridge) } : nil
        hasLostFront =
            !hasNoCommonClock && first.map { Self.isFrontLost(before: $0, bridge, durations) } ?? false
        hasRoundedPositions = !hasNoCommonClock && first.map { durations.positionsDiffer(from: $0) } ?? false
        silentPacket = codec == AV_CODEC_ID_VORBIS ? first.flatMap(Self.silentPacket) : nil
    }

    private static func page(of first: UnsafePointer<AVPacket>, _ bridge: AVIOBridge) -> (Int64, Int64)? {
        let offset = first.pointee.pos
        guard first.pointee.pts == 0, let page = OggPage(bridge.recentBytes(at: offset, count: OggPage.largestHeader)),
            !page.isLast, let end = page.position
        else { return nil }
        // Only the last of its frames may be shorter than the others. A tick is a sample.
        let span = Int64(page.packetCount).multipliedClamped(by: min(max(first.pointee.duration, 0), 1 << 16))
        let start = end.subtractingClamped(span)
        return start > 0 ? (offset, start) : nil
    }

    private static func isFrontLost(
        before first: UnsafePointer<AVPacket>,
        _ bridge: AVIOBridge,
        _ durations: OggPageDurations
    ) -> Bool {
        let offset = first.pointee.pos
        guard offset > 0, let page = OggPage(bridge.recentBytes(at: offset, count: OggPage.largestHeader)) else {
            return false
        }
        var gaps = OggGapDetector()
        let gap = gaps.hole(
            before: page,
            at: offset..<offset.addingClamped(Int64(page.end)),
            between: { bridge.stretch(of: $0) },
            sound: { durations.sound(ofPageAt: offset, size: page.end, from: first) }
        )
        return gap.isAtFront
    }

    private static func silentPacket(_ first: UnsafePointer<AVPacket>) -> (Int64, Int64)? {
        let start = first.pointee.pts
        guard start != syrinx_no_timestamp(), start >= 0 else { return nil }
        return (start, first.pointee.duration)
    }

    // MARK: Statements

    /// The statements about the timestamps.
    var clock: ClockStatement {
        var clock = ClockStatement(isCommon: !hasNoCommonClock, fallbackOrigin: firstPage?.start)
        clock.origin = hasLostFront ? 0 : silentPacket.map { $0.start.addingClamped($0.duration) }
        clock.isRounded = hasRoundedPositions
        if let silentPacket, silentPacket.start == 0 { clock.silentTicks = silentPacket.duration }
        return clock
    }

    /// The statement about the length.
    func length(_ timing: PacketTimeline, _ format: LibavContext) -> LengthStatement {
        if hasNoCommonClock { return .none }
        if hasRoundedPositions { return .roughlyByTimestamps }
        // The positions count the delay at the start.
        let delay = PacketTrim.opusPreSkip(of: format.stream) ?? 0
        guard timing.method == .timestamps, let end else {
            return .frames(format.statedFrameCount(timing).map { max($0.subtractingClamped(delay), 0) })
        }
        // Positions need not start at 0, as in captured or cut streams.
        let span = timing.frames(end).subtractingClamped(timing.frames(timing.origin))
        let count = span.addingClamped(timing.endTrimExcess).subtractingClamped(delay)
        return .frames(count > 0 ? count : nil)
    }
}
