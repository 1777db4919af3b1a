import Glibc
import Synchronization
public import SyrinxDevice

/// Holds a device to what `InputDevice` promises.
/// - Parameters:
///   - crank: Called again and again for devices that hear only what they are fed.
///   - make: Makes a device that is not open.
/// - Returns: What was broken, one sentence each.
public func checkInputDevice(
    crank: ((any InputDevice) -> Void)? = nil,
    _ make: () throws -> any InputDevice
) throws -> [String] {
    var broken: [String] = []
    func expect(_ holds: Bool, _ sentence: String) { if !holds { broken.append(sentence) } }
    let device = try make()
    let listener = CaptureListener()
    expect(!device.name.isEmpty, "no name")
    expect((try? device.start(listener.callback)) == nil, "start() before open()")
    device.stop()
    for round in 1...3 {
        let format = try device.open(preferred: nil)
        expect(format.sampleRate > 0 && format.channelCount > 0, "the format is \(format)")
        let calls = listener.callCount
        usleep(40_000)
        expect(listener.callCount == calls, "the callback was called before start number \(round)")
        try device.start(listener.callback)
        expect((try? device.start(listener.callback)) == nil, "start() while running")
        expect((try? device.open(preferred: nil)) == nil, "open() while running")
        let heard = waitUntil {
            crank?(device)
            return listener.callCount >= calls + 5
        }
        expect(heard, "the callback was not called after start number \(round)")
        expect(device.latency.isFinite && device.latency >= 0 && device.latency < 3, "latency \(device.latency)")
        let begin = ContinuousClock.now
        device.stop()
        expect(ContinuousClock.now - begin < .milliseconds(200), "stop() took long")
        let last = listener.callCount
        crank?(device)
        usleep(60_000)
        expect(listener.callCount == last, "the callback was called after stop()")
        device.stop()
    }
    expect((1...4_096).contains(listener.largestBlock), "a block of \(listener.largestBlock) frames")
    return broken
}

/// Listens to a device, and keeps the first channel.
public final class CaptureListener: Sendable {
    private let state = Mutex((calls: 0, largest: 0, samples: [Float]()))

    public init() {}

    public var callCount: Int { state.withLock { $0.calls } }
    public var largestBlock: Int { state.withLock { $0.largest } }
    public var samples: [Float] { state.withLock { $0.samples } }

    /// Has to outlive the device's run.
    public var callback: CaptureCallback {
        CaptureCallback(context: Unmanaged.passUnretained(self).toOpaque()) { context, channels, count, _ in
            let listener = Unmanaged<CaptureListener>.fromOpaque(context).takeUnretainedValue()
            listener.state.withLock {
                $0.calls += 1
                $0.largest = max($0.largest, Int(count))
                $0.samples += UnsafeBufferPointer(start: channels[0], count: Int(count))
            }
        }
    }
}
