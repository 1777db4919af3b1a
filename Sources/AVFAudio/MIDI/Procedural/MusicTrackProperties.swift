public import CoreAudioTypes

/// Gets a property of a track.
///
/// | Property | Type | |
/// |---|---|---|
/// | `kSequenceTrackProperty_LoopInfo` | `MusicTrackLoopInfo` | The beats before the end that loop, and how often: 0 for ever |
/// | `kSequenceTrackProperty_OffsetTime` | `MusicTimeStamp` | The beat of the sequence at which the track begins |
/// | `kSequenceTrackProperty_MuteStatus` | `UInt8` | Whether it is silent |
/// | `kSequenceTrackProperty_SoloStatus` | `UInt8` | Whether only this track and others that are soloed sound |
/// | `kSequenceTrackProperty_AutomatedParameters` | `UInt32` | Whether its parameter events are followed |
/// | `kSequenceTrackProperty_TrackLength` | `MusicTimeStamp` | The length that was set, or the end of the last event if that is later |
/// | `kSequenceTrackProperty_TimeResolution` | `Int16` | Ticks in a beat, of the file that it comes from, else 480 |
/// - Parameters:
///   - inTrack: The track.
///   - inPropertyID: The property.
///   - outData: Gets the value, in as many bytes as its type has; `nil` to ask for their number.
///   - ioLength: The number of bytes that there is room for, then that of the value. 0 is taken as enough.
/// - Returns: `noErr`; `kAudioUnitErr_InvalidProperty` for one that is not in the table, `kAudio_ParamError` for too little room.
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
///   - inPropertyID: The property: see `MusicTrackGetProperty`.
///   - inData: The value.
///   - inLength: The number of its bytes. 0 is taken as enough.
/// - Returns: `noErr`; `kAudioUnitErr_InvalidProperty` for one that does not exist, `kAudioUnitErr_PropertyNotWritable` for the
///   resolution, `kAudio_ParamError` for too few bytes.
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
        // Foreign code gives 0, which Apple's takes.
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
