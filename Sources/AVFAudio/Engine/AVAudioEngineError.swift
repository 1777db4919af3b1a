import CoreAudioTypes
public import Foundation
public import SyrinxByteStream

/// An error of the engine.
public struct AVAudioEngineError: Error, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    public typealias Code = ErrorCode

    /// The kind of the failure.
    public let code: Code
    /// One sentence that a person can act on.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message.asSentence
    }

    /// The sentence.
    public var description: String { message }
}

// Codes of the engine.
extension ErrorCode {
    /// A node that does not belong to the engine.
    public static let notAttached = ErrorCode(rawValue: "usage.nodeNotAttached")
    /// Formats that cannot meet at a connection.
    public static let formatMismatch = ErrorCode(rawValue: "usage.formatMismatch")
    /// The connection would create a cycle.
    public static let cycle = ErrorCode(rawValue: "usage.graphCycle")
    /// A node has no bus of that number.
    public static let noSuchBus = ErrorCode(rawValue: "usage.noSuchBus")
    /// The call requires the other rendering mode: manual instead of device, or device instead of manual.
    public static let invalidMode = ErrorCode(rawValue: "usage.invalidMode")
    /// The call is for an engine that does not run.
    public static let initialized = ErrorCode(rawValue: "usage.engineIsRunning")
    /// The call is for an engine that runs.
    public static let notRunning = ErrorCode(rawValue: "usage.engineIsNotRunning")
    /// The call requires a unit with allocated render resources.
    public static let unitUninitialized = ErrorCode(rawValue: "usage.unitIsNotInitialized")
    /// The format is that of the device, and cannot be set.
    public static let formatIsFixed = ErrorCode(rawValue: "usage.formatIsFixed")
    /// No device has the number.
    public static let noSuchDevice = ErrorCode(rawValue: "usage.noSuchDevice")
    /// No registered unit matches the description.
    public static let unknownUnit = ErrorCode(rawValue: "usage.unknownUnit")
}

extension AVAudioEngineError: CustomNSError {
    /// That of Apple's framework.
    public static var errorDomain: String { "com.apple.coreaudio.avfaudio" }

    /// Core Audio's number for the failure: see `AVAudioEngineManualRenderingError`; −50 for one without a number.
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

    /// The sentence.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}
