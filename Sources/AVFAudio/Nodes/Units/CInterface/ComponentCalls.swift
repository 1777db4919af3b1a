public import CoreAudioTypes
public import Foundation

/// Returns the next unit that can be made and whose description matches.
///
/// Those that the program has registered come first, then those of the library. Any thread.
/// - Parameters:
///   - inComponent: The unit after which to look; `nil` to begin.
///   - inDesc: The type, subtype and manufacturer, where 0 is any.
/// - Returns: A unit, or `nil` if there are no more.
public func AudioComponentFindNext(
    _ inComponent: AudioComponent?,
    _ inDesc: UnsafePointer<AudioComponentDescription>
) -> AudioComponent? {
    let pattern = inDesc.pointee
    var components = UnitRegistry.shared.components[...]
    if let inComponent {
        guard let place = components.firstIndex(where: { $0.handle == inComponent }) else { return nil }
        components = components[(place + 1)...]
    }
    return components.first { $0.description.matches(pattern) }?.handle
}

/// Returns the number of units that can be made and whose description matches.
public func AudioComponentCount(_ inDesc: UnsafePointer<AudioComponentDescription>) -> UInt32 {
    let pattern = inDesc.pointee
    return UInt32(clamping: UnitRegistry.shared.components.filter { $0.description.matches(pattern) }.count)
}

/// Gives the name of a unit, as `Manufacturer: Unit`; the reference belongs to the caller.
/// - Returns: `noErr`.
@discardableResult
public func AudioComponentCopyName(
    _ inComponent: AudioComponent,
    _ outName: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus {
    outName.pointee = Unmanaged.passRetained(NSString(string: ComponentRecord.of(inComponent).name))
    return noErr
}

/// Gives the description of a unit.
/// - Returns: `noErr`.
@discardableResult
public func AudioComponentGetDescription(
    _ inComponent: AudioComponent,
    _ outDesc: UnsafeMutablePointer<AudioComponentDescription>
) -> OSStatus {
    outDesc.pointee = ComponentRecord.of(inComponent).description
    return noErr
}

/// Gives the version of a unit: that of its registration, and 1 for those of the library.
/// - Returns: `noErr`.
@discardableResult
public func AudioComponentGetVersion(
    _ inComponent: AudioComponent,
    _ outVersion: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    outVersion.pointee = ComponentRecord.of(inComponent).version
    return noErr
}

/// Makes a unit, which `AudioComponentInstanceDispose` ends.
/// - Returns: `noErr`, or what the unit fails with.
@discardableResult
public func AudioComponentInstanceNew(
    _ inComponent: AudioComponent,
    _ outInstance: UnsafeMutablePointer<AudioComponentInstance?>
) -> OSStatus {
    do {
        outInstance.pointee = UnitInstance.owning(try ComponentRecord.of(inComponent).make())
        return noErr
    } catch {
        return UnitStatus(error).code
    }
}

/// Makes a unit, which `AudioComponentInstanceDispose` ends.
///
/// The handler is called before this returns, on the calling thread, with the unit and `noErr`, or with what the unit fails with.
/// - Parameters:
///   - inComponent: The unit to make.
///   - inOptions: Not looked at: units run in the process.
///   - inCompletionHandler: Given the unit.
public func AudioComponentInstantiate(
    _ inComponent: AudioComponent,
    _ inOptions: AudioComponentInstantiationOptions,
    _ inCompletionHandler: @escaping (AudioComponentInstance?, OSStatus) -> Void
) {
    var instance: AudioComponentInstance?
    let status = AudioComponentInstanceNew(inComponent, &instance)
    inCompletionHandler(instance, status)
}

/// Ends a unit: stops its device, gives back its resources, and frees it.
///
/// Not from within one of its renders.
/// - Returns: `noErr`; `kAudio_ParamError` for the unit of a node, which lives as long as that.
@discardableResult
public func AudioComponentInstanceDispose(_ inInstance: AudioComponentInstance) -> OSStatus {
    UnitInstance.of(inInstance).dispose() ? noErr : kAudio_ParamError
}

/// Returns the component that a unit is one of.
///
/// Valid as long as the unit, and for ever for a component that can be found.
public func AudioComponentInstanceGetComponent(_ inInstance: AudioComponentInstance) -> AudioComponent {
    UnitInstance.of(inInstance).component.handle
}
