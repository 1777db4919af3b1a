import Foundation
import Synchronization

/// Plays buffers and pieces of files one after the other, without a gap between them.
///
/// Its time, `playerTime`, counts the frames given since it was started after a `stop()`; it stands while it is paused, and
/// goes on, in silence, past what is scheduled. What is scheduled for a sample time begins at that frame of the player's
/// time; for a host time, when the device plays the frame of that time; for a time that is past, or for none, as soon as what
/// was scheduled before it is over. With manual rendering there is no clock, and host times count as none.
///
/// Buffers have to be of the sample rate of the node's output; files are brought to it. Channels that the output lacks are
/// folded into those that it has, as `AVAudioMixerNode` does it; those that it has more are filled with the last one. Connect
/// the node before scheduling: without a connection, channels that a later one lacks are left out.
///
/// On a device, a sound that is cut off fades out within 5 ms. The next sound fades in at the same time, so that the gains of both
/// add up to 1. A pause plays 5 ms more of the sound and fades it out. Apple's node ends a sound at once. This node does so in
/// manual rendering, where every sample counts.
open class AVAudioPlayerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    // Unchecked: what changes is behind the locks of `schedule` and `failureHandler`.
    let schedule = PlayerSchedule()
    private let failureHandler = Mutex<(@Sendable (AVAudioFile, any Error) -> Void)?>(nil)

    var kernel: PlayerKernel { schedule.kernel }

    override var takesFormatOfTap: Bool { true }

    /// A player with nothing scheduled.
    public override init() { super.init() }

    // MARK: Buffers

    /// Plays `buffer` after what is scheduled.
    /// - Parameters:
    ///   - buffer: Of the sample rate of the node's output. It may not be changed until the node is done with it.
    ///   - completionHandler: Called when the data has been taken or dropped, on a queue of the engine's.
    open func scheduleBuffer(_ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil) {
        scheduleBuffer(buffer, at: nil, options: [], completionHandler: completionHandler)
    }

    /// Plays `buffer`, and calls back at the moment that `callbackType` names.
    open func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        scheduleBuffer(
            buffer,
            at: nil,
            options: [],
            completionCallbackType: callbackType,
            completionHandler: completionHandler
        )
    }

    /// Plays `buffer` at a moment.
    /// - Parameters:
    ///   - buffer: Of the sample rate of the node's output. It may not be changed until the node is done with it.
    ///   - when: A sample time on the player's own time, or a host time; `nil` follows what is scheduled.
    ///   - options: Whether it loops, and whether it takes the place of what is scheduled.
    ///   - completionHandler: Called when the data has been taken or dropped, on a queue of the engine's.
    open func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer,
        at when: AVAudioTime?,
        options: AVAudioPlayerNodeBufferOptions = [],
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        play(buffer, at: when, options, completion(completionHandler))
    }

    /// Plays `buffer` at a moment, and calls back at the moment that `callbackType` names.
    open func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer,
        at when: AVAudioTime?,
        options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        play(buffer, at: when, options, completion(callbackType, completionHandler))
    }

    private func play(
        _ buffer: AVAudioPCMBuffer,
        at when: AVAudioTime?,
        _ options: AVAudioPlayerNodeBufferOptions,
        _ completion: PlayerCompletions.Call?
    ) {
        // One channel is never too many: no need to ask the engine.
        let target = buffer.format.channelCount > 1 ? connectedFormat : nil
        let playable = target.map(buffer.folded) ?? buffer
        schedule.schedule(playable, start: start(when), options: options, completion: completion)
    }

    /// The format of the output, if it is connected.
    private var connectedFormat: AVAudioFormat? {
        guard let engine, !engine.outputConnectionPoints(for: self, outputBus: 0).isEmpty else { return nil }
        return outputFormat(forBus: 0)
    }

    // MARK: Files

    /// Plays a whole file.
    ///
    /// A thread of the player's own reads it ahead, from now on; the file's `framePosition` stays as it is.
    /// - Parameters:
    ///   - file: Open for reading, of any sample rate.
    ///   - when: A sample time on the player's own time, or a host time; `nil` follows what is scheduled.
    ///   - completionHandler: Called when the data has been taken or dropped, on a queue of the engine's.
    open func scheduleFile(
        _ file: AVAudioFile,
        at when: AVAudioTime?,
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        play(file, from: 0, count: nil, at: when, completion(completionHandler))
    }

    /// Plays a whole file, and calls back at the moment that `callbackType` names.
    open func scheduleFile(
        _ file: AVAudioFile,
        at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        play(file, from: 0, count: nil, at: when, completion(callbackType, completionHandler))
    }

    /// Plays a piece of a file.
    ///
    /// A thread of the player's own reads it ahead, from now on; the file's `framePosition` stays as it is.
    /// - Parameters:
    ///   - file: Open for reading, of any sample rate.
    ///   - startFrame: The frame of the file to begin with: 0 or more.
    ///   - numberFrames: How many frames of the file; what lies past its end is left out.
    ///   - when: A sample time on the player's own time, or a host time; `nil` follows what is scheduled.
    ///   - completionHandler: Called when the data has been taken or dropped, on a queue of the engine's.
    open func scheduleSegment(
        _ file: AVAudioFile,
        startingFrame startFrame: AVAudioFramePosition,
        frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?,
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        play(file, from: startFrame, count: numberFrames, at: when, completion(completionHandler))
    }

    /// Plays a piece of a file, and calls back at the moment that `callbackType` names.
    open func scheduleSegment(
        _ file: AVAudioFile,
        startingFrame startFrame: AVAudioFramePosition,
        frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        play(file, from: startFrame, count: numberFrames, at: when, completion(callbackType, completionHandler))
    }

    /// Told when a file cannot be read on, whose sound ends there; on the thread that reads.
    ///
    /// An addition to Apple's interface.
    public var fileFailureHandler: (@Sendable (_ file: AVAudioFile, _ error: any Error) -> Void)? {
        get { failureHandler.withLock { $0 } }
        set { failureHandler.withLock { $0 = newValue } }
    }

    /// Plays a file from a frame on, and then again from its beginning as often as `repeats` says, without a gap.
    func scheduleFile(
        _ file: AVAudioFile,
        startingFrame frame: AVAudioFramePosition,
        repeats: FileRepeats,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: @escaping AVAudioPlayerNodeCompletionHandler
    ) {
        let completion = completion(callbackType, completionHandler)
        play(file, from: frame, count: nil, at: nil, repeats: repeats, completion)
    }

    private func play(
        _ file: AVAudioFile,
        from frame: AVAudioFramePosition,
        count: AVAudioFrameCount?,
        at when: AVAudioTime?,
        repeats: FileRepeats? = nil,
        _ completion: PlayerCompletions.Call?
    ) {
        require(frame >= 0, "A segment begins at frame 0 of a file or later, not at \(frame).")
        let segment = FileSegment(
            file,
            from: frame,
            frameCount: count,
            sampleRate: sampleRate,
            folding: connectedFormat,
            repeats: repeats
        ) { [weak self] error in
            self?.fileFailureHandler?(file, error)
        }
        schedule.schedule(segment, start: start(when), completion: completion)
    }

    // MARK: What is scheduled

    private func completion(_ handler: AVAudioNodeCompletionHandler?) -> PlayerCompletions.Call? {
        handler.map { done in PlayerCompletions.Call(type: .dataConsumed) { _ in done() } }
    }

    private func completion(
        _ type: AVAudioPlayerNodeCompletionCallbackType,
        _ handler: AVAudioPlayerNodeCompletionHandler?
    ) -> PlayerCompletions.Call? {
        handler.map { PlayerCompletions.Call(type: type, handler: $0) }
    }

    private func start(_ when: AVAudioTime?) -> ItemStart {
        guard let when else { return .following }
        if let frame = frame(of: when) { return .playerTime(frame) }
        require(when.isHostTimeValid, "A time to play at has a sample time or a host time.")
        return .hostTime(when.hostTime)
    }

    private var sampleRate: Double { outputFormat(forBus: 0).sampleRate }

    /// The sample time of `time` at the rate of the node.
    private func frame(of time: AVAudioTime) -> Int64? {
        guard time.isSampleTimeValid else { return nil }
        let rate = sampleRate
        guard time.sampleRate > 0, time.sampleRate != rate else { return time.sampleTime }
        return Int64(exactly: (Double(time.sampleTime) * rate / time.sampleRate).rounded())
    }

    // MARK: Transport

    /// Whether the player has been told to play, and not since to pause or stop.
    open var isPlaying: Bool { schedule.isStarted }

    /// Plays what is scheduled, from where it was paused or from the start.
    ///
    /// Returns at once. Where a file comes first and nothing of it has been read yet, the start is put off until something
    /// has, mostly for some milliseconds: no frame is left out, and the player's time begins with the sound. Offline manual
    /// rendering waits for the file instead, so that the sound begins with the next frame rendered.
    open func play() { play(at: nil) }

    /// Plays what is scheduled, from a moment on.
    ///
    /// Returns at once. A player that plays already goes on as it is.
    /// - Parameter when: A sample time on the node's own time, as in `lastRenderTime`, or a host time: the player's time begins
    ///   there, and what of a file has not been read by then follows late; see `prepare(withFrameCount:)`. `nil` is now, as is
    ///   what is past.
    open func play(at when: AVAudioTime?) {
        let hostTime = when.map { $0.isHostTimeValid && !$0.isSampleTimeValid ? $0.hostTime : 0 } ?? 0
        schedule.play(atFrame: when.flatMap(frame), hostTime: hostTime)
        engine?.run.wake()
    }

    /// Stands still: after a fade of 5 ms, in manual rendering at once.
    ///
    /// What is scheduled stays, and `play()` goes on with the next frame.
    open func pause() { schedule.pause() }

    /// Drops what is scheduled, and takes the player's time back to 0, where it stays until the player is started again.
    ///
    /// The completions of what is dropped are called. What sounds fades away within 5 ms, in manual rendering at once.
    open func stop() {
        schedule.stop()
        engine?.run.settleIfIdle()
    }

    /// Drops what is scheduled, and takes the player's time back to 0.
    ///
    /// The completions of what is dropped are called. Whether the player plays stays as it is, so that what is scheduled next
    /// sounds if it does; Apple's documentation does not say whether theirs goes on.
    open override func reset() {
        schedule.reset()
        engine?.run.settleIfIdle()
    }

    /// Waits until `frameCount` frames of what is scheduled are ready, or all of it.
    ///
    /// Buffers always are; files have to be read. Waits 10 seconds at most.
    open func prepare(withFrameCount frameCount: AVAudioFrameCount) {
        schedule.waitForFiles(Int(frameCount), seconds: 10)
    }

    // MARK: Time

    override var renderedFrames: Int64? { kernel.time.read().0 }

    /// Frames that the player has given since its last `stop()`, at least 0; `nil` before the render thread has begun.
    var framesPlayed: Int64? {
        let (_, player, resets) = kernel.time.read()
        return resets == Int64(kernel.requestedTimeResets) ? max(player, 0) : nil
    }

    /// The player's time at a moment of the node's time; `nil` while it does not play.
    ///
    /// Before a start that is still to come it is negative.
    open func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
        convert(nodeTime) { $2 - $1 + $0 }
    }

    /// The node's time at a moment of the player's time; `nil` while it does not play.
    open func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
        guard let time = convert(playerTime, { $1 - $2 + $0 }) else { return nil }
        guard !time.isHostTimeValid, let anchor = lastRenderTime else { return time }
        return time.extrapolateTime(fromAnchor: anchor) ?? time
    }

    /// A time on another timeline.
    /// - Parameter body: Of a frame, and of the node's and the player's frame at the same moment.
    private func convert(_ time: AVAudioTime, _ body: (Int64, Int64, Int64) -> Int64) -> AVAudioTime? {
        guard isPlaying, let frame = frame(of: time) else { return nil }
        let (node, player, resets) = kernel.time.read()
        guard resets == Int64(kernel.requestedTimeResets) else { return nil }
        let frames = body(frame, node, player)
        return time.isHostTimeValid
            ? AVAudioTime(hostTime: time.hostTime, sampleTime: frames, atRate: sampleRate)
            : AVAudioTime(sampleTime: frames, atRate: sampleRate)
    }

    // MARK: Housekeeping

    /// Frees what the render thread is done with, and calls the completions that are due.
    ///
    /// Not on the render thread.
    func service() {
        schedule.service { outputPresentationLatency - (engine?.output.latency ?? 0) }
    }
}
