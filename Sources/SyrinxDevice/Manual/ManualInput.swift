import Glibc
import Synchronization

/// An input device whose samples are supplied by the program, for tests and other sources.
public final class ManualInput: InputDevice, @unchecked Sendable {
    // Unchecked: `life` and `callback` are used only while `gate` is held.
    private let format: DeviceFormat
    private let loss = DeviceLossReporter()
    private let gate = Mutex(())
    private var life = DeviceStateMachine()
    private var callback: CaptureCallback?

    /// Creates a device with a fixed format.
    public init(format: DeviceFormat = DeviceFormat(sampleRate: 48_000, channelCount: 2)) {
        self.format = format
    }

    /// Always `manual`.
    public var name: String { "manual" }

    /// Always 0.
    public var latency: Double { 0 }

    /// Called by `simulateLoss`, at most once per run.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Returns the format with which the device was created.
    public func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        try format.check(name)
        return try gate.withLock { _ throws(DeviceError) in
            try life.willOpen(name)
            life.opened(format)
            return format
        }
    }

    /// Starts to pass samples from `feed` to `callback`.
    public func start(_ callback: CaptureCallback) throws(DeviceError) {
        try gate.withLock { _ throws(DeviceError) in
            _ = try life.willStart(name)
            self.callback = callback
            loss.arm()
            life.started()
        }
    }

    /// Waits for the current `feed` to end; later calls do nothing.
    public func stop() {
        gate.withLock { _ in
            loss.disarm()
            callback = nil
            _ = life.stop()
        }
    }

    /// Whether the device has been started.
    public var isRunning: Bool { gate.withLock { _ in life.isStarted } }

    /// Passes samples to the callback, one array per channel, all of the same length.
    public func feed(_ channels: [[Float]]) {
        let count = channels.first?.count ?? 0
        let planes = channels.map { samples in
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: max(1, samples.count))
            plane.initialize(from: samples, count: samples.count)
            return plane
        }
        defer { planes.forEach { $0.deallocate() } }
        gate.withLock { _ in
            guard let callback, planes.count == format.channelCount else { return }
            var done = 0
            while done < count {
                let length = min(count - done, RenderBlock.maximumFrameCount)
                let parts = planes.map { $0 + done }
                parts.withUnsafeBufferPointer { parts in
                    guard let base = parts.baseAddress else { return }
                    callback.capture(callback.context, base, UInt32(length), nil)
                }
                done += length
            }
        }
    }

    /// Simulates the loss of the device.
    public func simulateLoss(_ error: DeviceError? = nil) {
        loss.report(error ?? DeviceError(.deviceLost, "the device was removed", device: name))
    }
}
