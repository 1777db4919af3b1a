public import CoreAudioTypes

/// Gets a property of a track.
///
/// | Property | Type | Meaning |
/// |---|---|---|
/// | `kSequenceTrackProperty_LoopInfo` | `MusicTrackLoopInfo` | The beats that loop at the end, and the count |
/// | `kSequenceTrackProperty_OffsetTime` | `MusicTimeStamp` | The beat of the sequence at which the track begins |
/// | `kSequenceTrackProperty_MuteStatus` | `UInt8` | Whether the track is muted |
/// | `kSequenceTrackProperty_SoloStatus` | `UInt8` | Whether the track is soloed |
/// | `kSequenceTrackProperty_AutomatedParameters` | `UInt32` | Whether parameter events are applied |
/// | `kSequenceTrackProperty_TrackLength` | `MusicTimeStamp` | The set length, or the end of the last event if later |
/// | `kSequenceTrackProperty_TimeResolution` | `Int16` | Ticks per beat of the source file, or 480 |
/// - Parameters:
///   - inTrack: The track.
///   - inPropertyID: The property.
///   - outData: Receives the value, in as many bytes as its type has; `nil` to ask only for the size.
///   - ioLength: The capacity in bytes, replaced with the size of the value. 0 skips the check of the capacity.
/// - Returns: `noErr`; `kAudioUnitErr_InvalidProperty` for a property outside the table; `kAudio_ParamError` if the
///   capacity is too small.
@discardableResult
public func MusicTrackGetProperty(
    _ inTrack: MusicTrack,
    _ inPropertyID: UInt32,
    _ outData: UnsafeMutableRawPointer?,
    _ ioLength: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    let object = MusicTrackObject.of(inTrack)
    let track = object.track
    func put<Value: BitwiseCopyable>(_ value: Value) -> OSStatus {
        let size = UInt32(MemoryLayout<Value>.size)
        let isEnough = ioLength.pointee == 0 || ioLength.pointee >= size
        ioLength.pointee = size
        guard let outData else { return noErr }
        guard isEnough else { return kAudio_ParamError }
        outData.storeBytes(of: value, as: Value.self)
        return noErr
    }
    return switch inPropertyID {
    case kSequenceTrackProperty_LoopInfo: put(object.loop)
    case kSequenceTrackProperty_OffsetTime: put(track.offsetTime)
    case kSequenceTrackProperty_MuteStatus: put(track.isMuted ? UInt8(1) : 0)
    case kSequenceTrackProperty_SoloStatus: put(track.isSoloed ? UInt8(1) : 0)
    case kSequenceTrackProperty_AutomatedParameters: put(track.usesAutomatedParameters ? UInt32(1) : 0)
    case kSequenceTrackProperty_TrackLength: put(track.lengthInBeats)
    case kSequenceTrackProperty_TimeResolution: put(Int16(clamping: track.timeResolution))
    default: kAudioUnitErr_InvalidProperty
    }
}

/// Sets a property of a track.
/// - Parameters:
///   - inTrack: The track.
///   - inPropertyID: A property from the table of `MusicTrackGetProperty`.
///   - inData: The value.
///   - inLength: The size of the value in bytes. 0 skips the check of the size.
/// - Returns: `noErr`; `kAudioUnitErr_InvalidProperty` for an unknown property; `kAudioUnitErr_PropertyNotWritable`
///   for the time resolution; `kAudio_ParamError` for too few bytes.
@discardableResult
public func MusicTrackSetProperty(
    _ inTrack: MusicTrack,
    _ inPropertyID: UInt32,
    _ inData: UnsafeMutableRawPointer,
    _ inLength: UInt32
) -> OSStatus {
    let object = MusicTrackObject.of(inTrack)
    let track = object.track
    func take<Value: BitwiseCopyable>(_ type: Value.Type, _ set: (Value) -> Void) -> OSStatus {
        // Some programs pass 0, which Apple's function accepts.
        guard inLength == 0 || Int(inLength) >= MemoryLayout<Value>.size else { return kAudio_ParamError }
        set(inData.loadUnaligned(as: Value.self))
        return noErr
    }
    return switch inPropertyID {
    case kSequenceTrackProperty_LoopInfo: take(MusicTrackLoopInfo.self) { object.loop = $0 }
    case kSequenceTrackProperty_OffsetTime: take(MusicTimeStamp.self) { track.offsetTime = $0 }
    case kSequenceTrackProperty_MuteStatus: take(UInt8.self) { track.isMuted = $0 != 0 }
    case kSequenceTrackProperty_SoloStatus: take(UInt8.self) { track.isSoloed = $0 != 0 }
    case kSequenceTrackProperty_AutomatedParameters: take(UInt32.self) { track.usesAutomatedParameters = $0 != 0 }
    case kSequenceTrackProperty_TrackLength:
        take(MusicTimeStamp.self) { length in
            track.lengthInBeats = length
            object.placeLoop()
        }
    case kSequenceTrackProperty_TimeResolution: kAudioUnitErr_PropertyNotWritable
    default: kAudioUnitErr_InvalidProperty
    }
}
