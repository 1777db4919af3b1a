import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// Recorders of an input that a test feeds.
@Suite struct AudioRecorderTests {
    private let folder: ScratchDirectory

    init() throws { folder = try ScratchDirectory() }

    private final class Listener: NSObject, AVAudioRecorderDelegate, @unchecked Sendable {
        // Unchecked: the calls are behind a lock.
        let calls = Mutex<[String]>([])

        func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
            calls.withLock { $0.append("finished \(flag)") }
        }

        func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
            calls.withLock { $0.append("error \((error as? DeviceError)?.code.rawValue ?? "")") }
        }

        func wait(_ count: Int) -> [String] {
            waitUntil(timeout: 20) { calls.withLock { $0.count >= count } }
            return calls.withLock { $0 }
        }
    }

    /// An input that opens, and does not start.
    private final class BrokenInput: InputDevice {
        let name = "broken"
        let latency = 0.0
        var onLoss: (@Sendable (DeviceError) -> Void)? {
            get { nil }
            set { _ = newValue }
        }
        func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
            DeviceFormat(sampleRate: 48_000, channelCount: 2)
        }
        func start(_ callback: CaptureCallback) throws(DeviceError) {
            throw DeviceError(.deviceLost, "it was unplugged.", device: name)
        }
        func stop() {}
    }

    private static let settings: [String: any Sendable] = [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
        AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
    ]

    private func recorder(
        _ name: String,
        _ input: ManualInput,
        _ settings: [String: Any] = settings
    ) throws -> (AVAudioRecorder, Listener) {
        let recorder = try AVAudioRecorder(url: folder.url(name), settings: settings)
        let listener = Listener()
        recorder.inputDevice = input
        recorder.delegate = listener
        return (recorder, listener)
    }

    private func samples(_ name: String) throws -> [[Float]] {
        let file = try AVAudioFile(forReading: folder.url(name))
        let count = AVAudioFrameCount(max(file.length, 1))
        let sound = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: count))
        try file.read(into: sound)
        let planes = try #require(sound.floatChannelData)
        return (0..<Int(sound.format.channelCount)).map {
            Array(UnsafeBufferPointer(start: planes[$0], count: Int(sound.frameLength)))
        }
    }

    @Test("What the input hears is in the file, sample for sample, without what sounds during a pause")
    func recordsWhatIsHeard() throws {
        let input = ManualInput()
        let (recorder, listener) = try recorder("a.wav", input)
        let (left, right) = (noise(30_000), noise(30_000, channel: 1))
        #expect(!recorder.isRecording && recorder.currentTime == 0)
        #expect(recorder.record())
        #expect(recorder.isRecording && input.isRunning)
        input.feed([Array(left[..<12_345]), Array(right[..<12_345])])
        recorder.pause()
        #expect(!recorder.isRecording && !input.isRunning && recorder.currentTime == 12_345 / 48_000.0)
        input.feed([left, right])
        #expect(recorder.record())
        input.feed([Array(left[12_345...]), Array(right[12_345...])])
        recorder.stop()
        #expect(!recorder.isRecording && recorder.currentTime == 0)
        #expect(try samples("a.wav") == [left, right])
        #expect(listener.wait(1) == ["finished true"])
        // Nothing to stop, nothing to tell.
        recorder.stop()
        #expect(recorder.deleteRecording())
        #expect(!recorder.deleteRecording())
        #expect(listener.calls.withLock { $0 } == ["finished true"])
    }

    @Test("A mono file has both channels of a stereo input")
    func stereoIsMixedIntoMono() throws {
        let input = ManualInput()
        let (recorder, _) = try recorder("a.wav", input, Self.settings.merging([AVNumberOfChannelsKey: 1]) { $1 })
        let (left, right) = (noise(9_000), noise(9_000, channel: 1))
        #expect(recorder.record())
        input.feed([left, right])
        recorder.stop()
        let heard = try samples("a.wav")
        #expect(heard.count == 1 && heard[0].count == 9_000)
        let worst = heard[0].indices.map { abs(heard[0][$0] - (left[$0] + right[$0]) / 2) }.max()
        #expect(try #require(worst) < 1e-6)
    }

    @Test("A recording of a duration has exactly its frames, and ends by itself")
    func durationIsExact() throws {
        let input = ManualInput()
        let (recorder, listener) = try recorder("a.wav", input)
        let tone = noise(48_000)
        #expect(recorder.record(forDuration: 0.25))
        input.feed([tone, tone])
        #expect(listener.wait(1) == ["finished true"])
        #expect(!input.isRunning && !recorder.isRecording)
        #expect(try samples("a.wav") == [Array(tone[..<12_000]), Array(tone[..<12_000])])
    }

    @Test("A recording for a time begins with the frame that sounds then")
    func beginsAtItsTime() throws {
        let input = ManualInput()
        let (recorder, _) = try recorder("a.wav", input)
        let tone = noise(4_800)
        let start = recorder.deviceCurrentTime + 1
        #expect(recorder.record(atTime: start))
        input.feed([tone, tone])
        // The next sound is a tenth of a second long, and begins after the start.
        #expect(waitUntil { recorder.deviceCurrentTime > start + 0.11 })
        #expect(recorder.currentTime == 0)
        input.feed([tone, tone])
        recorder.stop()
        #expect(try samples("a.wav") == [tone, tone])
    }

    @Test("The input is brought to the rate and the channels of the file")
    func convertsTheInput() throws {
        let input = ManualInput(format: DeviceFormat(sampleRate: 48_000, channelCount: 1))
        let settings: [String: Any] = [
            AVFormatIDKey: Int(kAudioFormatMPEG4AAC), AVSampleRateKey: 22_050.0, AVNumberOfChannelsKey: 2,
        ]
        let (recorder, listener) = try recorder("a.m4a", input, settings)
        #expect(recorder.record())
        let tone = sine(1_000, 96_000, sampleRate: 48_000)
        input.feed([Array(tone[..<50_000])])
        #expect(waitUntil { recorder.currentTime > 0 })
        input.feed([Array(tone[50_000...])])
        recorder.stop()
        #expect(listener.wait(1) == ["finished true"])
        let heard = try samples("a.m4a")
        #expect(heard.count == 2 && abs(heard[0].count - 44_100) < 100)
        for channel in heard {
            #expect(abs(amplitude(of: 1_000, in: channel[4_000..<40_000], sampleRate: 22_050) - 0.5) < 0.02)
        }
    }

    @Test("Meters tell the level of what is recorded")
    func metersTellLevels() throws {
        let input = ManualInput()
        let (recorder, _) = try recorder("a.wav", input)
        recorder.isMeteringEnabled = true
        #expect(recorder.record())
        let silence = [Float](repeating: 0, count: 48_000)
        input.feed([sine(1_000, 48_000, sampleRate: 48_000, amplitude: 0.25), silence])
        recorder.pause()
        recorder.updateMeters()
        #expect(abs(recorder.peakPower(forChannel: 0) + 12.04) < 0.05)
        #expect(abs(recorder.averagePower(forChannel: 0) + 15.05) < 0.05)
        #expect(recorder.averagePower(forChannel: 1) == -160)
    }

    @Test("A lost input ends the recording, which keeps what was heard")
    func aLostInputIsToldOf() throws {
        let input = ManualInput()
        let (recorder, listener) = try recorder("a.wav", input)
        #expect(recorder.record())
        let tone = noise(10_000)
        input.feed([tone, tone])
        input.simulateLoss()
        #expect(listener.wait(2) == ["error device.lost", "finished false"])
        #expect(!recorder.isRecording && recorder.recordError is DeviceError)
        #expect(try samples("a.wav") == [tone, tone])
    }

    @Test("Without an input, a folder or sensible settings there is a reason")
    func failuresHaveReasons() throws {
        let recorder = try AVAudioRecorder(url: folder.url("a.wav"), settings: [:])
        recorder.inputDevice = MissingDeviceTests.NoInput()
        #expect(recorder.format.sampleRate == 44_100 && recorder.format.channelCount == 1)
        #expect(!recorder.record() && !recorder.isRecording)
        #expect((recorder.recordError as? DeviceError)?.code == .deviceUnavailable)
        let broken = try AVAudioRecorder(url: folder.url("a.wav"), settings: Self.settings)
        broken.inputDevice = BrokenInput()
        #expect(!broken.record() && (broken.recordError as? DeviceError)?.code == .deviceLost)
        let lost = try AVAudioRecorder(url: folder.url("none/a.wav"), settings: Self.settings)
        #expect(!lost.prepareToRecord() && lost.recordError is AVAudioRecordingError)
        let odd = try AVAudioRecorder(url: folder.url("a.xyz"), settings: Self.settings)
        #expect(!odd.record() && odd.recordError is AVAudioRecordingError)
        #expect(odd.recordError.map { ($0 as NSError).domain } == NSOSStatusErrorDomain)
        #expect(throws: AVAudioRecordingError.self) {
            try AVAudioRecorder(
                url: folder.url("b.wav"),
                settings: Self.settings.merging([AVLinearPCMBitDepthKey: 7]) { $1 }
            )
        }
        #expect(throws: AVAudioRecordingError.self) {
            try AVAudioRecorder(url: try #require(URL(string: "http://127.0.0.1/a.wav")), settings: Self.settings)
        }
    }
}
