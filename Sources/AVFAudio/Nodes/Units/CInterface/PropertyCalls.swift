public import CoreAudioTypes
import Foundation

/// Reads a property of a unit.
///
/// Any thread but the render thread. Objects, such as arrays of presets and names, are given to the caller as a reference of its own:
/// a variable of type `NSArray?` or `Unmanaged<CFArray>?` takes it.
/// - Parameters:
///   - inUnit: The unit.
///   - inID: The property.
///   - inScope: The part of the unit: all of it, its inputs or its outputs.
///   - inElement: The bus in that part; 0 for the global scope.
///   - outData: Gets the property.
///   - ioDataSize: The bytes that `outData` has; gets those that were written.
/// - Returns: `noErr`, `kAudioUnitErr_InvalidProperty`, `kAudioUnitErr_InvalidScope`, `kAudioUnitErr_InvalidElement`, or
///   `kAudioUnitErr_InvalidPropertyValue` if there is less room than the property takes.
@discardableResult
public func AudioUnitGetProperty(
    _ inUnit: AudioUnit,
    _ inID: AudioUnitPropertyID,
    _ inScope: AudioUnitScope,
    _ inElement: AudioUnitElement,
    _ outData: UnsafeMutableRawPointer,
    _ ioDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    status {
        ioDataSize.pointee = try UnitInstance.of(inUnit).get(
            inID,
            at: UnitPlace(scope: inScope, element: inElement),
            into: outData,
            byteCount: ioDataSize.pointee
        )
    }
}

/// Writes a property of a unit.
///
/// Any thread but the render thread. Listeners of the property are called before this returns.
/// - Parameters:
///   - inUnit: The unit.
///   - inID: The property.
///   - inScope: The part of the unit: all of it, its inputs or its outputs.
///   - inElement: The bus in that part; 0 for the global scope.
///   - inData: The value.
///   - inDataSize: The bytes of `inData`.
/// - Returns: `noErr`, or as `AudioUnitGetProperty`; `kAudioUnitErr_PropertyNotWritable` for one that is only read, or that the engine
///   of a node decides; `kAudioUnitErr_Initialized` for one that has to be set before `AudioUnitInitialize`;
///   `kAudioUnitErr_FormatNotSupported` for a format that the unit does not take.
@discardableResult
public func AudioUnitSetProperty(
    _ inUnit: AudioUnit,
    _ inID: AudioUnitPropertyID,
    _ inScope: AudioUnitScope,
    _ inElement: AudioUnitElement,
    _ inData: UnsafeRawPointer?,
    _ inDataSize: UInt32
) -> OSStatus {
    status {
        let bytes = UnsafeRawBufferPointer(start: inData, count: inData == nil ? 0 : Int(inDataSize))
        try UnitInstance.of(inUnit).set(inID, at: UnitPlace(scope: inScope, element: inElement), to: bytes)
    }
}

/// Returns how many bytes a property takes, and whether it can be written.
///
/// Any thread but the render thread.
/// - Returns: As `AudioUnitGetProperty`.
@discardableResult
public func AudioUnitGetPropertyInfo(
    _ inUnit: AudioUnit,
    _ inID: AudioUnitPropertyID,
    _ inScope: AudioUnitScope,
    _ inElement: AudioUnitElement,
    _ outDataSize: UnsafeMutablePointer<UInt32>?,
    _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    status {
        let info = try UnitInstance.of(inUnit).info(inID, at: UnitPlace(scope: inScope, element: inElement))
        outDataSize?.pointee = UInt32(clamping: info.byteCount)
        outWritable?.pointee = DarwinBoolean(info.isWritable)
    }
}

/// Has a function called when a property of a unit changes: by `AudioUnitSetProperty`, or, for
/// `kAudioOutputUnitProperty_IsRunning`, when the device starts or stops.
///
/// It is called on the thread that makes the change.
/// - Returns: `noErr`.
@discardableResult
public func AudioUnitAddPropertyListener(
    _ inUnit: AudioUnit,
    _ inID: AudioUnitPropertyID,
    _ inProc: @escaping AudioUnitPropertyListenerProc,
    _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    UnitInstance.of(inUnit).add(UnitInstance.Listener(property: inID, function: inProc, context: inProcUserData))
    return noErr
}

/// Removes a function that was added with the same pointer.
/// - Returns: `noErr`.
@discardableResult
public func AudioUnitRemovePropertyListenerWithUserData(
    _ inUnit: AudioUnit,
    _ inID: AudioUnitPropertyID,
    _ inProc: @escaping AudioUnitPropertyListenerProc,
    _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    UnitInstance.of(inUnit).removeListeners { $0.matches(inID, inProc) && $0.context == inProcUserData }
    return noErr
}

/// Removes a function, whatever pointers it was added with.
/// - Returns: `noErr`.
@discardableResult
public func AudioUnitRemovePropertyListener(
    _ inUnit: AudioUnit,
    _ inID: AudioUnitPropertyID,
    _ inProc: @escaping AudioUnitPropertyListenerProc
) -> OSStatus {
    UnitInstance.of(inUnit).removeListeners { $0.matches(inID, inProc) }
    return noErr
}

/// Runs the body of a call, and returns its failure as a number.
func status(_ body: () throws -> Void) -> OSStatus {
    do {
        try body()
        return noErr
    } catch {
        return UnitStatus(error).code
    }
}
