public import CoreAudioTypes
public import Foundation

/// Returns the next available component that matches a description.
///
/// Components registered by the program precede the built-in ones. Callable from any thread.
///
/// ```swift
/// var pattern = AudioComponentDescription()
/// pattern.componentType = kAudioUnitType_Effect
/// var component = AudioComponentFindNext(nil, &pattern)
/// while let found = component {
///     var name: Unmanaged<CFString>?
///     AudioComponentCopyName(found, &name)
///     if let name { print(name.takeRetainedValue()) }
///     component = AudioComponentFindNext(found, &pattern)
/// }
/// ```
/// - Parameters:
///   - inComponent: The previous component; `nil` starts the search.
///   - inDesc: The type, subtype and manufacturer, in which 0 matches any value.
/// - Returns: A component, or `nil` after the last one.
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

/// Returns the number of available components that match a description.
public func AudioComponentCount(_ inDesc: UnsafePointer<AudioComponentDescription>) -> UInt32 {
    let pattern = inDesc.pointee
    return UInt32(clamping: UnitRegistry.shared.components.filter { $0.description.matches(pattern) }.count)
}

/// Gets the name of a component as `Manufacturer: Unit`.
///
/// The caller has to release the reference.
@discardableResult
public func AudioComponentCopyName(
    _ inComponent: AudioComponent,
    _ outName: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus {
    outName.pointee = Unmanaged.passRetained(NSString(string: ComponentRecord.of(inComponent).name))
    return noErr
}

/// Gets the description of a component.
@discardableResult
public func AudioComponentGetDescription(
    _ inComponent: AudioComponent,
    _ outDesc: UnsafeMutablePointer<AudioComponentDescription>
) -> OSStatus {
    outDesc.pointee = ComponentRecord.of(inComponent).description
    return noErr
}

/// Gets the version of a component: the registered version, or 1 for built-in components.
@discardableResult
public func AudioComponentGetVersion(
    _ inComponent: AudioComponent,
    _ outVersion: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    outVersion.pointee = ComponentRecord.of(inComponent).version
    return noErr
}

/// Creates a unit, which you free with `AudioComponentInstanceDispose`.
/// - Returns: `noErr`, or the error of the unit's initializer.
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

/// Creates a unit, which you free with `AudioComponentInstanceDispose`.
///
/// The handler is called on the calling thread before the function returns.
/// - Parameters:
///   - inComponent: The component of the unit.
///   - inOptions: Ignored: all units run in the process of the program.
///   - inCompletionHandler: Receives the unit and `noErr`, or `nil` and the error of the unit's initializer.
public func AudioComponentInstantiate(
    _ inComponent: AudioComponent,
    _ inOptions: AudioComponentInstantiationOptions,
    _ inCompletionHandler: @escaping (AudioComponentInstance?, OSStatus) -> Void
) {
    var instance: AudioComponentInstance?
    let status = AudioComponentInstanceNew(inComponent, &instance)
    inCompletionHandler(instance, status)
}

/// Disposes of a unit: stops its device, frees its resources, and frees the unit.
///
/// Do not call it from one of the unit's renders.
/// - Returns: `noErr`, or `kAudio_ParamError` for the unit of a node, which the node owns.
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
