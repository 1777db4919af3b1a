public import Foundation

/// As an `NSError`, a device error has the domain and the number that Apple's audio engine uses for the same failure.
extension DeviceError: CustomNSError {
    /// The error domain of Apple's audio engine.
    public static var errorDomain: String { "com.apple.coreaudio.avfaudio" }

    /// The Core Audio error number.
    ///
    /// If there is no device, the number is −10875 (`kAudioUnitErr_FailedInitialization`), which
    /// `AVAudioEngine.start()` throws on a Mac without a device. For other failures, Apple's numbers are undocumented,
    /// and the nearest are used:
    /// - −10868 (`kAudioUnitErr_FormatNotSupported`): The device does not support the format.
    /// - `!dev` (`kAudioHardwareBadDeviceError`): The device does not exist.
    /// - `stop` (`kAudioHardwareNotRunningError`): The device was lost.
    /// - `wht?` (`kAudioFileUnspecifiedError`): The file cannot be written.
    public var errorCode: Int {
        switch code {
        case .unsupportedFormat: -10_868
        case .deviceNotFound: 0x2164_6576
        case .deviceLost: 0x7374_6F70
        case .deviceWriteFailed: 0x7768_743F
        default: -10_875
        }
    }

    /// The localized description, which `NSError` reads from here for an error with its own number.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}
