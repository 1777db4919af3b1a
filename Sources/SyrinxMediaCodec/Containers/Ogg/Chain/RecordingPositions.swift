internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Counts the positions of decoded sound in one of several joined recordings, each of which has a rate and a start of its own.
struct RecordingPositions {
    /// Whether timestamps are positions in the recording, at its own rate, and not frames of the whole.
    private(set) var countsAlone = false
    /// The frame at which the recording begins, if it is known.
    private(set) var recordingStart: Int64?
    /// The offset in the file of the page in which the last packet begins.
    private(set) var offset: Int64 = -1
    /// The position of the next sample of Vorbis, since a page has told it, and the one at which the recording ends.
    ///
    /// In a chain of Vorbis libavformat reckons with the blocks of the first, and cuts too much or too little off the end of the
    /// others.
    private var nextPosition: Int64?
    private var endPosition: Int64?

    /// Takes note of the next packet, and sets the timestamp of `packet`, which refers to it.
    /// - Parameter countsAlone: Whether the start of what is decoded is to be as its own recording counts.
    mutating func note(
        _ next: MediaPacket,
        _ packet: UnsafeMutablePointer<AVPacket>,
        isVorbis: Bool,
        countsAlone: Bool
    ) {
        if countsAlone, isVorbis {
            if offset >= 0, offset != packet.pointee.pos { nextPosition = Self.known(packet.pointee.pts) }
            if next.lostFrames > 0 { nextPosition = nextPosition.map { $0.addingClamped(packet.pointee.duration) } }
            endPosition = next.endPosition
        }
        offset = packet.pointee.pos
        self.countsAlone = countsAlone || next.inRecording != nil
        recordingStart = countsAlone ? nil : next.inRecording?.start
        if !countsAlone { packet.pointee.pts = next.inRecording?.position ?? next.startFrame ?? syrinx_no_timestamp() }
    }

    /// Takes note of decoded samples.
    /// - Returns: The number of them that lie behind the end of the recording; `nil` if the container tells.
    mutating func takeEndTrim(ofDecoded count: Int64) -> Int? {
        guard let position = nextPosition else { return nil }
        let next = position.addingClamped(count)
        nextPosition = next
        return endPosition.map { Int(clamping: max(next.subtractingClamped($0), 0)) } ?? 0
    }

    /// Returns the start of the audible part of a decoded frame.
    /// - Parameters:
    ///   - startTrim: The samples at its start that are not heard.
    ///   - scale: Frames of the whole in one of the recording.
    func start(of position: Int64?, _ startTrim: Int, scale: Double) -> Int64? {
        guard countsAlone else { return position }
        let heard = position.map { $0.addingClamped(Int64(startTrim)).scaled(by: scale) }
        return recordingStart.map { start in heard.map { start.addingClamped(max($0, 0)) } } ?? heard
    }

    /// Records that the next packet does not follow the last one, as after a seek.
    mutating func breakOff() { (offset, nextPosition, endPosition) = (-1, nil, nil) }

    /// A timestamp, if it is one.
    static func known(_ timestamp: Int64) -> Int64? {
        // A timestamp of nonsense must not trap.
        timestamp == syrinx_no_timestamp() ? nil : min(max(timestamp, -1 << 60), 1 << 60)
    }
}
