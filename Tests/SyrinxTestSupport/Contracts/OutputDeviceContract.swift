import Foundation
import Synchronization
public import SyrinxDevice

/// Holds a device to what `OutputDevice` promises.
/// - Parameters:
///   - countsAllocations: Whether the device's thread must not allocate between two renders. A sound server's library
///     does, on the same thread.
///   - crank: Called again and again for devices that only run when they are cranked.
///   - make: Makes a device that is not open.
/// - Returns: What was broken, one sentence each.
public func checkOutputDevice(
    countsAllocations: Bool = true,
    crank: (@Sendable (any OutputDevice) -> Void)? = nil,
    _ make: () throws -> any OutputDevice
) throws -> [String] {
    var check = DeviceCheck(countsAllocations: countsAllocations, crank: crank)
    try check.order(make())
    try check.pause(make())
    try check.restart(make())
    try check.stopWhileRendering(make())
    try check.deinitialisation(make)
    return try check.broken + checkHandOver(crank: crank, from: make(), to: make())
}

/// Holds two devices, or one that is used twice, to what an engine relies on when it goes from one output to another: `stop()`
/// returns when the callback has, so that who starts another device next never has two that render at once.
/// - Parameter crank: Called again and again, by a thread beside the one that starts and stops, for devices that only run when
///   they are cranked.
public func checkHandOver(
    crank: (@Sendable (any OutputDevice) -> Void)? = nil,
    from first: any OutputDevice,
    to second: any OutputDevice
) throws -> [String] {
    let format = try first.open(preferred: nil)
    var broken: [String] = []
    let signal = (0..<format.channelCount).map { whiteNoise(frameCount: 5_000, seed: UInt64($0 + 1)) }
    // Each render takes long enough for the next device to come along within it.
    let source = SignalSource(signal, repeats: true) { usleep(3_000) }
    let cranking = crank.map { Cranking($0, [first, second]) }
    defer { cranking?.end() }
    for round in 1...8 {
        for device in round % 2 == 1 ? [first, second] : [second, first] {
            // Of the first one's format, which the second takes too.
            _ = try device.open(preferred: format)
            let calls = source.callCount
            try device.start(source.callback)
            if !waitUntil({ source.callCount > calls && source.isRendering }) {
                broken.append("the callback was not called in round \(round)")
            }
            device.stop()
            if source.isRendering { broken.append("the callback was running after stop() in round \(round)") }
        }
    }
    if source.overlapCount > 0 { broken.append("two devices rendered at once, \(source.overlapCount) times") }
    return broken
}

/// A thread that cranks devices.
private final class Cranking: Sendable {
    private let isEnding = Atomic<Bool>(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ crank: @escaping @Sendable (any OutputDevice) -> Void, _ devices: [any OutputDevice]) {
        Thread.detachNewThread { [self] in
            while !isEnding.load(ordering: .acquiring) { devices.forEach(crank) }
            hasEnded.signal()
        }
    }

    func end() {
        isEnding.store(true, ordering: .releasing)
        hasEnded.wait()
    }
}

private struct DeviceCheck {
    let countsAllocations: Bool
    let crank: (@Sendable (any OutputDevice) -> Void)?
    var broken: [String] = []

    /// Milliseconds in which a device that is not silent would have called.
    private static let observation: UInt32 = 40

    mutating func expect(_ holds: Bool, _ sentence: @autoclosure () -> String) {
        if !holds { broken.append(sentence()) }
    }

    private func source(_ format: DeviceFormat, hook: (@Sendable () -> Void)? = nil) -> SignalSource {
        let signal = (0..<format.channelCount).map { whiteNoise(frameCount: 5000, seed: UInt64($0 + 1)) }
        return SignalSource(signal, repeats: true, hook: hook)
    }

    private func runs(_ device: any OutputDevice, _ source: SignalSource, calls: Int) -> Bool {
        let target = source.callCount + calls
        return waitUntil {
            crank?(device)
            return source.callCount >= target
        }
    }

