import Foundation
import Synchronization

/// Plays buffers and segments of files in sequence, without gaps.
///
/// The player's time, `playerTime`, counts the rendered frames since the first `play()` after a `stop()`. The time
/// stops while the player is paused, and continues in silence after the last scheduled item. A buffer scheduled for a
/// sample time starts at that frame of the player's time. A buffer scheduled for a host time starts when the device
/// plays the corresponding frame. A buffer without a time, or with a time in the past, starts after the previously
/// scheduled item. Manual rendering has no clock, so it ignores host times.
///
/// Buffers must have the sample rate of the node's output: the node does not resample them, so other rates play at the
/// wrong speed. Files are resampled. Surplus channels are mixed down as in `AVAudioMixerNode`, and missing channels are
/// filled with the last one. Connect the node before you schedule: otherwise channels that a later connection lacks are
/// lost.
///
/// On a device, an interrupted sound fades out within 5 ms, while the next sound fades in with complementary gains. A
/// pause plays 5 ms more of the sound during its fade-out. Apple's node cuts the sound immediately, as this node does
/// in manual rendering.
///
/// ```swift
/// let player = AVAudioPlayerNode()
/// engine.attach(player)
/// engine.connect(player, to: engine.mainMixerNode, format: buffer.format)
/// try engine.start()
/// player.scheduleBuffer(buffer, at: nil, options: .loops, completionHandler: nil)
/// player.play()
/// ```
open class AVAudioPlayerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    // Unchecked: the locks of `schedule` and `failureHandler` guard all mutable state.
    let schedule = PlayerSchedule()
    private let failureHandler = Mutex<(@Sendable (AVAudioFile, any Error) -> Void)?>(nil)

    var kernel: PlayerKernel { schedule.kernel }

    override var takesFormatOfTap: Bool { true }

    /// Creates a player with an empty schedule.
    public override init() { super.init() }

    // MARK: Buffers

    /// Schedules `buffer` after the current schedule.
    /// - Parameters:
    ///   - buffer: A buffer with the sample rate of the node's output. Do not change it until its completion handler
    ///     is called.
    ///   - completionHandler: Called on a queue of the engine when the data was consumed or dropped.
    open func scheduleBuffer(_ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil) {
        scheduleBuffer(buffer, at: nil, options: [], completionHandler: completionHandler)
    }

    /// Schedules `buffer`, and calls the completion handler at the event that `callbackType` selects.
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

    /// Schedules `buffer` for a time.
    /// - Parameters:
    ///   - buffer: A buffer with the sample rate of the node's output. Do not change it until its completion handler
    ///     is called.
    ///   - when: A sample time of the player, or a host time; `nil` means after the current schedule.
    ///   - options: Whether the buffer loops, and whether it replaces the current schedule.
    ///   - completionHandler: Called on a queue of the engine when the data was consumed or dropped.
    open func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer,
        at when: AVAudioTime?,
        options: AVAudioPlayerNodeBufferOptions = [],
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        play(buffer, at: when, options, completion(completionHandler))
    }

    /// Schedules `buffer` for a time, and calls the completion handler at the event that `callbackType` selects.
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
        // A single channel never needs a mix down, so the engine is not queried.
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

    /// Schedules a whole file.
    ///
    /// A thread of the player starts reading immediately. The `framePosition` of the file does not change.
    ///
    /// ```swift
    /// let file = try AVAudioFile(forReading: URL(fileURLWithPath: "jingle.wav"))
    /// player.scheduleFile(file, at: nil) { print("jingle consumed") }
    /// player.play()
    /// ```
    /// - Parameters:
    ///   - file: A file open for reading, with any sample rate.
    ///   - when: A sample time of the player, or a host time; `nil` means after the current schedule.
    ///   - completionHandler: Called on a queue of the engine when the data was consumed or dropped.
    open func scheduleFile(
        _ file: AVAudioFile,
        at when: AVAudioTime?,
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        play(file, from: 0, count: nil, at: when, completion(completionHandler))
    }

    /// Schedules a whole file, and calls the completion handler at the event that `callbackType` selects.
    open func scheduleFile(
        _ file: AVAudioFile,
        at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        play(file, from: 0, count: nil, at: when, completion(callbackType, completionHandler))
    }

    /// Schedules a segment of a file.
    ///
    /// A thread of the player starts reading immediately. The `framePosition` of the file does not change.
    ///
    /// ```swift
    /// let rate = file.processingFormat.sampleRate
    /// let start = AVAudioFramePosition(30 * rate)
    /// player.stop()  // seek: replace the schedule with the file from 0:30
    /// player.scheduleSegment(
    ///     file, startingFrame: start, frameCount: UInt32(10 * rate), at: nil, completionHandler: nil)
    /// player.play()
    /// ```
    /// - Parameters:
    ///   - file: A file open for reading, with any sample rate.
    ///   - startFrame: The first frame of the segment: 0 or more.
    ///   - numberFrames: The length of the segment in frames of the file. The part past the end of the file is
    ///     ignored.
    ///   - when: A sample time of the player, or a host time; `nil` means after the current schedule.
    ///   - completionHandler: Called on a queue of the engine when the data was consumed or dropped.
    open func scheduleSegment(
        _ file: AVAudioFile,
        startingFrame startFrame: AVAudioFramePosition,
        frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?,
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        play(file, from: startFrame, count: numberFrames, at: when, completion(completionHandler))
    }

    /// Schedules a segment of a file, and calls the completion handler at the event that `callbackType` selects.
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

    /// A function that is called on the reading thread when a read from a file fails.
    ///
    /// The sound of the file ends there.
    ///
    /// An addition to Apple's interface.
    public var fileFailureHandler: (@Sendable (_ file: AVAudioFile, _ error: any Error) -> Void)? {
        get { failureHandler.withLock { $0 } }
        set { failureHandler.withLock { $0 = newValue } }
    }

    /// Schedules a file from a frame, followed by `repeats` passes from its beginning, without a gap.
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

    // MARK: Schedule

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

    /// Whether `play()` was called, and neither `pause()` nor `stop()` since.
    open var isPlaying: Bool { schedule.isStarted }

    /// Starts or resumes playback of the schedule.
    ///
    /// Returns immediately. If the first item is a file without any frames read yet, playback starts a few
    /// milliseconds later. No frame is lost, and the player's time starts with the sound. Offline manual rendering
    /// waits for the file instead, so that the sound starts with the next rendered frame.
    open func play() { play(at: nil) }

    /// Starts or resumes playback of the schedule at a time.
    ///
    /// Returns immediately. Has no effect on a player that is playing.
    /// - Parameter when: A sample time of the node, as in `lastRenderTime`, or a host time. The player's time starts
    ///   then; frames of a file that are not read by then are late (see `prepare(withFrameCount:)`). `nil` or a time
    ///   in the past means now.
    open func play(at when: AVAudioTime?) {
        let hostTime = when.map { $0.isHostTimeValid && !$0.isSampleTimeValid ? $0.hostTime : 0 } ?? 0
        schedule.play(atFrame: when.flatMap(frame), hostTime: hostTime)
        engine?.run.wake()
    }

    /// Pauses with a fade-out of 5 ms; immediately in manual rendering.
    ///
    /// The schedule is kept, and `play()` resumes with the next frame.
    open func pause() { schedule.pause() }

    /// Stops playback, clears the schedule, and sets the player's time to 0 until playback starts again.
    ///
    /// The completion handlers of the dropped items are called. The sound fades out within 5 ms; immediately in manual
    /// rendering.
    open func stop() {
        schedule.stop()
        engine?.run.settleIfIdle()
    }

    /// Clears the schedule, and sets the player's time to 0.
    ///
    /// The completion handlers of the dropped items are called. A playing player keeps playing, so newly scheduled
    /// items are heard. Apple does not document whether its node keeps playing.
    open override func reset() {
        schedule.reset()
        engine?.run.settleIfIdle()
    }

    /// Waits until the first `frameCount` scheduled frames, or all of them, are ready to play.
    ///
    /// Buffers are always ready; files have to be read. The call waits at most 10 seconds.
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

    /// Returns the player's time for a node time; `nil` while the player is not playing.
    ///
    /// The time is negative before a scheduled start.
    open func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
        convert(nodeTime) { $2 - $1 + $0 }
    }

    /// Returns the node's time for a player time; `nil` while the player is not playing.
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

    /// Frees the items that the render thread has finished, and calls the completion handlers that are due.
    ///
    /// Do not call it on the render thread.
    func service() {
        schedule.service { outputPresentationLatency - (engine?.output.latency ?? 0) }
    }
}
