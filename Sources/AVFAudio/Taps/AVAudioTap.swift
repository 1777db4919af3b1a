import Foundation
import Synchronization

/// A block that receives the output of a node and its time.
///
/// It is called on a private queue of the tap, one call at a time, in the order of the audio. The block may keep the
/// buffer.
public typealias AVAudioNodeTapBlock = @Sendable (_ buffer: AVAudioPCMBuffer, _ when: AVAudioTime) -> Void

/// A tap on an output of a node, which receives every frame in order.
///
/// The render thread only copies frames to a ring buffer of at least one second, so a slow block never delays it. If
/// the ring is full, whole renders are skipped: `missedFrameCount` counts their frames, and the time of the next
/// buffer shows the gap. In offline manual rendering, a render waits until the block has received its frames, and none
/// are skipped.
///
/// An addition to Apple's interface, which has one tap per bus. Callable from any thread.
public final class AVAudioTap: Sendable {
    /// The output that is tapped.
    public let bus: AVAudioNodeBus
    /// Frames of a buffer: at least 64.
    ///
    /// A shorter one ends where frames are left out or the engine was paused, or when the engine stops.
    public let bufferSize: AVAudioFrameCount

    /// The format of the buffers; `nil` is that of the output.
    let format: AVAudioFormat?
    private let block: AVAudioNodeTapBlock
    private let queue: DispatchQueue
    private let state = Mutex(State())
    private let isScheduled = Atomic<Bool>(false)
    /// Whether the block is called on the engine's own thread, for blocks that neither wait nor call the engine.
    private let deliversAtOnce: Bool
    private let turn = Mutex(())
    private let isRemoved = Atomic<Bool>(false)
    /// Called once, when the tap is removed.
    private let onRemove: @Sendable (AVAudioTap) -> Void

    private struct State {
        var reader: TapReader?
        /// The frames that earlier recorders missed.
        var missedFrames: Int64 = 0
    }

    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    init(
        bus: AVAudioNodeBus,
        bufferSize: AVAudioFrameCount,
        format: AVAudioFormat?,
        deliversAtOnce: Bool = false,
        block: @escaping AVAudioNodeTapBlock,
        onRemove: @escaping @Sendable (AVAudioTap) -> Void
    ) {
        self.bus = bus
        self.bufferSize = max(64, bufferSize)
        self.format = format
        self.deliversAtOnce = deliversAtOnce
        self.block = block
        self.onRemove = onRemove
        queue = DispatchQueue(label: "syrinx.tap", qos: .userInitiated)
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    /// The number of frames left out because the block was too slow.
    public var missedFrameCount: Int64 {
        state.withLock { $0.missedFrames + ($0.reader?.recorder.missedFrames.load(ordering: .relaxed) ?? 0) }
    }

    /// Ends the tap: no call of the block begins after this.
    public func remove() {
        guard !isRemoved.exchange(true, ordering: .acquiringAndReleasing) else { return }
        onRemove(self)
    }

    // MARK: For the engine

    /// Returns the recorder for a node with output in `format`.
    ///
    /// The recorder is reused in later plans as long as the format is the same.
    func recorder(for format: AVAudioFormat, maximumFrameCount: Int) -> TapRecorder {
        let current = state.withLock { $0.reader }
        if let current, current.format == format {
            current.recorder.isAborted.store(false, ordering: .releasing)
            return current.recorder
        }
        let converter = self.format.flatMap { TapConverter(from: format, to: $0, bufferSize: Int(bufferSize)) }
        let recorder = TapRecorder(
            sampleRate: format.sampleRate,
            channelCount: Int(format.channelCount),
            bufferSize: converter?.wantedCount ?? Int(bufferSize),
            maximumFrameCount: maximumFrameCount
        )
        state.withLock { state in
            state.missedFrames += state.reader?.recorder.missedFrames.load(ordering: .relaxed) ?? 0
            state.reader = TapReader(
                recorder: recorder,
                format: format,
                bufferSize: Int(bufferSize),
                converter: converter
            )
        }
        return recorder
    }

    /// Ends all waits of renders for the block.
    func abort() { state.withLock { $0.reader?.recorder.isAborted.store(true, ordering: .releasing) } }

    /// Calls the block with the recorded frames.
    /// - Parameters:
    ///   - waits: Whether to wait for the end of the calls, if waiting is possible.
    ///   - flushes: Whether to deliver a partial buffer too.
    func deliver(waits: Bool, flushes: Bool) {
        if deliversAtOnce {
            turn.withLock { _ in drain(flushes: flushes) }
            return
        }
        if waits {
            if DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) { return }
            queue.sync { drain(flushes: flushes) }
            return
        }
        let isWorthIt = state.withLock { $0.reader.map { $0.recorder.readableCount >= $0.wantedCount } ?? false }
        guard flushes || isWorthIt else { return }
        if !flushes, isScheduled.exchange(true, ordering: .acquiringAndReleasing) { return }
        queue.async { [self] in
            isScheduled.store(false, ordering: .releasing)
            drain(flushes: flushes)
        }
    }

    private func drain(flushes: Bool) {
        while !isRemoved.load(ordering: .acquiring),
            let (buffer, when) = state.withLock({ $0.reader?.next(flushes: flushes) })
        {
            block(buffer, when)
        }
    }
}
