import AVFoundation
import SyrinxTestSupport
import Testing

/// Programs for Apple's systems that play through an output unit.
@Suite struct OutputUnitProgramTests {
    @Test("A sine is played through the C interface of the default output unit")
    func sinePlayer() throws {
        let device = ManualOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 2))
        let player = UnsafeMutablePointer<SineWavePlayer>.allocate(capacity: 1)
        player.initialize(to: SineWavePlayer())
        defer {
            CloseOutputUnit(player)
            player.deallocate()
        }
        try CreateAndConnectOutputUnit(player) { unit in
            // The one line that a program here has beyond its own.
            var number = AudioDeviceNumbers.number(of: device)
            return AudioUnitSetProperty(
                unit,
                kAudioOutputUnitProperty_CurrentDevice,
                kAudioUnitScope_Global,
                0,
                &number,
                4
            )
        }
        try CheckError(AudioOutputUnitStart(player.pointee.outputUnit!), "Couldn't start output unit")
        let output = device.render(frameCount: 44_100)
        for channel in output {
            let error = channel.enumerated().map { frame, sample in
                abs(Double(sample) - sin(2 * .pi * sineFrequency * Double(frame) / 44_100))
            }
            #expect(error.max() ?? 1 < 1e-4)
        }
    }

    @Test("A sine is played on a device that keeps time")
    func sinePlayerInTime() throws {
        let device = NullOutput()
        let player = UnsafeMutablePointer<SineWavePlayer>.allocate(capacity: 1)
        player.initialize(to: SineWavePlayer())
        defer { player.deallocate() }
        try CreateAndConnectOutputUnit(player) { unit in
            var number = AudioDeviceNumbers.number(of: device)
            let id = kAudioOutputUnitProperty_CurrentDevice
            return AudioUnitSetProperty(unit, id, kAudioUnitScope_Global, 0, &number, 4)
        }
        try CheckError(AudioOutputUnitStart(player.pointee.outputUnit!), "Couldn't start output unit")
        var isRunning: UInt32 = 0
        var size: UInt32 = 4
        let id = kAudioOutputUnitProperty_IsRunning
        let unit = player.pointee.outputUnit!
        #expect(AudioUnitGetProperty(unit, id, kAudioUnitScope_Global, 0, &isRunning, &size) == noErr && isRunning == 1)
        // The device's own thread calls it; it has ended when the unit is closed.
        CloseOutputUnit(player)
        #expect(player.pointee.outputUnit == nil)
    }

    @Test("An output unit drives an engine that renders manually")
    func providerPlayer() throws {
        let device = ManualOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 2))
        let sound = (0..<40_000).map { Float(sin(Double($0) * 0.01)) * 0.5 }
        let program = ProviderPlayer(sound: sound)
        try program.setupEngine()
        program.configPlayerNode()
        program.player.auAudioUnit.outputDevice = device
        try program.startPlayer()
        #expect(program.player.auAudioUnit.isRunning)
        let output = device.render(frameCount: 20_000)
        for channel in 0..<2 {
            let expected = (0..<20_000).map { sound[2 * $0 + channel] }
            #expect(output[channel].elementsEqual(expected))
        }
    }
}
