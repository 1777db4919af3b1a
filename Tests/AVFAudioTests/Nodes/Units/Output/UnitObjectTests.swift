import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

@Suite("Output units as objects") struct UnitObjectTests {
    private func description(_ subtype: OSType) -> AudioComponentDescription {
        AudioComponentDescription(
            componentType: kAudioUnitType_Output,
            componentSubType: subtype,
            componentManufacturer: kAudioUnitManufacturer_Apple,
            componentFlags: 0,
            componentFlagsMask: 0
        )
    }

    @Test("A provider plays an engine that renders manually, sample for sample")
    func playsAnEngine() async throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let engine = AVAudioEngine()
        let player = AVAudioPlayerNode()
        try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 512)
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        let sound = [noise(4_096), noise(4_096, channel: 1)]
        player.scheduleBuffer(buffer(sound, sampleRate: 48_000), completionHandler: nil)
        try engine.start()
        player.play()

        let node = try await AVAudioUnit.instantiate(
            with: description(kAudioUnitSubType_DefaultOutput),
            options: .loadOutOfProcess
        )
        let unit = node.auAudioUnit
        let device = ManualOutput()
        unit.outputDevice = device
        #expect(unit.canPerformOutput && !unit.canPerformInput && unit.isOutputEnabled && !unit.isInputEnabled)
        #expect(unit.inputBusses.count == 1)
        try unit.inputBusses[0].setFormat(format)
        unit.maximumFramesToRender = 512
        let render = engine.manualRenderingBlock
        unit.outputProvider = { flags, _, count, bus, data in
            guard bus == 0 else { return -1 }
            var failure: OSStatus = noErr
            return render(count, data, &failure) == .success ? noErr : failure
        }
        #expect(throws: AVAudioEngineError.self) { try unit.startHardware() }
        try unit.allocateRenderResources()
        try unit.startHardware()
        #expect(unit.isRunning && unit.deviceID == AudioDeviceNumbers.number(of: device))
        #expect(device.render(frameCount: 4_096) == sound)
        unit.outputProvider = nil
        #expect(device.render(frameCount: 64)[0].allSatisfy { $0 == 0 })
        unit.stopHardware()
        #expect(!unit.isRunning)
        engine.stop()
    }

    @Test("A handler is told of what was recorded, and takes it with the render block")
    func inputHandler() async throws {
        let unit = try await AUAudioUnit.instantiate(with: description(kAudioUnitSubType_RemoteIO))
        let (device, input) = (ManualOutput(), ManualInput(format: DeviceFormat(sampleRate: 48_000, channelCount: 1)))
        unit.outputDevice = device
        unit.inputDevice = input
        #expect(unit.canPerformInput && unit.inputBusses.count == 2 && unit.outputBusses.count == 2)
        unit.isInputEnabled = true
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        try unit.outputBusses[1].setFormat(format)
        #expect(throws: AVAudioEngineError.self) { try unit.inputBusses[1].setFormat(format) }
        let render = unit.renderBlock
        let block = buffer([[Float](repeating: 0, count: 4_096)], sampleRate: 48_000)
        let heard = Mutex<[Float]>([])
        unit.inputHandler = { flags, time, count, bus in
            guard render(flags, time, count, bus, block.mutableAudioBufferList, nil) == noErr else { return }
            let samples = UnsafeBufferPointer(start: block.floatChannelData![0], count: Int(count))
            heard.withLock { $0 += samples }
        }
        try unit.allocateRenderResources()
        try unit.startHardware()
        let sound = noise(6_000)
        input.feed([sound])
        for _ in 0..<8 { _ = device.render(frameCount: 480) }
        let recorded = heard.withLock { $0 }
        #expect(recorded.count == 3_840 && recorded == Array(sound[..<recorded.count]))
        unit.stopHardware()
        unit.inputHandler = nil
        unit.deallocateRenderResources()
        #expect(!unit.renderResourcesAllocated)
    }

    @Test("An engine's ends have its device's unit, which is started and stopped with the engine")
    func unitOfAnEngine() throws {
        let engine = AVAudioEngine()
        let device = ManualOutput(format: DeviceFormat(sampleRate: 32_000, channelCount: 2))
        engine.outputDevice = device
        let handle = try #require(engine.outputNode.audioUnit)
        let unit = engine.outputNode.auAudioUnit
        #expect(engine.inputNode.audioUnit == handle && engine.inputNode.auAudioUnit === unit)
        var format = AudioStreamBasicDescription()
        #expect(handle.get(kAudioUnitProperty_StreamFormat, &format, kAudioUnitScope_Output) == noErr)
        #expect(format.mSampleRate == 32_000 && format.mChannelsPerFrame == 2)
        let (input, output) = (kAudioUnitScope_Input, kAudioUnitScope_Output)
        #expect(handle.set(kAudioUnitProperty_StreamFormat, format, input) == kAudioUnitErr_PropertyNotWritable)
        let callback = AURenderCallbackStruct(inputProc: { _, _, _, _, _, _ in noErr }, inputProcRefCon: nil)
        #expect(handle.set(kAudioUnitProperty_SetRenderCallback, callback, input) == kAudioUnitErr_PropertyNotWritable)
        #expect(handle.set(kAudioOutputUnitProperty_EnableIO, UInt32(0), output) == kAudioUnitErr_PropertyNotWritable)
        #expect(AudioUnitInitialize(handle) == kAudioUnitErr_CannotDoInCurrentContext)
        #expect(AudioComponentInstanceDispose(handle) == kAudio_ParamError)
        var isRunning: UInt32 = 9
        #expect(handle.get(kAudioOutputUnitProperty_IsRunning, &isRunning) == noErr && isRunning == 0)
        _ = engine.mainMixerNode
        #expect(AudioOutputUnitStart(handle) == noErr && engine.isRunning && unit.isRunning)
        #expect(AudioOutputUnitStop(handle) == noErr && !engine.isRunning)
        // Another device is the engine's, too.
        let other = ManualOutput()
        let number = AudioDeviceNumbers.number(of: other)
        #expect(handle.set(kAudioOutputUnitProperty_CurrentDevice, number) == noErr)
        #expect(engine.outputDevice === other && unit.outputDevice === other)
        #expect(AVAudioOutputNode.node(without: engine).audioUnit == nil)
    }

    @Test("Numbers of devices stay, and are not valid for ever")
    func numbers() throws {
        let device = ManualOutput()
        let number = AudioDeviceNumbers.number(of: device)
        #expect(number > 0 && AudioDeviceNumbers.number(of: device) == number)
        #expect(AudioDeviceNumbers.number(of: ManualInput()) != number)
        let unit = try #require(CalledUnit(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput))
        let lost = AudioDeviceNumbers.number(of: ManualOutput())
        #expect(unit.set(kAudioOutputUnitProperty_CurrentDevice, lost) == kAudioUnitErr_InvalidPropertyValue)
        #expect(unit.set(kAudioOutputUnitProperty_CurrentDevice, number) == noErr)
        #expect(unit.set(kAudioOutputUnitProperty_CurrentDevice, kAudioObjectUnknown) == noErr)
    }

    @Test("Other units have no device")
    func otherUnits() throws {
        let node = AVAudioUnitDelay()
        let unit = node.auAudioUnit
        #expect(!unit.canPerformOutput && !unit.canPerformInput && !unit.isRunning && unit.deviceID == 0)
        #expect(throws: AVAudioEngineError.self) { try unit.startHardware() }
        unit.outputProvider = { _, _, _, _, _ in noErr }
        unit.outputDevice = ManualOutput()
        #expect(unit.outputProvider == nil && unit.outputDevice == nil)
        // A place for a unit that is made later can be made, and not rendered.
        let place = AVAudioUnit()
        let engine = AVAudioEngine()
        engine.outputDevice = ManualOutput()
        engine.attach(place)
        engine.connect(place, to: engine.mainMixerNode, format: nil)
        #expect(throws: AVAudioEngineError.self) { try engine.start() }
    }
}

extension AVAudioOutputNode {
    /// The end of an engine that is gone.
    fileprivate static func node(without engine: AVAudioEngine) -> AVAudioOutputNode { AVAudioEngine().outputNode }
}
