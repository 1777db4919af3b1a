import SyrinxMediaCodec

/// Divides the frames of a `TapRecorder` into gapless buffers with times.
///
/// Used only on the tap's queue.
struct TapReader {
    let recorder: TapRecorder
    /// The format of the node.
    let format: AVAudioFormat
    let bufferSize: Int
    /// To the format of the tap, if that is another.
    private let converter: TapConverter?
    /// The mark that applies to frames from the last mark on.
    private var mark: TapMark?

    init(recorder: TapRecorder, format: AVAudioFormat, bufferSize: Int, converter: TapConverter?) {
        self.recorder = recorder
        self.format = format
        self.bufferSize = bufferSize
        self.converter = converter
    }

    /// Frames of the node that make it worth looking for the next buffer.
    var wantedCount: Int { converter?.wantedCount ?? bufferSize }

    /// Returns the next buffer and its time: full, or ended by a gap, or partial if `flushes` is `true`.
    mutating func next(flushes: Bool) -> (AVAudioPCMBuffer, AVAudioTime)? {
        if let converter { return next(flushes: flushes, through: converter) }
        let position = recorder.position
        let available = recorder.readableCount
        guard available > 0 else { return nil }
        let (mark, gap) = pass(look(at: position))
        let limit = gap.map { $0 - position } ?? available
        let count = min(bufferSize, limit)
        guard count == bufferSize || gap != nil || flushes, let mark,
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(bufferSize)),
            let channels = buffer.floatChannelData
        else { return nil }
        buffer.frameLength = AVAudioFrameCount(count)
        recorder.take(count, into: channels)
        let sampleTime = mark.sampleTime(at: position)
        return (buffer, time(sampleTime, format.sampleRate, at: Double(sampleTime), from: mark))
    }

    private mutating func next(flushes: Bool, through converter: TapConverter) -> (AVAudioPCMBuffer, AVAudioTime)? {
        while true {
            if let piece = converter.take(), let mark {
                let rate = converter.format.sampleRate
                return (piece.buffer, time(piece.sampleTime, rate, at: piece.inputTime, from: mark))
            }
            let position = recorder.position
            let available = recorder.readableCount
            guard available > 0 else {
                guard flushes, converter.isRunning else { return nil }
                converter.finish()
                continue
            }
            let view = look(at: position)
            guard let sampleTime = view.mark?.sampleTime(at: position) else { return nil }
            if converter.isRunning, !converter.goesOn(at: sampleTime) {
                // The rest of the section uses the times of the previous mark.
                converter.finish()
                continue
            }
            let (_, gap) = pass(view)
            if !converter.isRunning { converter.begin(at: sampleTime) }
            let count = min(available, gap.map { $0 - position } ?? available, converter.inputCapacity)
            recorder.take(count, into: UnsafePointer(converter.input.channels))
            converter.push(count)
        }
    }

    /// The timing of a position according to the marks.
    private struct View {
        /// The mark that applies to the current position.
        var mark: TapMark?
        /// The position of the next gap, if known.
        var gap: Int?
        /// The position before which marks are no longer needed.
        var passed = 0
    }

    private func look(at position: Int) -> View {
        var view = View(mark: mark)
        recorder.pendingMarks { next in
            if next.position <= position {
                view.mark = next
                view.passed += 1
                return true
            }
            guard let mark = view.mark, mark.sampleTime(at: next.position) != next.sampleTime else { return true }
            view.gap = next.position
            return false
        }
        return view
    }

    /// Removes marks that are no longer needed after this view.
    private mutating func pass(_ view: View) -> (mark: TapMark?, gap: Int?) {
        for _ in 0..<view.passed { recorder.dropMark() }
        mark = view.mark
        return (view.mark, view.gap)
    }

    /// Returns the time of a buffer whose first frame is at `inputTime` of the node's clock.
    private func time(
        _ sampleTime: Int64,
        _ sampleRate: Double,
        at inputTime: Double,
        from mark: TapMark
    ) -> AVAudioTime {
        guard mark.hostTime != 0 else { return AVAudioTime(sampleTime: sampleTime, atRate: sampleRate) }
        let seconds = (inputTime - Double(mark.sampleTime)) / format.sampleRate
        let span = AVAudioTime.hostTime(forSeconds: abs(seconds))
        let hostTime = seconds < 0 ? mark.hostTime - min(mark.hostTime, span) : mark.hostTime + span
        return AVAudioTime(hostTime: hostTime, sampleTime: sampleTime, atRate: sampleRate)
    }
}
