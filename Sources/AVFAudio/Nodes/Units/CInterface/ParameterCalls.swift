public import CoreAudioTypes

extension AVAudioUnit {
    /// The handle of the unit for functions of Core Audio, such as `AudioUnitSetParameter`.
    ///
    /// The handle is valid as long as the node exists.
    ///
    /// ```swift
    /// let reverb = AVAudioUnitReverb()
    /// let status = AudioUnitSetParameter(
    ///     reverb.audioUnit, AudioUnitParameterID(kReverbParam_DryWetMix), kAudioUnitScope_Global, 0, 30, 0)
    /// ```
    public var audioUnit: AudioUnit { auAudioUnit.instance.handle }
}

/// Sets a parameter of a unit.
///
/// Callable from any thread. The offset is ignored: the value takes effect at the next block, without a click.
/// `AudioUnitScheduleParameters` sets one at a frame.
/// - Returns: `noErr`, `kAudioUnitErr_InvalidParameter` for an unknown or read-only parameter,
///   `kAudioUnitErr_InvalidScope` for another scope than the global one, `kAudioUnitErr_InvalidParameterValue` for a
///   value out of the range or NaN.
@discardableResult
public func AudioUnitSetParameter(
    _ inUnit: AudioUnit,
    _ inID: AudioUnitParameterID,
    _ inScope: AudioUnitScope,
    _ inElement: AudioUnitElement,
    _ inValue: AudioUnitParameterValue,
    _ inBufferOffsetInFrames: UInt32
) -> OSStatus {
    guard inScope == kAudioUnitScope_Global else { return kAudioUnitErr_InvalidScope }
    let store = UnitInstance.of(inUnit).store
    guard let index = store.index(ofAddress: UInt64(inID)), !store.parameters[index].isReadOnly else {
        return kAudioUnitErr_InvalidParameter
    }
    guard store.parameters[index].range.contains(inValue) else { return kAudioUnitErr_InvalidParameterValue }
    store.set(index, to: inValue)
    return noErr
}

/// Reads a parameter of a unit.
///
/// Callable from any thread.
/// - Returns: `noErr`, `kAudioUnitErr_InvalidParameter` for an unknown parameter, `kAudioUnitErr_InvalidScope` for
///   another scope than the global one.
@discardableResult
public func AudioUnitGetParameter(
    _ inUnit: AudioUnit,
    _ inID: AudioUnitParameterID,
    _ inScope: AudioUnitScope,
    _ inElement: AudioUnitElement,
    _ outValue: UnsafeMutablePointer<AudioUnitParameterValue>
) -> OSStatus {
    guard inScope == kAudioUnitScope_Global else { return kAudioUnitErr_InvalidScope }
    let store = UnitInstance.of(inUnit).store
    guard let index = store.index(ofAddress: UInt64(inID)) else { return kAudioUnitErr_InvalidParameter }
    outValue.pointee = store.currentValue(index)
    return noErr
}

/// Schedules parameter changes at frames of the next render, as steps or as ramps.
///
/// Callable from any thread. A ramp begins at `startValue` and reaches `endValue` after `durationInFrames`.
/// - Parameters:
///   - inUnit: The unit.
///   - inParameterEvent: The changes. Their offsets are frames of the next render: 0…4,096.
///   - inNumParamEvents: The number of changes.
/// - Returns: `noErr`; else the error of the first invalid change, as from `AudioUnitSetParameter`, or
///   `kAudio_ParamError` for an invalid offset or kind. Later changes are then not applied.
@discardableResult
public func AudioUnitScheduleParameters(
    _ inUnit: AudioUnit,
    _ inParameterEvent: UnsafePointer<AudioUnitParameterEvent>,
    _ inNumParamEvents: UInt32
) -> OSStatus {
    let instance = UnitInstance.of(inUnit)
    let schedule = instance.unit.scheduleParameterBlock
    for index in 0..<Int(inNumParamEvents) {
        let status = instance.schedule(inParameterEvent[index], with: schedule)
        guard status == noErr else { return status }
    }
    return noErr
}

extension UnitInstance {
    fileprivate func schedule(_ event: AudioUnitParameterEvent, with schedule: AUScheduleParameterBlock) -> OSStatus {
        guard event.scope == kAudioUnitScope_Global else { return kAudioUnitErr_InvalidScope }
        let address = AUParameterAddress(event.parameter)
        guard let index = store.index(ofAddress: address), !store.parameters[index].isReadOnly else {
            return kAudioUnitErr_InvalidParameter
        }
        let range = store.parameters[index].range
        switch event.eventType {
        case .parameterEvent_Immediate:
            let change = event.eventValues.immediate
            guard change.bufferOffset <= 4096 else { return kAudio_ParamError }
            guard range.contains(change.value) else { return kAudioUnitErr_InvalidParameterValue }
            schedule(AUEventSampleTimeImmediate + Int64(change.bufferOffset), 0, address, change.value)
        case .parameterEvent_Ramped:
            let ramp = event.eventValues.ramp
            guard (0...4096).contains(ramp.startBufferOffset) else { return kAudio_ParamError }
            guard range.contains(ramp.startValue), range.contains(ramp.endValue) else {
                return kAudioUnitErr_InvalidParameterValue
            }
            let start = AUEventSampleTimeImmediate + Int64(ramp.startBufferOffset)
            schedule(start, 0, address, ramp.startValue)
            schedule(start, ramp.durationInFrames, address, ramp.endValue)
        default: return kAudio_ParamError
        }
        return noErr
    }
}
