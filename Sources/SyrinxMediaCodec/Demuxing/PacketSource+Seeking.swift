internal import SyrinxByteStream

extension PacketSource {
    /// The error of a seek backwards in a stream that cannot go back.
    var cannotGoBack: SyrinxError {
        SyrinxError(.notSeekable, "This stream cannot be rewound.", name: stream.name)
    }

    /// Returns the nearest frame of the recording.
    func clamped(_ frame: Int64) -> Int64 { min(max(frame, 0), info.frameCount ?? .max / 4) }

    /// Forgets the failure of the last read before a seek.
    /// - Returns: Whether there was one: then libavformat has lost what it had read, and packets are no longer those that are
    ///   counted.
    /// - Throws: `.notSeekable` if there was one and the stream cannot go back.
    func clearFailure() throws(SyrinxError) -> Bool {
        let isBroken = format.bridge.failure != nil
        if isBroken, !stream.isSeekable { throw cannotGoBack }
        format.bridge.clearFailure()
        return isBroken
    }

    /// Checks that `frame` lies ahead in a stream that cannot go back; the reader drops the frames before it.
    /// - Throws: `.notSeekable` if it does not.
    func readOn(toFrame frame: Int64) throws(SyrinxError) {
        let here = try peek()?.startFrame ?? info.frameCount ?? 0
        if frame < here { throw cannotGoBack }
    }

    /// Returns the frame at which reading has to begin for `frame` to be decoded.
    func start(forFrame frame: Int64) -> Int64 {
        traits.seeking == .byCountingFromStart
            ? firstStart : max(frame.subtractingClamped(prerollFrames), firstStart)
    }

    /// Has libavformat go to the packet at `frame` or before it, by its timestamp.
    func seekByTimestamp(to frame: Int64) throws(SyrinxError) {
        // In some containers libavformat passes the place; then a seek from further back follows.
        let steps = [
            0, timing.sampleRate, timing.sampleRate.multipliedClamped(by: 10), frame.subtractingClamped(firstStart),
        ]
        for step in steps {
            let start = max(frame.subtractingClamped(step), firstStart)
            breakOff()
            timing.breakOff()
            let stamp = timing.timestamp(ofFrame: start.addingClamped(timing.startSkip))
            let status = format.seek(toTimestamp: stamp)
            if let failure = format.bridge.failure { throw failure }
            if status < 0 && start > firstStart { continue }
            if status < 0 { break }
            if let landed = try peekPlaced()?.startFrame, landed <= max(frame, firstStart) { return }
        }
        // Without an index, or without key frames, it finds no place.
        try passPackets(toFrame: frame)
    }

    /// Begins again at the start of the stream, and drops the packets before `frame` where they tell their frames.
    private func passPackets(toFrame frame: Int64) throws(SyrinxError) {
        try startOver()
        guard !timing.isCountedByReader else { return }
        while let packet = try peek(), let start = packet.startFrame, let count = packet.frameCount,
            start.addingClamped(Int64(count)) <= frame
        {
            pending = nil
        }
    }

    /// Has libavformat continue at `offset` of the file.
    func jump(toOffset offset: Int64) throws(SyrinxError) {
        breakOff()
        let status = format.seek(toOffset: offset)
        if let failure = format.bridge.failure { throw failure }
        guard status >= 0 else { throw cannotGoBack }
    }

    /// Begins again at the start of the stream, with the first packet.
    func startOver() throws(SyrinxError) {
        try reopen()
        timing.jump(toPacket: 0, exactly: true)
    }

    /// Reads from the start of the stream, and drops packets up to the first that `frame` needs.
    /// - Returns: As `readAnew(toFrame:)`; `nil` if no packet is left.
    func readFromStart(toFrame frame: Int64) throws(SyrinxError) -> Bool? {
        try startOver()
        guard !timing.isCountedByReader else { return false }
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
}
