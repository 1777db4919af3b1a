import Foundation
import Synchronization

/// Called once when a node is done with what was scheduled, or has dropped it.
public typealias AVAudioNodeCompletionHandler = @Sendable () -> Void
/// Called once, with the kind of completion that was asked for.
public typealias AVAudioPlayerNodeCompletionHandler = @Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void

/// When a completion is called.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
    /// The player has taken the last of the data, or dropped it.
    case dataConsumed = 0
    /// The data has been rendered, or dropped.
    case dataRendered = 1
    /// The data has been heard, or dropped.
    case dataPlayedBack = 2
}

/// How a buffer stands to what is scheduled before and after it.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Plays again and again, until it is interrupted or the player stops.
    public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 0)
    /// Takes the place of whatever is scheduled, at once.
    public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 1)
    /// Takes the place of whatever is scheduled, when the loop that plays comes round.
    public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 2)
}

/// Plays buffers one after the other, without a gap between them.
///
/// Its time, `playerTime`, counts the frames given since it was started after a `stop()`; it stands while it is paused, and
/// goes on, in silence, past what is scheduled.
open class AVAudioPlayerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    // Unchecked: `pending`, `isStarted` and the control side of the kernel's queue are touched under `lock` only.
    let kernel = PlayerKernel()
    private let lock = NSLock()
    private var pending: [PendingItem] = []
    private var isStarted = false
    private var scheduledFrames: Int64 = 0

    private struct PendingItem {
        let index: Int
        /// Alive until the render thread is done with it.
        let buffer: AVAudioPCMBuffer
        var completion: (type: AVAudioPlayerNodeCompletionCallbackType, handler: AVAudioPlayerNodeCompletionHandler)?
    }

    /// A player with nothing scheduled.
    public override init() { super.init() }

    // MARK: Scheduling

    /// Plays `buffer` after what is scheduled.
    /// - Parameters:
    ///   - buffer: Of the sample rate of the node's output. It may not be changed until the node is done with it.
    ///   - completionHandler: Called when the data has been taken or dropped, on a queue of the engine's.
    open func scheduleBuffer(_ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil) {
        scheduleBuffer(buffer, at: nil, options: [], completionHandler: completionHandler)
    }

    /// Plays `buffer`, and calls back at the moment that `completionCallbackType` names.
    open func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer,
        completionCallbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        scheduleBuffer(
            buffer,
            at: nil,
            options: [],
            completionCallbackType: completionCallbackType,
            completionHandler: completionHandler
        )
    }

    /// Plays `buffer` at a moment.
    /// - Parameters:
    ///   - buffer: Of the sample rate of the node's output. It may not be changed until the node is done with it.
    ///   - when: A sample time on the player's own time; `nil` follows what is scheduled.
    ///   - options: Whether it loops, and whether it takes the place of what is scheduled.
    ///   - completionHandler: Called when the data has been taken or dropped, on a queue of the engine's.
    open func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer,
        at when: AVAudioTime?,
        options: AVAudioPlayerNodeBufferOptions = [],
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        let handler = completionHandler.map { done -> AVAudioPlayerNodeCompletionHandler in { _ in done() } }
        schedule(buffer, at: when, options: options, type: .dataConsumed, handler: handler, isLast: false)
    }

    /// Plays `buffer` at a moment, and calls back at the moment that `completionCallbackType` names.
    open func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer,
        at when: AVAudioTime?,
        options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        schedule(
            buffer,
            at: when,
            options: options,
            type: completionCallbackType,
            handler: completionHandler,
            isLast: false
        )
    }

    /// Plays `buffer` after what is scheduled; if it is the last of a stream, the sound ends with it.
    ///
    /// After the last one the node gives no more content, and its time stands.
    package func scheduleStreamed(_ buffer: AVAudioPCMBuffer, isLast: Bool) {
        schedule(buffer, at: nil, options: [], type: .dataConsumed, handler: nil, isLast: isLast)
    }

    private func schedule(
        _ buffer: AVAudioPCMBuffer,
        at when: AVAudioTime?,
        options: AVAudioPlayerNodeBufferOptions,
        type: AVAudioPlayerNodeCompletionCallbackType,
        handler: AVAudioPlayerNodeCompletionHandler?,
        isLast: Bool
    ) {
        let playable = buffer.asStandard()
        guard let channels = playable.floatChannelData else {
            preconditionFailure("A player node plays PCM of a common format, not \(buffer.format).")
        }
        lock.withLock {
            if options.contains(.interrupts) { kernel.drop(before: kernel.queue.nextIndex, resetsTime: false) }
            if options.contains(.interruptsAtLoop) { kernel.dropAtLoop(before: kernel.queue.nextIndex) }
            let index = kernel.queue.append(
                channels: channels,
                channelCount: Int(playable.format.channelCount),
                frameCount: Int(playable.frameLength),
                loops: options.contains(.loops),
                isLast: isLast,
                startTime: when.map { $0.isSampleTimeValid ? $0.sampleTime : -1 } ?? -1
            )
            scheduledFrames += Int64(playable.frameLength)
            pending.append(PendingItem(index: index, buffer: playable, completion: handler.map { (type, $0) }))
        }
        kernel.nudge()
    }

    // MARK: Transport

    /// Whether the player has been told to play, and not since to pause or stop.
    open var isPlaying: Bool { lock.withLock { isStarted } }

    /// Plays what is scheduled, from where it was paused or from the start.
    open func play() {
        lock.withLock { isStarted = true }
        kernel.play()
    }

    /// Stands still, after a fade of 5 ms.
    ///
    /// What is scheduled stays.
    open func pause() {
        lock.withLock { isStarted = false }
        kernel.pause()
    }

    /// Drops what is scheduled, after a fade of 5 ms, and takes the player's time back to 0.
    ///
    /// The completions of what is dropped are called.
    open func stop() {
        let dropped = lock.withLock {
            isStarted = false
            scheduledFrames = 0
            kernel.pause()
            kernel.drop(before: kernel.queue.nextIndex, resetsTime: true)
            return takeCompletions(upTo: .max)
        }
        call(dropped, afterLatency: false)
        engine?.settleIfIdle()
    }

    /// Does nothing: what is scheduled is ready as it is.
    open func prepare(withFrameCount frameCount: AVAudioFrameCount) {}

    // MARK: Time

    override var renderedFrames: Int64? { kernel.time.read().0 }

    /// The player's time at a moment of the node's time; `nil` while it does not play.
    open func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
        guard isPlaying, nodeTime.isSampleTimeValid else { return nil }
        let (node, player, resets) = kernel.time.read()
        guard resets == Int64(kernel.requestedTimeResets) else { return nil }
        let rate = outputFormat(forBus: 0).sampleRate
        let frames = player + nodeTime.sampleTime - node
        return nodeTime.isHostTimeValid
            ? AVAudioTime(hostTime: nodeTime.hostTime, sampleTime: frames, atRate: rate)
            : AVAudioTime(sampleTime: frames, atRate: rate)
    }

    /// The node's time at a moment of the player's time; `nil` while it does not play.
    open func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
        guard isPlaying, playerTime.isSampleTimeValid else { return nil }
        let (node, player, resets) = kernel.time.read()
        guard resets == Int64(kernel.requestedTimeResets) else { return nil }
        let rate = outputFormat(forBus: 0).sampleRate
        return AVAudioTime(sampleTime: playerTime.sampleTime - player + node, atRate: rate)
    }

    /// Frames scheduled since the last stop that have not been played.
    package var framesAhead: Int64 {
        let scheduled = lock.withLock { scheduledFrames }
        return max(0, scheduled - playedFrames)
    }

    /// Frames of what was scheduled that have been given since the last stop.
    package var playedFrames: Int64 {
        let (_, player, resets) = kernel.time.read()
        guard resets == Int64(kernel.requestedTimeResets) else { return 0 }
        return player - kernel.starvedFrames.load(ordering: .relaxed)
    }

    /// Frames of silence given since the last stop because nothing was scheduled.
    package var starvedFrames: Int64 { kernel.starvedFrames.load(ordering: .relaxed) }

    /// How many blocks were not full because nothing was scheduled.
    package var starvedCount: Int { kernel.starvedCount.load(ordering: .relaxed) }

    // MARK: Housekeeping

    /// Frees what the render thread is done with, and calls the completions that are due.
    ///
    /// Not on the render thread.
    func service() {
        let due = lock.withLock {
            let consumed = kernel.consumedIndex.load(ordering: .acquiring)
            kernel.queue.reclaim(upTo: consumed)
            let due = takeCompletions(upTo: consumed)
            pending.removeAll { $0.index <= consumed }
            return due
        }
        call(due, afterLatency: true)
    }

    private typealias Completion = (
        type: AVAudioPlayerNodeCompletionCallbackType, handler: AVAudioPlayerNodeCompletionHandler
    )

    private func takeCompletions(upTo index: Int) -> [Completion] {
        var due: [Completion] = []
        for position in pending.indices where pending[position].index <= index {
            guard let completion = pending[position].completion else { continue }
            due.append(completion)
            pending[position].completion = nil
        }
        return due
    }

    private func call(_ completions: [Completion], afterLatency: Bool) {
        for completion in completions {
            let delay = afterLatency && completion.type == .dataPlayedBack ? engine?.outputLatency ?? 0 : 0
            AVAudioEngine.callbackQueue.asyncAfter(deadline: .now() + delay) { completion.handler(completion.type) }
        }
    }
}
