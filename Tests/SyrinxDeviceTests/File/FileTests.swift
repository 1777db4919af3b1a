import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

@Suite struct FileTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    private func write(_ signal: [[Float]], to path: String, format: DeviceFormat) throws {
        let device = WAVFileOutput(path: path)
        #expect(try device.open(preferred: format) == format)
        let source = SignalSource(signal)
        try device.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount == signal[0].count })
        device.stop()
    }

    @Test("A file holds exactly the frames before the end", arguments: [1, 2, 3, 6])
    func holdsExactlyTheFramesBeforeTheEnd(channelCount: Int) throws {
        let signal = (0..<channelCount).map { whiteNoise(frameCount: 70_001, seed: UInt64($0 + 1)) }
        let path = directory.file("a.wav")
        try write(signal, to: path, format: DeviceFormat(sampleRate: 44_100, channelCount: channelCount))
        let (sampleRate, channels) = try readWAV(path)
        #expect(sampleRate == 44_100)
        #expect(channels == signal)
    }

    @Test("ffmpeg reads the file")
    func ffmpegReadsIt() throws {
        let signal = [whiteNoise(frameCount: 30_000)]
        let path = directory.file("a.wav")
        try write(signal, to: path, format: DeviceFormat(sampleRate: 48_000, channelCount: 1))
        #expect(try FFmpeg.decode(path) == signal[0])
    }

    @Test("A file is readable while it is written")
    func isReadableWhileItIsWritten() throws {
        let path = directory.file("a.wav")
        let device = WAVFileOutput(path: path)
        _ = try device.open(preferred: DeviceFormat(sampleRate: 48_000, channelCount: 1))
        #expect(try readWAV(path).channels == [[]])
        let source = SignalSource([whiteNoise(frameCount: 1000)])
        try device.start(source.callback)
        // Once a second the frames so far are in the file, and in its header: the device is not stopped before.
        #expect(waitUntil { (try? readWAV(path).channels.first?.count) == 1000 })
        device.stop()
        #expect(try readWAV(path).channels[0].count == 1000)
    }

    @Test("A second start appends to the file")
    func isAddedToWhenStartedAgain() throws {
        let path = directory.file("a.wav")
        let device = WAVFileOutput(path: path)
        let format = DeviceFormat(sampleRate: 48_000, channelCount: 1)
        for seed in 1...2 as ClosedRange<UInt64> {
            let source = SignalSource([whiteNoise(frameCount: 5000, seed: seed)])
            // The second wish comes too late: the file has a format by then.
            let wish = DeviceFormat(sampleRate: 48_000 * Double(seed), channelCount: 1)
            #expect(try device.open(preferred: wish) == format)
            try device.start(source.callback)
            #expect(waitUntil { source.renderedFrameCount == 5000 })
            device.stop()
        }
        let expected = whiteNoise(frameCount: 5000, seed: 1) + whiteNoise(frameCount: 5000, seed: 2)
        #expect(try readWAV(path).channels == [expected])
    }

    @Test("A path that cannot be written fails with a typed error")
    func aPlaceThatCannotBeWrittenIsAnError() {
        let device = WAVFileOutput(path: directory.file("missing/a.wav"))
        let error = #expect(throws: DeviceError.self) { try device.open(preferred: nil) }
        #expect(error?.code == .deviceWriteFailed)
        #expect(error?.message.contains("No such file or directory") == true)
    }

    @Test("A full disk is reported as a lost device")
    func aFullDiskIsALoss() throws {
        let losses = Mutex<[DeviceError]>([])
        let device = WAVFileOutput(path: "/dev/full")
        device.onLoss = { error in losses.withLock { $0.append(error) } }
        _ = try device.open(preferred: nil)
        let source = SignalSource([whiteNoise(frameCount: 100), whiteNoise(frameCount: 100)], repeats: true)
        try device.start(source.callback)
        #expect(waitUntil { losses.withLock { !$0.isEmpty } })
        device.stop()
        #expect(losses.withLock { $0.map(\.code) } == [.deviceWriteFailed])
    }

    @Test("The device file /dev/null takes all samples")
    func devNullTakesAll() throws {
        let signal = [whiteNoise(frameCount: 100_000)]
        try write(signal, to: "/dev/null", format: DeviceFormat(sampleRate: 48_000, channelCount: 1))
    }

    @Test("A named pipe is written to its end")
    func aPipeIsWrittenToItsEnd() throws {
        let pipe = directory.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = try ChildProcess("cp", [pipe, directory.file("copy.wav")])
        let signal = [whiteNoise(frameCount: 300_000)]
        let device = WAVFileOutput(path: pipe)
        #expect(waitUntil { (try? device.open(preferred: DeviceFormat(sampleRate: 48_000, channelCount: 1))) != nil })
        let source = SignalSource(signal)
        try device.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount == 300_000 })
        device.stop()
        #expect(reader.wait() == 0)
        let copy = try Data(contentsOf: directory.url("copy.wav")).dropFirst(92)
        #expect(copy.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } == signal[0])
    }

    @Test("A pipe whose reader leaves is a lost device")
    func aReaderThatLeavesIsALoss() throws {
        let pipe = directory.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = try ChildProcess("head", ["-c", "100", pipe])
        let losses = Mutex<[DeviceError]>([])
        let device = WAVFileOutput(path: pipe)
        device.onLoss = { error in losses.withLock { $0.append(error) } }
        #expect(waitUntil { (try? device.open(preferred: DeviceFormat(sampleRate: 48_000, channelCount: 1))) != nil })
        let source = SignalSource([whiteNoise(frameCount: 100)], repeats: true)
        try device.start(source.callback)
        #expect(waitUntil { losses.withLock { !$0.isEmpty } })
        device.stop()
        #expect(losses.withLock { $0.map(\.code) } == [.deviceWriteFailed])
        #expect(reader.wait() == 0)
    }

    @Test("A pipe reader that sleeps does not delay the stop")
    func aReaderThatSleepsDoesNotHoldUpStop() throws {
        let pipe = directory.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = try ChildProcess("sh", ["-c", "exec sleep 30 < \(pipe)"])
        let device = WAVFileOutput(path: pipe)
        #expect(waitUntil { (try? device.open(preferred: DeviceFormat(sampleRate: 48_000, channelCount: 1))) != nil })
        let source = SignalSource([whiteNoise(frameCount: 100)], repeats: true)
        try device.start(source.callback)
        var last = -1
        // When the pipe is full, no more is rendered.
        #expect(
            waitUntil {
                let now = source.renderedFrameCount
                defer { last = now }
                usleep(20_000)
                return now > 0 && now == last
            }
        )
        #expect(isPrompt { device.stop() })
        reader.kill()
    }
}
