import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

@Suite struct RecordingTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    @Test("A recording holds every rendered frame, silence included")
    func holdsWhatTheDeviceWasGivenSilenceIncluded() throws {
        let manual = ManualOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 2))
        let path = directory.file("a.wav")
        let device = RecordingOutput(manual, path: path)
        _ = try device.open(preferred: nil)
        let signal = [whiteNoise(frameCount: 10_000, seed: 1), whiteNoise(frameCount: 10_000, seed: 2)]
        let source = SignalSource(signal)
        try device.start(source.callback)
        var given: [[Float]] = [[], []]
        for frameCount in [1, 7, 4096, 480, 9000, 1000] {
            let block = manual.render(frameCount: frameCount)
            for channel in 0..<2 { given[channel] += block[channel] }
        }
        device.stop()
        let recorded = try readWAV(path)
        #expect(recorded.sampleRate == 44_100)
        #expect(recorded.channels == given)
        #expect(Array(given[0].prefix(10_000)) == signal[0])
        #expect(given[0].count == 14_584)
        #expect(device.droppedFrameCount == 0)
    }

    @Test("A recording of a file output has the file's frames")
    func ofAnUnpacedDeviceHoldsWhatTheDeviceKeeps() throws {
        let device = RecordingOutput(
            WAVFileOutput(path: directory.file("a.wav")),
            path: directory.file("b.wav")
        )
        let format = DeviceFormat(sampleRate: 8000, channelCount: 3)
        #expect(try device.open(preferred: format) == format)
        // Eight times what the ring holds: the device waits for the recording.
        let signal = (1...3 as ClosedRange<UInt64>).map { whiteNoise(frameCount: 150_001, seed: $0) }
        let source = SignalSource(signal)
        try device.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount == 150_001 })
        device.stop()
        #expect(try readWAV(directory.file("a.wav")).channels == signal)
        #expect(try readWAV(directory.file("b.wav")).channels == signal)
        #expect(device.droppedFrameCount == 0)
    }

    @Test("Frames that a slow disk drops are counted")
    func aDiskThatIsTooSlowIsSaid() throws {
        let pipe = directory.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = try ChildProcess("sh", ["-c", "exec sleep 60 < \(pipe)"])
        let losses = Mutex<[DeviceError]>([])
        let manual = ManualOutput(format: DeviceFormat(sampleRate: 8000, channelCount: 1))
        let device = RecordingOutput(manual, path: pipe)
        device.onLoss = { error in losses.withLock { $0.append(error) } }
        #expect(waitUntil { (try? device.open(preferred: nil)) != nil })
        let source = SignalSource([[0.5]], repeats: true)
        try device.start(source.callback)
        #expect(
            waitUntil {
                _ = manual.render(frameCount: 4096)
                return device.droppedFrameCount > 0
            }
        )
        #expect(isPrompt { device.stop() })
        #expect(losses.withLock { $0.map(\.code) } == [.deviceWriteFailed])
        reader.kill()
    }

    @Test("A full disk ends the recording and not the sound")
    func aFullDiskEndsTheRecordingAndNotTheSound() throws {
        let losses = Mutex<[DeviceError]>([])
        let device = RecordingOutput(NullOutput(), path: "/dev/full")
        device.onLoss = { error in losses.withLock { $0.append(error) } }
        let format = try device.open(preferred: nil)
        let source = SignalSource(Array(repeating: [0.5], count: format.channelCount), repeats: true)
        try device.start(source.callback)
        #expect(waitUntil { losses.withLock { !$0.isEmpty } })
        let calls = source.callCount
        #expect(waitUntil { source.callCount > calls + 5 })
        device.stop()
        #expect(losses.withLock { $0.map(\.code) } == [.deviceWriteFailed])
    }

    @Test("The loss of a recorded device is passed on")
    func theLossOfTheDeviceIsPassedOn() throws {
        let losses = Mutex<[DeviceError]>([])
        let manual = ManualOutput()
        let device = RecordingOutput(manual, path: directory.file("a.wav"))
        device.onLoss = { error in losses.withLock { $0.append(error) } }
        _ = try device.open(preferred: nil)
        let source = SignalSource([[0.5], [0.5]], repeats: true)
        try device.start(source.callback)
        _ = manual.render(frameCount: 100)
        manual.simulateLoss()
        manual.simulateLoss()
        #expect(manual.render(frameCount: 3) == [[0, 0, 0], [0, 0, 0]])
        device.stop()
        #expect(losses.withLock { $0.map(\.code) } == [.deviceLost])
        #expect(try readWAV(directory.file("a.wav")).channels[0].count == 100)
    }

    @Test("Rendering into a recording allocates no memory")
    func crankingDoesNotAllocate() throws {
        let manual = ManualOutput()
        manual.latency = 0.25
        #expect(manual.latency == 0.25)
        let device = RecordingOutput(manual, path: directory.file("a.wav"))
        _ = try device.open(preferred: nil)
        let source = CountingSource()
        try device.start(source.callback)
        let planes = [
            UnsafeMutablePointer<Float>.allocate(capacity: 5000), UnsafeMutablePointer<Float>.allocate(capacity: 5000),
        ]
        defer { planes.forEach { $0.deallocate() } }
        let count = planes.withUnsafeBufferPointer { buffer in
            let channels = buffer.baseAddress!
            return allocations { for _ in 0..<10 { _ = manual.crank(channels, frameCount: 5000) } }
        }
        #expect(count == 0)
        #expect(source.frames == 50_000)
        device.stop()
    }
}

/// Renders without allocating, unlike `SignalSource` in a debug build.
private final class CountingSource {
    private let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    init() { count.initialize(to: 0) }
    deinit { count.deallocate() }
    var frames: Int { count.pointee }

    var callback: RenderCallback {
        RenderCallback(
            context: count,
            render: { context, _, frameCount, _ in
                context.assumingMemoryBound(to: Int.self).pointee += Int(frameCount)
                return frameCount
            },
            didRender: { _ in }
        )
    }
}
