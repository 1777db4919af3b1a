import AVFAudio
import Foundation
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// An engine on a machine without a sound card or a microphone.
@Suite struct MissingDeviceTests {
    /// An output whose `open` answers as on a machine without sound.
    final class NoOutput: OutputDevice {
        let name = "auto"
        let isPaced = true
        let latency = 0.0
        let underrunCount = 0
        var onLoss: (@Sendable (DeviceError) -> Void)? {
            get { nil }
            set { _ = newValue }
        }
        func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
            throw DeviceError(.deviceUnavailable, "no sound server and no sound card answers.", device: name)
        }
        func start(_ callback: RenderCallback) throws(DeviceError) { _ = try open(preferred: nil) }
        func pause() {}
        func resume() {}
        func stop() {}
    }

    final class NoInput: InputDevice {
        let name = "none"
        let latency = 0.0
        var onLoss: (@Sendable (DeviceError) -> Void)? {
            get { nil }
            set { _ = newValue }
        }
        func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
            throw DeviceError(.deviceUnavailable, "there is no input.", device: name)
        }
        func start(_ callback: CaptureCallback) throws(DeviceError) { _ = try open(preferred: nil) }
        func stop() {}
    }

    @Test("Without a sound device start() throws what Apple's does, with a sentence")
    func startWithoutADevice() throws {
        let engine = AVAudioEngine()
        engine.outputDevice = NoOutput()
        do {
            try engine.start()
            Issue.record("It started.")
        } catch {
            let failure = error as NSError
            #expect(failure.domain == "com.apple.coreaudio.avfaudio")
            #expect(failure.code == -10_875)
            #expect(error.localizedDescription == "auto: No sound server and no sound card answers.")
            #expect(failure.localizedDescription == error.localizedDescription)
        }
        #expect(!engine.isRunning)
        // What needs no device goes on.
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 64)
        try engine.start()
        engine.stop()
    }

    @Test(
        "Without an input device the input node tells 0 Hz and 0 channels, and may be connected and tapped all the same"
    )
    func inputWithoutADevice() throws {
        let engine = AVAudioEngine()
        let device = ManualOutput()
        engine.outputDevice = device
        engine.inputDevice = NoInput()
        for format in [engine.inputNode.inputFormat(forBus: 0), engine.inputNode.outputFormat(forBus: 0)] {
            #expect(format.sampleRate == 0)
            #expect(format.channelCount == 0)
        }
        try engine.start()
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: engine.inputNode.outputFormat(forBus: 0))
        let format = engine.inputNode.outputFormat(forBus: 0)
        engine.inputNode.installTap(onBus: 0, bufferSize: 480, format: format) { _, _ in }
        #expect(device.render(frameCount: 480)[0].allSatisfy { $0 == 0 })
        engine.stop()
        engine.inputDevice = ManualInput(format: DeviceFormat(sampleRate: 48_000, channelCount: 1))
        #expect(engine.inputNode.outputFormat(forBus: 0).sampleRate == 48_000)
        #expect(engine.inputNode.inputFormat(forBus: 0).channelCount == 1)
    }
}
