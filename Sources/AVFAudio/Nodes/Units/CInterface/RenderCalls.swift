public import CoreAudioTypes
import Foundation

/// Allocates the resources that a unit needs for `AudioUnitRender`.
///
/// Set formats and `kAudioUnitProperty_MaximumFramesPerSlice` before. Initializing an initialized unit has no effect.
/// Callable from any thread except the render thread.
/// - Returns: `noErr`; `kAudioUnitErr_CannotDoInCurrentContext` for the unit of a node that is attached to an engine;
///   `kAudioUnitErr_FormatNotSupported` if the formats of the busses are incompatible; or an error of the unit.
@discardableResult
public func AudioUnitInitialize(_ inUnit: AudioUnit) -> OSStatus {
    status { try UnitInstance.of(inUnit).initialize() }
}

/// Frees the resources of `AudioUnitInitialize`, after waiting for the current render.
/// - Returns: `noErr`, or `kAudioUnitErr_CannotDoInCurrentContext` if called during a render of the unit by the same
///   thread.
@discardableResult
public func AudioUnitUninitialize(_ inUnit: AudioUnit) -> OSStatus {
    UnitInstance.of(inUnit).uninitialize() ? noErr : kAudioUnitErr_CannotDoInCurrentContext
}

/// Renders a unit.
///
/// Call it from one thread at a time; it neither locks nor allocates. On an output unit, bus 1 supplies the recorded
/// frames of the input device during its callback. Bus 0 can be rendered only for `kAudioUnitSubType_GenericOutput`.
/// - Parameters:
///   - inUnit: An initialized unit.
///   - ioActionFlags: The flags for callbacks; `nil` means none.
///   - inTimeStamp: The time of the first frame; only its sample time is used.
///   - inOutputBusNumber: The output bus.
///   - inNumberFrames: The number of frames, at most `kAudioUnitProperty_MaximumFramesPerSlice`.
///   - ioData: Receives the samples. A buffer with a `nil` pointer receives memory of the unit, which is valid until
///     the next render.
/// - Returns: `noErr`, `kAudioUnitErr_Uninitialized`, `kAudioUnitErr_TooManyFramesToProcess` or
///   `kAudioUnitErr_InvalidElement`; `kAudioUnitErr_NoConnection` without an input callback; `kAudio_ParamError` for
///   buffers with another format or too small a size; `kAudioUnitErr_CannotDoInCurrentContext` during another render;
///   or the error of the callback.
@discardableResult
public func AudioUnitRender(
    _ inUnit: AudioUnit,
    _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ inTimeStamp: UnsafePointer<AudioTimeStamp>,
    _ inOutputBusNumber: UInt32,
    _ inNumberFrames: UInt32,
    _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    Unmanaged<UnitInstance>.fromOpaque(UnsafeRawPointer(inUnit))._withUnsafeGuaranteedRef {
        $0.render(ioActionFlags, inTimeStamp, inOutputBusNumber, inNumberFrames, ioData)
    }
}

/// Clears a unit's internal audio, such as delay lines, at the next render.
/// - Returns: `noErr`, `kAudioUnitErr_InvalidScope` or `kAudioUnitErr_InvalidElement`.
@discardableResult
public func AudioUnitReset(
    _ inUnit: AudioUnit,
    _ inScope: AudioUnitScope,
    _ inElement: AudioUnitElement
) -> OSStatus {
    let instance = UnitInstance.of(inUnit)
    guard inScope <= kAudioUnitScope_Output else { return kAudioUnitErr_InvalidScope }
    guard inElement < instance.elementCount(inScope) else { return kAudioUnitErr_InvalidElement }
    instance.unit.reset()
    return noErr
}

/// Adds a function that is called before and after each render of a unit, by `AudioUnitRender` or by the device of an
/// output unit.
///
/// The flags `unitRenderAction_PreRender` and `unitRenderAction_PostRender` distinguish the two calls. The function
/// runs on the rendering thread and must not allocate, lock, log or wait.
@discardableResult
public func AudioUnitAddRenderNotify(
    _ inUnit: AudioUnit,
    _ inProc: @escaping AURenderCallback,
    _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    let notification = AURenderCallbackStruct(inputProc: inProc, inputProcRefCon: inProcUserData)
    UnitInstance.of(inUnit).callbacks.change { $0.notifications.append(notification) }
    return noErr
}

/// Removes a function that was added with the same pointer.
///
/// When this returns, it does not run and is not called again.
@discardableResult
public func AudioUnitRemoveRenderNotify(
    _ inUnit: AudioUnit,
    _ inProc: @escaping AURenderCallback,
    _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    let function = unsafeBitCast(inProc, to: Int.self)
    UnitInstance.of(inUnit).callbacks.change { callbacks in
        callbacks.notifications.removeAll {
            $0.inputProc.map { unsafeBitCast($0, to: Int.self) } == function && $0.inputProcRefCon == inProcUserData
        }
    }
    return noErr
}

/// Sends a MIDI message to an instrument, to be played with the next render.
///
/// Callable from any thread except the render thread.
/// - Parameters:
///   - inUnit: A unit that takes messages.
///   - inStatus: The kind of the message, and its channel.
///   - inData1: The first byte of data: 0…127.
///   - inData2: The second byte of data: 0…127; not sent with kinds that have one.
///   - inOffsetSampleFrame: The frame of the next render: 0…4,096.
/// - Returns: `noErr`, `kAudioUnitErr_InvalidProperty` for a unit that takes none, `kAudio_ParamError` for another
///   offset.
@discardableResult
public func MusicDeviceMIDIEvent(
    _ inUnit: AudioUnit,
    _ inStatus: UInt32,
    _ inData1: UInt32,
    _ inData2: UInt32,
    _ inOffsetSampleFrame: UInt32
) -> OSStatus {
    guard let send = UnitInstance.of(inUnit).unit.scheduleMIDIEventBlock else { return kAudioUnitErr_InvalidProperty }
    guard inOffsetSampleFrame <= 4096, inStatus <= 0xFF else { return kAudio_ParamError }
    let status = UInt8(truncatingIfNeeded: inStatus)
    let hasOneByte = status & 0xF0 == 0xC0 || status & 0xF0 == 0xD0
    let bytes = [status, UInt8(truncatingIfNeeded: inData1 & 0x7F), UInt8(truncatingIfNeeded: inData2 & 0x7F)]
    bytes.withUnsafeBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return }
        send(AUEventSampleTimeImmediate + Int64(inOffsetSampleFrame), 0, hasOneByte ? 2 : 3, base)
    }
    return noErr
}
