public import CoreAudioTypes

/// A block that supplies the input of a bus: it fills `inputData`, or replaces its buffer pointers.
public typealias AURenderPullInputBlock = (
    _ actionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ timestamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: AUAudioFrameCount,
    _ inputBusNumber: Int,
    _ inputData: UnsafeMutablePointer<AudioBufferList>
) -> AUAudioUnitStatus

/// A block that is called when an output unit has recorded frames.
public typealias AUInputHandler = (
    _ actionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ timestamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: AUAudioFrameCount,
    _ inputBusNumber: Int
) -> Void

/// A block with which a host renders a unit.
public typealias AURenderBlock = (
    _ actionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ timestamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: AUAudioFrameCount,
    _ outputBusNumber: Int,
    _ outputData: UnsafeMutablePointer<AudioBufferList>,
    _ pullInputBlock: AURenderPullInputBlock?
) -> AUAudioUnitStatus

/// A block that renders a unit, supplied by the author of the unit.
///
/// Called on the render thread: it must not allocate, lock, log or wait. `realtimeEventListHead` is the list of the
/// events of this render, ordered by time.
public typealias AUInternalRenderBlock = (
    _ actionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ timestamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: AUAudioFrameCount,
    _ outputBusNumber: Int,
    _ outputData: UnsafeMutablePointer<AudioBufferList>,
    _ realtimeEventListHead: UnsafePointer<AURenderEvent>?,
    _ pullInputBlock: AURenderPullInputBlock?
) -> AUAudioUnitStatus

/// A block that schedules a parameter change.
///
/// Its arguments are the sample time, the ramp length in frames (0 for none), the address and the value.
public typealias AUScheduleParameterBlock =
    @Sendable (
        _ eventSampleTime: AUEventSampleTime,
        _ rampDurationSampleFrames: AUAudioFrameCount,
        _ parameterAddress: AUParameterAddress,
        _ value: AUValue
    ) -> Void

/// A block that schedules a MIDI message.
///
/// Its arguments are the sample time, the cable, the number of bytes and the bytes.
public typealias AUScheduleMIDIEventBlock =
    @Sendable (
        _ eventSampleTime: AUEventSampleTime,
        _ cable: UInt8,
        _ length: Int,
        _ midiBytes: UnsafePointer<UInt8>
    ) -> Void

/// The sample time of an event that is due with the next render; up to 4,096 may be added to it, as frames of that
/// render.
public let AUEventSampleTimeImmediate = AUEventSampleTime(bitPattern: 0xFFFF_FFFF_0000_0000)
