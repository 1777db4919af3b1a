public import Foundation

/// As an `NSError` a device's failure has the domain of Apple's engine, and the number that the engine gives there for the same.
extension DeviceError: CustomNSError {
    /// The domain of the errors of Apple's engine.
    public static var errorDomain: String { "com.apple.coreaudio.avfaudio" }

    /// Core Audio's number for the failure.
    ///
    /// −10875 (`kAudioUnitErr_FailedInitialization`) without a device, which is what `AVAudioEngine.start()` throws on a Mac that
    /// has none. For the other failures Apple's numbers are not known for certain, and the nearest are used:
    /// - −10868 (`kAudioUnitErr_FormatNotSupported`): the device cannot do the format.
    /// - `!dev` (`kAudioHardwareBadDeviceError`): there is no such device.
    /// - `stop` (`kAudioHardwareNotRunningError`): the device went away.
    /// - `wht?` (`kAudioFileUnspecifiedError`): the file cannot be written.
    public var errorCode: Int {
        switch code {
        case .unsupportedFormat: -10_868
        case .deviceNotFound: 0x2164_6576
        case .deviceLost: 0x7374_6F70
        case .deviceWriteFailed: 0x7768_743F
        default: -10_875
        }
    }

    /// The device and the sentence: an error with a number of its own is asked for it here.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}
