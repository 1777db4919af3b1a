public import CoreAudioTypes
import Foundation
public import SyrinxDevice

/// Starts the device of an output unit, which has to be initialised.
///
/// From then on its thread calls the callbacks of the unit. Any thread but that one.
/// - Returns: `noErr`; `kAudioUnitErr_Uninitialized` before `AudioUnitInitialize`; `kAudioUnitErr_FailedInitialization` (−10875)
///   without a sound device; −80800 for a unit that has no device.
@discardableResult
public func AudioOutputUnitStart(_ ci: AudioUnit) -> OSStatus {
    do {
        try UnitInstance.of(ci).unit.startHardware()
        return noErr
    } catch {
        return UnitStatus(error).code
    }
}

/// Stops the device of an output unit.
///
/// When it returns, no callback runs or is called again; called from a callback, that is so soon after.
/// - Returns: `noErr`.
@discardableResult
public func AudioOutputUnitStop(_ ci: AudioUnit) -> OSStatus {
    UnitInstance.of(ci).unit.stopHardware()
    return noErr
}

extension AUAudioUnit {
    /// The device that an output unit plays on; `nil` is the system's own.
    ///
    /// May be set while it runs: it goes on with the new device, and stops if that fails. An addition to Apple's interface, which has
    /// numbers for devices: see ``AudioDeviceNumbers``. Always `nil` for other units.
    public var outputDevice: (any OutputDevice)? {
        get { (self as? OutputUnit)?.chosenOutput }
        set { try? (self as? OutputUnit)?.choose(output: newValue) }
    }

    /// The device that an output unit records from; `nil` is the system's own.
    ///
    /// As `outputDevice`.
    public var inputDevice: (any InputDevice)? {
        get { (self as? OutputUnit)?.chosenInput }
        set { try? (self as? OutputUnit)?.choose(input: newValue) }
    }
}

extension AVAudioIONode {
    /// The unit of the engine's device, for Core Audio's calls; `nil` for a node without an engine.
    ///
    /// Valid as long as the engine. Both ends of an engine have one unit: element 0 is its output, 1 its input. Its formats are
    /// those of the graph and of the device, and it is started and stopped with the engine; callbacks and connections are refused,
    /// because the engine renders it.
    public var audioUnit: AudioUnit? { engine?.deviceUnit.instance.handle }
}
