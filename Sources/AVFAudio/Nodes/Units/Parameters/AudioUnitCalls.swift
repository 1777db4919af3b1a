public import CoreAudioTypes

/// A unit, as Core Audio's calls know it.
///
/// Valid as long as the `AVAudioUnit` that gave it.
public typealias AudioUnit = OpaquePointer
/// A component in use, as Core Audio's calls know it.
public typealias AudioComponentInstance = OpaquePointer

extension AVAudioUnit {
    /// The unit for Core Audio's calls, such as `AudioUnitSetParameter`.
    ///
    /// Valid as long as the node. A unit without parameters knows none of them.
    public var audioUnit: AudioUnit { OpaquePointer(Unmanaged.passUnretained(store).toOpaque()) }
}

/// Sets a parameter of a unit.
///
/// May be called from any thread. The offset is not looked at: the value is taken up with the next block, without a click.
/// - Returns: `noErr`, `kAudioUnitErr_InvalidParameter` for an unknown or read-only parameter, `kAudioUnitErr_InvalidScope` for
///   another scope than the global one, `kAudioUnitErr_InvalidParameterValue` for a value out of the range or NaN.
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
    let store = parameters(of: inUnit)
    guard let index = store.index(ofAddress: UInt64(inID)), !store.parameters[index].isReadOnly else {
        return kAudioUnitErr_InvalidParameter
    }
    guard store.parameters[index].range.contains(inValue) else { return kAudioUnitErr_InvalidParameterValue }
    store.set(index, to: inValue)
    return noErr
}

/// Reads a parameter of a unit.
///
/// May be called from any thread.
/// - Returns: `noErr`, `kAudioUnitErr_InvalidParameter` for an unknown parameter, `kAudioUnitErr_InvalidScope` for another scope
///   than the global one.
@discardableResult
public func AudioUnitGetParameter(
    _ inUnit: AudioUnit,
    _ inID: AudioUnitParameterID,
    _ inScope: AudioUnitScope,
    _ inElement: AudioUnitElement,
    _ outValue: UnsafeMutablePointer<AudioUnitParameterValue>
) -> OSStatus {
    guard inScope == kAudioUnitScope_Global else { return kAudioUnitErr_InvalidScope }
    let store = parameters(of: inUnit)
    guard let index = store.index(ofAddress: UInt64(inID)) else { return kAudioUnitErr_InvalidParameter }
    outValue.pointee = store.currentValue(index)
    return noErr
}

private func parameters(of unit: AudioUnit) -> ParameterStore {
    Unmanaged<ParameterStore>.fromOpaque(UnsafeRawPointer(unit)).takeUnretainedValue()
}
