internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The packets of an MP4 file at libavformat's positions, for fragments and for a table that cannot be read beforehand.
final class MP4Source: PacketSource {
    /// Whether the stated length is that of the fragments that have arrived; the last packet is cut to it.
    private var growsToItsLength = false
    /// The encoder delay in ticks, if the first packet states it and the stated length of the fragments includes it.
    ///
    /// This is so with libavformat 61 (FFmpeg 7). Earlier versions shift the timestamps of fragments, and the delay is
    /// in `timing.startSkip`.
    private let delayInLength: Int64

    /// Reads the first packet.
    /// - Throws: `.corrupt` if there is no audio, or the stream's error.
    init(_ reader: LibavPacketReader) throws(SyrinxError) {
        let first = try reader.readFirst()
        let (format, bridge) = (reader.format, reader.format.bridge)
        let boxes = MP4Boxes { bridge.peek(at: $0, count: $1) }
        let isFragmented = boxes.isFragmented
        // The fragments that have not arrived cannot be examined.
        let isOpenEnded = !bridge.stream.isSeekable && isFragmented
        let delay = isFragmented ? first.map { Int64(PacketTrim.of($0).start) } ?? 0 : 0
        delayInLength = delay
        let isAmbiguous = { (timing: PacketTimeline) in
            (timing.startSkip > 0 || delay > 0) && boxes.hasSegmentIndex
        }
        let gapless = ContainerStatement.gapless(format)
        var statement = ContainerStatement()
        statement.clock.countsDelayInTicks = true
        statement.length = { timing in
            if isOpenEnded { return .none }
            if isAmbiguous(timing) { return .roughlyByTimestamps }
            guard let stated = format.statedFrameCount(timing) else { return .frames(nil) }
            let edited = stated.subtractingClamped(timing.frames(delay))
            if let gapless, gapless.frameCount <= edited { return .frames(gapless.frameCount) }
            return .frames(edited)
        }
        try super.init(reader, first: first, statement)
        growsToItsLength = isOpenEnded && timing.method == .timestamps && !isAmbiguous(timing)
    }

    override func nextPacket() throws(SyrinxError) -> MediaPacket? {
        guard var packet = try super.nextPacket() else { return nil }
        guard let padding = paddingIfLast(packet) else { return packet }
        // If reading fails, this packet stays the next one.
        pending = packet
        pending = try read()
        if pending == nil { packet.endTrim = padding }
        return packet
    }

    /// Returns the padding of `packet` if it is the last one; otherwise `nil`.
    private func paddingIfLast(_ packet: MediaPacket) -> Int? {
        guard growsToItsLength, let start = packet.startFrame, let count = packet.frameCount else { return nil }
        let ticks = format.stream.pointee.duration.subtractingClamped(delayInLength)
        let stated = timing.frameCount(ofTicks: ticks).subtractingClamped(start)
        // Bounded: `stated` lies in 0..<`count`.
        return 0..<Int64(count) ~= stated ? count - Int(stated) : nil
    }
}
