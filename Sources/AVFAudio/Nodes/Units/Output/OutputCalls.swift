public import CoreAudioTypes
import Foundation
public import SyrinxDevice

/// Starts the device of an output unit, which has to be initialised.
///
/// From then on its thread calls the callbacks of the unit. Any thread but that one.
/// - Returns: `noErr`; `kAudioUnitErr_Uninitialized` before `AudioUnitInitialize`;
///   `kAudioUnitErr_FailedInitialization` (−10875) without a sound device; −80800 for a unit that has no device.
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
@discardableResult
public func AudioOutputUnitStop(_ ci: AudioUnit) -> OSStatus {
    UnitInstance.of(ci).unit.stopHardware()
    return noErr
}

extension AUAudioUnit {
    /// The device on which an output unit plays; `nil` selects the system's default.
    ///
    /// You may set it while the unit runs: playback continues on the new device, or stops if the device cannot be
    /// started. An addition to Apple's interface, which identifies devices by numbers: see ``AudioDeviceNumbers``.
    /// Always `nil` for other units.
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
    /// The handle of the unit of the engine's device, for Core Audio functions; `nil` for a node without an engine.
    ///
    /// The handle is valid as long as the engine exists. The input node and the output node share one unit: element 0
    /// is the output, and element 1 is the input. Its formats are those of the graph and of the device, and it starts
    /// and stops with the engine. It rejects callbacks and connections, because the engine renders it.
    public var audioUnit: AudioUnit? { engine?.deviceUnit.instance.handle }
}
