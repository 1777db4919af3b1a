import AVFAudio
import CoreAudioTypes
import Foundation

/// A unit that a program has made by Core Audio's calls, disposed of at the end.
final class CalledUnit {
    let unit: AudioUnit

    init?(_ type: OSType, _ subtype: OSType) {
        var description = AudioComponentDescription()
        description.componentType = type
        description.componentSubType = subtype
        var made: AudioComponentInstance?
        guard let component = AudioComponentFindNext(nil, &description),
            AudioComponentInstanceNew(component, &made) == noErr, let made
        else { return nil }
        unit = made
    }

    deinit { AudioComponentInstanceDispose(unit) }

    func get<Value>(
        _ id: AudioUnitPropertyID,
        _ value: inout Value,
        _ scope: AudioUnitScope = kAudioUnitScope_Global,
        _ element: AudioUnitElement = 0
    ) -> OSStatus {
        unit.get(id, &value, scope, element)
    }

    func set<Value>(
        _ id: AudioUnitPropertyID,
        _ value: Value,
        _ scope: AudioUnitScope = kAudioUnitScope_Global,
        _ element: AudioUnitElement = 0
    ) -> OSStatus {
        unit.set(id, value, scope, element)
    }
}

extension AudioUnit {
    func get<Value>(
        _ id: AudioUnitPropertyID,
        _ value: inout Value,
        _ scope: AudioUnitScope = kAudioUnitScope_Global,
        _ element: AudioUnitElement = 0
    ) -> OSStatus {
        var size = UInt32(MemoryLayout<Value>.size)
        let status = withUnsafeMutablePointer(to: &value) { AudioUnitGetProperty(self, id, scope, element, $0, &size) }
        return status == noErr && size != UInt32(MemoryLayout<Value>.size) ? -1 : status
    }

    func set<Value>(
        _ id: AudioUnitPropertyID,
        _ value: Value,
        _ scope: AudioUnitScope = kAudioUnitScope_Global,
        _ element: AudioUnitElement = 0
    ) -> OSStatus {
        withUnsafePointer(to: value) {
            AudioUnitSetProperty(self, id, scope, element, $0, UInt32(MemoryLayout<Value>.size))
        }
    }

    /// The size of a property and whether it can be written; `nil` if there is none.
    func info(
        _ id: AudioUnitPropertyID,
        _ scope: AudioUnitScope = kAudioUnitScope_Global,
        _ element: AudioUnitElement = 0
    ) -> (size: UInt32, isWritable: Bool)? {
        var size: UInt32 = 0
        var isWritable: DarwinBoolean = false
        guard AudioUnitGetPropertyInfo(self, id, scope, element, &size, &isWritable) == noErr else { return nil }
        return (size, isWritable.boolValue)
    }
}

/// A description of 32-bit float, one buffer a channel.
func planarFloats(_ sampleRate: Double, _ channels: UInt32) -> AudioStreamBasicDescription {
    description(of: AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channels)!)
}

/// A description of 16-bit integers, interleaved.
func interleavedIntegers(_ sampleRate: Double, _ channels: UInt32) -> AudioStreamBasicDescription {
    let format = AVAudioFormat(
        commonFormat: .pcmFormatInt16,
        sampleRate: sampleRate,
        channels: channels,
        interleaved: true
    )
    return description(of: format!)
}

private func description(of format: AVAudioFormat) -> AudioStreamBasicDescription {
    withExtendedLifetime(format) { format.streamDescription.pointee }
}
