/// Cuts what a `TapRecorder` holds into buffers without a gap in them, each with its time.
///
/// Used on the tap's queue alone.
struct TapReader {
    let recorder: TapRecorder
    let format: AVAudioFormat
    let bufferSize: Int
    /// What the frames from the last mark on go by.
    private var mark: TapMark?

    init(recorder: TapRecorder, format: AVAudioFormat, bufferSize: Int) {
        self.recorder = recorder
        self.format = format
        self.bufferSize = bufferSize
    }

    /// The next buffer and when it was: full, or cut off by a gap, or whatever is there if `flushes`.
    mutating func next(flushes: Bool) -> (AVAudioPCMBuffer, AVAudioTime)? {
        let position = recorder.position
        let available = recorder.readableCount
        guard available > 0 else { return nil }
        let (mark, gap) = marks(at: position)
        let limit = gap.map { $0 - position } ?? available
        let count = min(bufferSize, limit)
        guard count == bufferSize || gap != nil || flushes, let mark,
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(bufferSize)),
            let channels = buffer.floatChannelData
        else { return nil }
        buffer.frameLength = AVAudioFrameCount(count)
        recorder.take(count, into: channels)
        return (buffer, time(at: position, from: mark))
    }

    /// The mark that holds for `position`, and the place of the next gap, if one is known.
    private mutating func marks(at position: Int) -> (mark: TapMark?, gap: Int?) {
        var current = mark
        var gap: Int?
        var passed = 0
        recorder.pendingMarks { next in
            if next.position <= position {
                current = next
                passed += 1
                return true
            }
            guard let current, current.sampleTime(at: next.position) != next.sampleTime else { return true }
            gap = next.position
            return false
        }
        for _ in 0..<passed { recorder.dropMark() }
        mark = current
        return (current, gap)
    }

    private func time(at position: Int, from mark: TapMark) -> AVAudioTime {
        let sampleTime = mark.sampleTime(at: position)
        guard mark.hostTime != 0 else { return AVAudioTime(sampleTime: sampleTime, atRate: format.sampleRate) }
        let seconds = Double(position - mark.position) / format.sampleRate
        let hostTime = mark.hostTime + AVAudioTime.hostTime(forSeconds: seconds)
        return AVAudioTime(hostTime: hostTime, sampleTime: sampleTime, atRate: format.sampleRate)
    }
}
