public import CoreAudioTypes
import Foundation
import Synchronization
public import SyrinxDevice

/// Numbers for devices, for functions and properties that identify a device by a number.
///
/// An addition to Apple's interface, in which the system assigns the numbers. Here a program creates devices itself,
/// with `OutputDevices` or with one of the device types. Callable from any thread.
public enum AudioDeviceNumbers {
    private struct Box {
        weak var output: (any OutputDevice)?
        weak var input: (any InputDevice)?
    }

    private static let boxes = Mutex<[AudioDeviceID: Box]>([:])

    /// A device with a number.
    enum Device {
        case system
        case output(any OutputDevice)
        case input(any InputDevice)
    }

    /// Returns the number of an output: always the same one, above 0.
    ///
    /// It is valid as long as the device, which a unit that plays on it keeps alive.
    public static func number(of device: any OutputDevice) -> AudioDeviceID {
        number(Box(output: device)) { $0.output === device }
    }

    /// Returns the number of an input, as for an output.
    public static func number(of device: any InputDevice) -> AudioDeviceID {
        number(Box(input: device)) { $0.input === device }
    }

    private static func number(_ new: Box, _ isSame: (Box) -> Bool) -> AudioDeviceID {
        boxes.withLock { boxes in
            if let known = boxes.first(where: { isSame($0.value) }) { return known.key }
            let number = (boxes.keys.max() ?? 0) + 1
            boxes[number] = new
            return number
        }
    }

    /// Returns the device with a number; 0 selects the system's default.
    static func device(_ number: AudioDeviceID) throws(AVAudioEngineError) -> Device {
        guard number != kAudioObjectUnknown else { return .system }
        let box = boxes.withLock { $0[number] }
        if let output = box?.output { return .output(output) }
        if let input = box?.input { return .input(input) }
        throw AVAudioEngineError(.noSuchDevice, "There is no device with the number \(number).")
    }
}
