internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// A container's statements about one recording, beyond those that libavformat reads.
struct ContainerStatement {
    /// The statements about the timestamps.
    var clock = ClockStatement()
    /// The encoder's delay and padding in packets that are counted.
    var delay = EncoderDelay()
    /// Returns the statement about the number of frames.
    var length: (PacketTimeline) -> LengthStatement = { _ in .byTimestamps }
    /// The size of the sound and its number of packets, if their ratio is the average of a variable bit rate.
    var average: (bytes: Int64, packets: Int64)?

    /// The comment of iTunes in the tags, which states the encoder's delay.
    static func gapless(_ format: LibavContext) -> ITunesGapless? {
        av_dict_get(format.context.pointee.metadata, "iTunSMPB", nil, 0)
            .flatMap { $0.pointee.value.map { String(cString: $0) } }.flatMap(ITunesGapless.init)
    }
}

/// The frames that an encoder added to a recording whose packets are counted.
struct EncoderDelay: Equatable {
    /// The number of frames before the first audible one.
    var startSkip: Int64 = 0
    /// The number of audible frames, if it is stated; it determines the padding.
    var soundFrames: Int64?
    /// The number of packets, if it is stated.
    var packetCount: Int64?
    /// The number of frames after the last audible one, if `packetCount` or `soundFrames` is stated.
    var endPadding: Int64 = 0

    /// Returns the padding as a range of frames from the start of the first packet; empty if it is unknown.
    func padding(framesPerPacket: Int64) -> Range<Int64> {
        if let soundFrames {
            let end = startSkip.addingClamped(soundFrames)
            // The padding may be longer than the last packet.
            return
                end..<end.addingClamped(endPadding).dividedRoundingUp(by: framesPerPacket).multipliedClamped(
                    by: framesPerPacket
                )
        }
        guard let packetCount, packetCount > 0, let end = packetCount.multipliedChecked(by: framesPerPacket),
            case let start = end.subtractingClamped(endPadding), start > startSkip
        else { return 0..<0 }
        return start..<end
    }
}
