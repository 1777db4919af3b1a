internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Tracks the positions of decoded audio in one of several chained recordings, which have their own rates and starts.
struct RecordingPositions {
    /// Whether timestamps are positions in the recording, at its own rate, and not frames of the whole.
    private(set) var countsAlone = false
    /// The start frame of the recording, if known.
    private(set) var recordingStart: Int64?
    /// The file offset of the page in which the last packet starts.
    private(set) var offset: Int64 = -1
    /// The position of the next Vorbis sample, once a page has stated it, and the end position of the recording.
    ///
    /// In a Vorbis chain, libavformat uses the block sizes of the first recording, and cuts too much or too little off
    /// the end of the others.
    private var nextPosition: Int64?
    private var endPosition: Int64?

    /// Notes the next packet, and sets the timestamp of the corresponding `packet`.
    /// - Parameter countsAlone: Whether positions are those of the recording itself.
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

    /// Notes decoded samples.
    /// - Returns: The number of samples after the end of the recording; `nil` if the container states it.
    mutating func takeEndTrim(ofDecoded count: Int64) -> Int? {
        guard let position = nextPosition else { return nil }
        let next = position.addingClamped(count)
        nextPosition = next
        return endPosition.map { Int(clamping: max(next.subtractingClamped($0), 0)) } ?? 0
    }

    /// Returns the start of the audible part of a decoded frame.
    /// - Parameters:
    ///   - startTrim: The number of inaudible samples at its start.
    ///   - scale: The frames of the chain for each frame of the recording.
    func start(of position: Int64?, _ startTrim: Int, scale: Double) -> Int64? {
        guard countsAlone else { return position }
        let heard = position.map { $0.addingClamped(Int64(startTrim)).scaled(by: scale) }
        return recordingStart.map { start in heard.map { start.addingClamped(max($0, 0)) } } ?? heard
    }

    /// Notes a discontinuity before the next packet, as after a seek.
    mutating func breakOff() { (offset, nextPosition, endPosition) = (-1, nil, nil) }

    /// Returns a timestamp, or `nil` if it is undefined.
    static func known(_ timestamp: Int64) -> Int64? {
        // An invalid timestamp must not trap.
        timestamp == syrinx_no_timestamp() ? nil : min(max(timestamp, -1 << 60), 1 << 60)
    }
}
