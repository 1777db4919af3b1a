internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// A packet source that reads through libavformat.
protocol LibavBackedSource: PacketSource {
    var reader: LibavPacketReader { get }
    var timing: PacketTimeline { get set }
    /// The packet that has been read, but not yet given out.
    var pending: MediaPacket? { get set }
    /// The start of the first packet; negative if the encoder's delay lies before frame 0.
    var firstStart: Int64 { get }
    /// The offset of the first packet in the file.
    var firstOffset: Int64 { get }
    /// The offsets of the last two packets according to libavformat; -1 for none.
    var lastOffsets: (Int64, Int64) { get }

    /// Returns the next packet after `pending`.
    func read() throws(MediaError) -> MediaPacket?
    /// Records that the next packet does not follow the last one, as after a seek.
    func breakOff()
    /// Begins anew at the start of the stream.
    func reopen() throws(MediaError)
}

extension LibavBackedSource {
    var format: LibavContext { reader.format }
    var stream: any ByteStream { reader.format.bridge.stream }
    var firstParameters: UnsafeMutablePointer<AVCodecParameters>? { format.stream.pointee.codecpar }
    var connectionCut: ByteStreamError? { format.bridge.cut }
    var artwork: MediaPicture? { format.artwork }

    /// The error for a recording without a packet.
    static func noSound(_ name: String) -> MediaError {
        MediaError(.corrupt, "There is not one frame of sound in it.", name: name)
    }

    // MARK: Seeking

    /// Forgets the failure of the last read before a seek.
    /// - Returns: Whether there was one: then libavformat has lost what it had read, and packets are no more the ones that are
    ///   counted.
    /// - Throws: `.notSeekable` if there was one and the stream cannot go back.
    func clearFailure() throws(MediaError) -> Bool {
        let isBroken = format.bridge.failure != nil
        if isBroken, !stream.isSeekable { throw cannotGoBack }
        format.bridge.clearFailure()
        return isBroken
    }

    /// Checks that `frame` lies ahead in a stream that cannot go back, of which the reader drops what lies between.
    /// - Throws: `.notSeekable` if it does not.
    func readOn(toFrame frame: Int64) throws(MediaError) {
        let here = try peek()?.startFrame ?? info.frameCount ?? 0
        if frame < here { throw cannotGoBack }
    }

    /// The frame at which reading has to begin for `frame` to be decoded.
    func start(forFrame frame: Int64) -> Int64 {
        countsFromStart ? firstStart : max(frame.subtractingClamped(prerollFrames), firstStart)
    }

    /// Has libavformat go to the packet at `frame` or before it, by its timestamp.
    func seekByTimestamp(to frame: Int64) throws(MediaError) {
        // Some containers seek past the place asked for; then from further back.
        let steps = [
            0, timing.sampleRate, timing.sampleRate.multipliedClamped(by: 10), frame.subtractingClamped(firstStart),
        ]
        for step in steps {
            let start = max(frame.subtractingClamped(step), firstStart)
            breakOff()
            timing.breakOff()
            let stamp = timing.timestamp(ofFrame: start.addingClamped(timing.startSkip))
            let status = format.seek(toTimestamp: stamp)
            if let failure = format.bridge.failure { throw MediaError(failure) }
            if status < 0 && start > firstStart { continue }
            guard status >= 0 else { throw cannotGoBack }
            if let landed = try peekPlaced()?.startFrame, landed <= max(frame, firstStart) { return }
        }
    }

    /// Begins anew at the start of the stream, with the first packet.
    func startOver() throws(MediaError) {
        try reopen()
        timing.jump(toPacket: 0, exactly: true)
    }

    /// Reads from the start of the stream, and drops packets up to the first that `frame` needs.
    /// - Returns: As `readAnew(toFrame:)`; `nil` if no packet is left.
    func readFromStart(toFrame frame: Int64) throws(MediaError) -> Bool? {
        try startOver()
        guard timing.method != .rounded else { return false }
        while let packet = try peek() {
            guard let start = packet.startFrame, let count = packet.frameCount else {
                try startOver()
                return false
            }
            if start.addingClamped(Int64(count)) > frame.subtractingClamped(prerollFrames) { return true }
            pending = nil
        }
        return nil
    }

    // MARK: Looking ahead

    /// Returns the next packet, which stays the next one.
    func peek() throws(MediaError) -> MediaPacket? {
        if pending == nil { pending = try read() }
        return pending
    }

    /// Returns the next packet whose time is known: not every container tells it of each.
    func peekPlaced() throws(MediaError) -> MediaPacket? {
        while let packet = try peek() {
            if packet.startFrame != nil { return packet }
            pending = nil
        }
        return nil
    }
}