    private func observe(_ device: any OutputDevice) {
        for _ in 0..<Self.observation {
            crank?(device)
            usleep(1000)
        }
    }

    private mutating func stop(_ device: any OutputDevice, _ source: SignalSource, _ state: String) {
        let begin = ContinuousClock.now
        device.stop()
        let duration = ContinuousClock.now - begin
        expect(duration < .seconds(promptly), "stop() took \(duration) \(state)")
        expect(!source.isRendering, "the callback was running after stop() \(state)")
        let calls = source.callCount
        observe(device)
        expect(source.callCount == calls, "the callback was called after stop() \(state)")
    }

    mutating func order(_ device: any OutputDevice) throws {
        expect(!device.name.isEmpty, "no name")
        expect(
            (try? device.start(source(DeviceFormat(sampleRate: 48_000, channelCount: 2)).callback)) == nil,
            "start() before open()"
        )
        device.pause()
        device.resume()
        device.stop()
        let format = try device.open(preferred: nil)
        expect(format.sampleRate > 0 && format.channelCount > 0, "the format is \(format)")
        let source = source(format)
        observe(device)
        expect(source.callCount == 0, "the callback was called before start()")
        try device.start(source.callback)
        expect(runs(device, source, calls: 8), "the callback was not called after start()")
        expect((try? device.start(source.callback)) == nil, "start() while running")
        expect((try? device.open(preferred: nil)) == nil, "open() while running")
        expect(device.latency.isFinite && device.latency >= 0 && device.latency < 3, "latency \(device.latency)")
        expect(device.underrunCount >= 0, "underruns \(device.underrunCount)")
        expect((1...4096).contains(source.largestBlock), "a block of \(source.largestBlock) frames")
        expect(source.badTimeCount == 0, "\(source.badTimeCount) times did not grow")
        if countsAllocations {
            expect(source.allocationCount == 0, "\(source.allocationCount) allocations between renders")
        }
        stop(device, source, "while running")
        expect(source.callCount == source.didRenderCount, "didRender \(source.didRenderCount) of \(source.callCount)")
        device.stop()
        device.pause()
        device.resume()
        expect(!source.isRendering, "the callback was called after a second stop()")
    }

    mutating func pause(_ device: any OutputDevice) throws {
        let source = source(try device.open(preferred: nil))
        try device.start(source.callback)
        expect(runs(device, source, calls: 3), "the callback was not called after start()")
        for _ in 0..<3 {
            device.pause()
            let calls = source.callCount
            observe(device)
            expect(source.callCount == calls, "the callback was called after pause()")
            device.pause()
            device.resume()
            expect(runs(device, source, calls: 3), "the callback was not called after resume()")
            device.resume()
        }
        device.pause()
        stop(device, source, "while paused")
    }

    mutating func restart(_ device: any OutputDevice) throws {
        let format = try device.open(preferred: nil)
        for round in 0..<3 {
            if round == 2 { expect(try device.open(preferred: format) == format, "another format when opened again") }
            let source = source(format)
            try device.start(source.callback)
            expect(runs(device, source, calls: 2), "the callback was not called after start number \(round + 1)")
            stop(device, source, "in round \(round + 1)")
        }
    }

    mutating func stopWhileRendering(_ device: any OutputDevice) throws {
        let source = source(try device.open(preferred: nil)) { usleep(20_000) }
        try device.start(source.callback)
        // A crank runs on this thread: there, no render can be under way when stop() is called.
        if crank == nil { expect(waitUntil { source.isRendering }, "the callback was not called") }
        stop(device, source, "during a render")
    }

    mutating func deinitialisation(_ make: () throws -> any OutputDevice) throws {
        var device: (any OutputDevice)? = try make()
        guard let format = try device?.open(preferred: nil) else { return }
        let source = source(format)
        try device?.start(source.callback)
        if let device { expect(runs(device, source, calls: 1), "the callback was not called") }
        device = nil
        let calls = source.callCount
        usleep(Self.observation * 1000)
        expect(source.callCount == calls && !source.isRendering, "the callback was called after deinit")
    }
}
