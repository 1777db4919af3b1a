import Glibc
import Synchronization

/// An input that is fed by hand: for tests, and for samples that come from no device.
public final class ManualInput: InputDevice, @unchecked Sendable {
    // Unchecked: `life` and `callback` are touched only while `gate` is held.
    private let format: DeviceFormat
    private let loss = DeviceLossReporter()
    private let gate = Mutex(())
    private var life = DeviceStateMachine()
    private var callback: CaptureCallback?

    /// A device of this format, whatever is preferred.
    public init(format: DeviceFormat = DeviceFormat(sampleRate: 48_000, channelCount: 2)) {
        self.format = format
    }

    /// The name `manual`.
    public var name: String { "manual" }

    /// Always 0.
    public var latency: Double { 0 }

    /// Called by `simulateLoss`, once a run.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Settles the format that it was made with.
    public func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        try format.check(name)
        return try gate.withLock { _ throws(DeviceError) in
            try life.willOpen(name)
            life.opened(format)
            return format
        }
    }

    /// From here on, feeding calls `callback`.
    public func start(_ callback: CaptureCallback) throws(DeviceError) {
        try gate.withLock { _ throws(DeviceError) in
            _ = try life.willStart(name)
            self.callback = callback
            loss.arm()
            life.started()
        }
    }

    /// Waits for a feed under way to end; afterwards feeding does nothing.
    public func stop() {
        gate.withLock { _ in
            loss.disarm()
            callback = nil
            _ = life.stop()
        }
    }

    /// Whether somebody listens.
    public var isRunning: Bool { gate.withLock { _ in life.isStarted } }

    /// Hands over samples, one array a channel, all of one length.
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

    /// Loses the device, as a server that ends would.
    public func simulateLoss(_ error: DeviceError? = nil) {
        loss.report(error ?? DeviceError(.deviceLost, "the device was taken away", device: name))
    }
}
