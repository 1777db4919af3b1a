import AVFoundation

// snippet: output-unit
/// A tone that an output unit plays: by the calls of Core Audio, without an engine.
final class CalledTone {
    /// The state of the callback, which the device's thread alone touches while the unit runs.
    private final class State {
        var phase = 0.0
        let step: Double
        init(step: Double) { self.step = step }
    }

    private let unit: AudioUnit
    private let state: State

    /// - Parameter device: The device to play on; `nil` is the system's own.
    init?(frequency: Double, device: (any OutputDevice)? = nil) {
        var description = AudioComponentDescription()
        description.componentType = kAudioUnitType_Output
        description.componentSubType = kAudioUnitSubType_DefaultOutput
        var instance: AudioComponentInstance?
        guard let component = AudioComponentFindNext(nil, &description),
            AudioComponentInstanceNew(component, &instance) == noErr, let instance,
            let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)
        else { return nil }
        unit = instance
        state = State(step: 2 * .pi * frequency / format.sampleRate)

        if let device {
            set(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, AudioDeviceNumbers.number(of: device))
        }
        set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, format.streamDescription.pointee)
        let context = Unmanaged.passUnretained(state).toOpaque()
        let callback: AURenderCallback = { context, _, _, _, frameCount, data in
            Unmanaged<State>.fromOpaque(context)._withUnsafeGuaranteedRef { state in
                guard let buffers = UnsafeMutableAudioBufferListPointer(data) else { return kAudio_ParamError }
                for frame in 0..<Int(frameCount) {
                    let value = Float(0.25 * sin(state.phase))
                    state.phase += state.step
                    for buffer in buffers { UnsafeMutableBufferPointer<Float>(buffer)[frame] = value }
                }
                return noErr
            }
        }
        let source = AURenderCallbackStruct(inputProc: callback, inputProcRefCon: context)
        set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, source)
        guard AudioUnitInitialize(unit) == noErr, AudioOutputUnitStart(unit) == noErr else { return nil }
    }

    private func set<Value>(_ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ value: Value) {
        let size = UInt32(MemoryLayout<Value>.size)
        _ = withUnsafePointer(to: value) { AudioUnitSetProperty(unit, property, scope, 0, $0, size) }
    }

    deinit {
        // No callback runs when this returns.
        AudioOutputUnitStop(unit)
        AudioComponentInstanceDispose(unit)
    }
}
// end
