internal import SyrinxByteStream

extension PacketSource {
    /// The error of a backward seek in a stream that is not seekable.
    var cannotGoBack: SyrinxError {
        SyrinxError(.notSeekable, "This stream cannot be rewound.", name: stream.name)
    }

    /// Returns the frame, clamped to the recording.
    func clamped(_ frame: Int64) -> Int64 { min(max(frame, 0), info.frameCount ?? .max / 4) }

    /// Clears the failure of the last read, before a seek.
    /// - Returns: Whether there was a failure. Then libavformat has lost its buffered packets, and packet counts are
    ///   wrong.
    /// - Throws: `.notSeekable` if there was a failure and the stream is not seekable.
    func clearFailure() throws(SyrinxError) -> Bool {
        let isBroken = format.bridge.failure != nil
        if isBroken, !stream.isSeekable { throw cannotGoBack }
        format.bridge.clearFailure()
        return isBroken
    }

    /// Checks that `frame` is ahead in a stream that is not seekable; the reader drops the frames before it.
    /// - Throws: `.notSeekable` if the frame is not ahead.
    func readOn(toFrame frame: Int64) throws(SyrinxError) {
        let here = try peek()?.startFrame ?? info.frameCount ?? 0
        if frame < here { throw cannotGoBack }
    }

    /// Returns the frame at which reading must start so that `frame` can be decoded.
    func start(forFrame frame: Int64) -> Int64 {
        traits.seeking == .byCountingFromStart
            ? firstStart : max(frame.subtractingClamped(prerollFrames), firstStart)
    }

    /// Seeks with libavformat to the last packet at or before `frame`, by timestamp.
    func seekByTimestamp(to frame: Int64) throws(SyrinxError) {
        // In some containers libavformat seeks too far; then it seeks again, from an earlier timestamp.
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
        // Without an index or key frames, libavformat cannot seek.
        try passPackets(toFrame: frame)
    }

    /// Reopens the stream, and drops the packets before `frame` if they have timestamps.
    private func passPackets(toFrame frame: Int64) throws(SyrinxError) {
        try startOver()
        guard !timing.isCountedByReader else { return }
        while let packet = try peek(), let start = packet.startFrame, let count = packet.frameCount,
            start.addingClamped(Int64(count)) <= frame
        {
            pending = nil
        }
    }

    /// Seeks with libavformat to a file offset.
    func jump(toOffset offset: Int64) throws(SyrinxError) {
        breakOff()
        let status = format.seek(toOffset: offset)
        if let failure = format.bridge.failure { throw failure }
        guard status >= 0 else { throw cannotGoBack }
    }

    /// Reopens the stream at its first packet.
    func startOver() throws(SyrinxError) {
        try reopen()
        timing.jump(toPacket: 0, exactly: true)
    }

    /// Reopens the stream, and drops packets up to the first that `frame` requires.
    /// - Returns: The result of `readAnew(toFrame:)`; `nil` if no packet is left.
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
