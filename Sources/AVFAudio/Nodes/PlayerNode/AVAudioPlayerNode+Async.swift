extension AVAudioPlayerNode {
    /// Schedules `buffer` after the current schedule, and returns when its data was consumed or dropped.
    public func scheduleBuffer(_ buffer: AVAudioPCMBuffer) async {
        await withCheckedContinuation { done in scheduleBuffer(buffer) { done.resume() } }
    }

    /// Schedules `buffer` after the current schedule, and returns at the event that `callbackType` selects.
    @discardableResult
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await withCheckedContinuation { done in
            scheduleBuffer(buffer, completionCallbackType: callbackType) { done.resume(returning: $0) }
        }
    }

    /// Schedules `buffer` for a time, and returns when its data was consumed or dropped.
    ///
    /// With `.loops`, it returns only when another buffer interrupts this one, or when the player stops.
    /// - Parameters:
    ///   - buffer: The buffer.
    ///   - when: A sample time of the player, or a host time; `nil` means after the current schedule.
    ///   - options: Whether the buffer loops, and whether it replaces the current schedule.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer,
        at when: AVAudioTime?,
        options: AVAudioPlayerNodeBufferOptions = []
    ) async {
        await withCheckedContinuation { done in
            scheduleBuffer(buffer, at: when, options: options) { done.resume() }
        }
    }

    /// Schedules `buffer` for a time, and returns at the event that `callbackType` selects.
    @discardableResult
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer,
        at when: AVAudioTime?,
        options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await withCheckedContinuation { done in
            scheduleBuffer(buffer, at: when, options: options, completionCallbackType: callbackType) {
                done.resume(returning: $0)
            }
        }
    }

    /// Schedules a whole file for a time, and returns when its data was consumed or dropped.
    public func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?) async {
        await withCheckedContinuation { done in scheduleFile(file, at: when) { done.resume() } }
    }

    /// Schedules a whole file for a time, and returns at the event that `callbackType` selects.
    @discardableResult
    public func scheduleFile(
        _ file: AVAudioFile,
        at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await withCheckedContinuation { done in
            scheduleFile(file, at: when, completionCallbackType: callbackType) { done.resume(returning: $0) }
        }
    }

    /// Schedules a segment of a file for a time, and returns when its data was consumed or dropped.
    public func scheduleSegment(
        _ file: AVAudioFile,
        startingFrame startFrame: AVAudioFramePosition,
        frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?
    ) async {
        await withCheckedContinuation { done in
            scheduleSegment(file, startingFrame: startFrame, frameCount: numberFrames, at: when) { done.resume() }
        }
    }

    /// Schedules a segment of a file for a time, and returns at the event that `callbackType` selects.
    @discardableResult
    public func scheduleSegment(
        _ file: AVAudioFile,
        startingFrame startFrame: AVAudioFramePosition,
        frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await withCheckedContinuation { done in
            scheduleSegment(
                file,
                startingFrame: startFrame,
                frameCount: numberFrames,
                at: when,
                completionCallbackType: callbackType
            ) { done.resume(returning: $0) }
        }
    }
}
