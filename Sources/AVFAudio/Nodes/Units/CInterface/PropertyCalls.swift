public import CoreAudioTypes
import Foundation

/// Reads a property of a unit.
///
/// Callable from any thread except the render thread. The caller owns returned objects, such as arrays of presets and
/// names. A variable of type `NSArray?` or `Unmanaged<CFArray>?` can receive such an object.
/// - Parameters:
///   - inUnit: The unit.
///   - inID: The property.
///   - inScope: The part of the unit: global, input or output.
///   - inElement: The bus in the scope; 0 in the global scope.
///   - outData: Receives the value.
///   - ioDataSize: The capacity of `outData` in bytes, replaced with the number of bytes written.
/// - Returns: `noErr`, `kAudioUnitErr_InvalidProperty`, `kAudioUnitErr_InvalidScope`, `kAudioUnitErr_InvalidElement`,
///   or `kAudioUnitErr_InvalidPropertyValue` if the capacity is too small.
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

/// Sets a property of a unit.
///
/// Callable from any thread except the render thread. Listeners of the property are called before the function
/// returns.
/// - Parameters:
///   - inUnit: The unit.
///   - inID: The property.
///   - inScope: The part of the unit: global, input or output.
///   - inElement: The bus in the scope; 0 in the global scope.
///   - inData: The value.
///   - inDataSize: The size of the value in bytes.
/// - Returns: `noErr`, or as `AudioUnitGetProperty`; `kAudioUnitErr_PropertyNotWritable` for a read-only property, or
///   one that the engine of a node controls; `kAudioUnitErr_Initialized` for a property that must be set before
///   `AudioUnitInitialize`; `kAudioUnitErr_FormatNotSupported` for an unsupported format.
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

/// Gets the size of a property in bytes, and whether it is writable.
///
/// Callable from any thread except the render thread.
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

/// Adds a function that is called when a property of a unit changes.
///
/// Changes are made by `AudioUnitSetProperty`, or, for `kAudioOutputUnitProperty_IsRunning`, by the start or stop of
/// the device. The function is called on the thread that makes the change.
///
/// `AudioUnitRemovePropertyListenerWithUserData` removes it. The unit does not retain `inProcUserData`.
/// - Returns: `noErr`, even for a property that the unit does not have.
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

/// Removes a function that was added with the same user data pointer.
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

/// Removes a function that was added with any user data pointer.
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
