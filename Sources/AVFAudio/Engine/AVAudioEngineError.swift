import CoreAudioTypes
public import Foundation
public import SyrinxByteStream

/// An error of an engine, a node or a unit.
public struct AVAudioEngineError: Error, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    public typealias Code = ErrorCode

    /// The kind of the failure.
    public let code: Code
    /// A sentence that describes the failure and a remedy.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message.asSentence
    }

    /// The `message`.
    public var description: String { message }
}

// Codes of the engine.
extension ErrorCode {
    /// The node is not attached to the engine.
    public static let notAttached = ErrorCode(rawValue: "usage.nodeNotAttached")
    /// The formats at a connection are incompatible.
    public static let formatMismatch = ErrorCode(rawValue: "usage.formatMismatch")
    /// The connection would create a cycle.
    public static let cycle = ErrorCode(rawValue: "usage.graphCycle")
    /// The node has no bus with this index.
    public static let noSuchBus = ErrorCode(rawValue: "usage.noSuchBus")
    /// The call requires the other rendering mode: manual instead of device, or device instead of manual.
    public static let invalidMode = ErrorCode(rawValue: "usage.invalidMode")
    /// The call requires a stopped engine.
    public static let initialized = ErrorCode(rawValue: "usage.engineIsRunning")
    /// The call requires a running engine.
    public static let notRunning = ErrorCode(rawValue: "usage.engineIsNotRunning")
    /// The call requires a unit with allocated render resources.
    public static let unitUninitialized = ErrorCode(rawValue: "usage.unitIsNotInitialized")
    /// The format is determined by the device and cannot be set.
    public static let formatIsFixed = ErrorCode(rawValue: "usage.formatIsFixed")
    /// No device has this number.
    public static let noSuchDevice = ErrorCode(rawValue: "usage.noSuchDevice")
    /// No registered unit matches the description.
    public static let unknownUnit = ErrorCode(rawValue: "usage.unknownUnit")
}

extension AVAudioEngineError: CustomNSError {
    /// The error domain of Apple's AVFAudio, `com.apple.coreaudio.avfaudio`.
    public static var errorDomain: String { "com.apple.coreaudio.avfaudio" }

    /// Core Audio's code for the failure (see `AVAudioEngineManualRenderingError`), or −50 if there is no such code.
    public var errorCode: Int {
        let status: OSStatus =
            switch code {
            case .invalidMode: AVAudioEngineManualRenderingError.invalidMode.rawValue
            case .initialized: AVAudioEngineManualRenderingError.initialized.rawValue
            case .notRunning: AVAudioEngineManualRenderingError.notRunning.rawValue
            case .formatMismatch: kAudioUnitErr_FormatNotSupported
            case .unitUninitialized: kAudioUnitErr_Uninitialized
            case .formatIsFixed: kAudioUnitErr_PropertyNotWritable
            case .noSuchDevice: kAudioUnitErr_InvalidPropertyValue
            case .unknownUnit: kAudioComponentErr_UnsupportedType
            default: -50
            }
        return Int(status)
    }

    /// The `message`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}
