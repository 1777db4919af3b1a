import Foundation
import Synchronization
import SyrinxDevice

/// Runs an input device, and passes its audio to a handler in buffers, in order, on a queue.
///
/// Call it from one control thread at a time.
final class InputReader: @unchecked Sendable {
    // Unchecked: the ring is made for two threads, the device's and the queue's; `timer` is the control thread's
    // alone; all else is constant.

    /// The memory that the device's thread writes to.
    private final class Memory: @unchecked Sendable {
        // Unchecked: the ring is made for two threads.
        let ring: FloatRing
        let channelCount: Int
        let missedFrames = Atomic<Int>(0)

        init(channelCount: Int, capacity: Int) {
            self.channelCount = channelCount
            // Bounded: both are settled by the device, at 4 s of 384 kHz and 64 channels.
            ring = FloatRing(minimumCapacity: channelCount * capacity)
        }
    }

    /// A function that receives a buffer, and the host time at which its first frame was captured.
    typealias Handler = @Sendable (AVAudioPCMBuffer, UInt64) -> Void

    private let device: any InputDevice
    private let format: AVAudioFormat
    private let memory: Memory
    private let queue = DispatchQueue(label: "syrinx.recorder.input")
    private var timer: (any DispatchSourceTimer)?
    private let handler: Handler

    /// Seconds of sound that may wait for the queue.
    private static let depth = 4.0
    /// The most frames of a buffer.
    private static let chunk: AVAudioFrameCount = 4096
    private static let interval = DispatchTimeInterval.milliseconds(20)

    /// - Parameters:
    ///   - device: An open device.
    ///   - format: The format that the device settled, with one plane a channel.
    ///   - handler: Called on a queue of the reader's own.
    init(_ device: any InputDevice, format: AVAudioFormat, handler: @escaping Handler) {
        self.device = device
        self.format = format
        self.handler = handler
        memory = Memory(
            channelCount: Int(format.channelCount),
            capacity: Int(clamped: format.sampleRate * Self.depth)
        )
    }

    /// Starts the device.
    /// - Throws: `DeviceError`.
    func start() throws {
        // The device stops before `memory` is freed: see `stop()`.
        let callback = CaptureCallback(context: Unmanaged.passUnretained(memory).toOpaque()) {
            context,
            planes,
            count,
            _ in
            Unmanaged<Memory>.fromOpaque(context)._withUnsafeGuaranteedRef { memory in
                let count = Int(count)
                let taken = memory.ring.writeInterleaved(
                    planes,
                    channelCount: memory.channelCount,
                    from: 0,
                    frameCount: count
                )
                if taken < count { memory.missedFrames.wrappingAdd(count - taken, ordering: .relaxed) }
            }
        }
        try device.start(callback)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        self.timer = timer
        timer.setEventHandler { [weak self] in self?.drain() }
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
        timer.activate()
    }

    /// Stops the device, delivers the remaining audio, and returns after the handler has processed it.
    ///
    /// Do not call it from the handler.
    func stop() {
        device.stop()
        timer?.cancel()
        queue.sync { drain() }
    }

    /// Frames that were lost because the handler took too long.
    var missedFrames: Int { memory.missedFrames.load(ordering: .relaxed) }

    private func drain() {
        let channels = memory.channelCount
        while true {
            let waiting = memory.ring.readableCount / channels
            guard waiting > 0 else { return }
            let age = device.latency + Double(waiting) / format.sampleRate
            let now = monotonicNanoseconds()
            let start = now - min(now, AVAudioTime.hostTime(forSeconds: age))
            guard let buffer = take(frameCount: min(waiting, Int(Self.chunk))) else { return }
            handler(buffer, start)
        }
    }

    private func take(frameCount: Int) -> AVAudioPCMBuffer? {
        let channels = memory.channelCount
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: Self.chunk),
            let planes = buffer.floatChannelData
        else { return nil }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: frameCount * channels) { samples in
            guard let base = samples.baseAddress else { return }
            let count = memory.ring.read(into: base, maximumCount: samples.count) / channels
            for channel in 0..<channels {
                for frame in 0..<count { planes[channel][frame] = base[frame * channels + channel] }
            }
            buffer.frameLength = AVAudioFrameCount(count)
        }
        return buffer
    }
}
