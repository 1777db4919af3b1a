import CoreAudioTypes
public import Foundation

/// An error of the engine.
public struct AVAudioEngineError: Error, Sendable, CustomStringConvertible {
    /// The kind of a failure: a dotted string that never changes its meaning.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The dotted string.
        public let rawValue: String

        /// A code of this dotted string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A node that does not belong to the engine.
        public static let notAttached = Code(rawValue: "usage.nodeNotAttached")
        /// Formats that cannot meet at a connection.
        public static let formatMismatch = Code(rawValue: "usage.formatMismatch")
        /// A connection that would lead back to where it comes from.
        public static let cycle = Code(rawValue: "usage.graphCycle")
        /// A node has no bus of that number.
        public static let noSuchBus = Code(rawValue: "usage.noSuchBus")
        /// The call is for the other manner of rendering: manual, or to a device.
        public static let invalidMode = Code(rawValue: "usage.invalidMode")
        /// The call is for an engine that does not run.
        public static let initialized = Code(rawValue: "usage.engineIsRunning")
        /// The call is for an engine that runs.
        public static let notRunning = Code(rawValue: "usage.engineIsNotRunning")
        /// No unit is known by the description.
        public static let unknownUnit = Code(rawValue: "usage.unknownUnit")
        /// The buffer does not fit: its format, or its capacity.
        public static let badBuffer = Code(rawValue: "usage.badBuffer")
    }

    /// The kind of the failure.
    public let code: Code
    /// One sentence that a person can act on.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The sentence.
    public var description: String { message }
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
            // kAudioUnitErr_FormatNotSupported.
            case .formatMismatch: -10_868
            default: -50
            }
        return Int(status)
    }

    /// The sentence.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}
