public import Foundation
public import SyrinxByteStream

/// An error of MIDI files, sequencers, sound banks or instruments.
///
/// An addition to Apple's interface, which reports `OSStatus` numbers of Core Audio.
public struct AVMIDIError: Error, Sendable, CustomStringConvertible, CustomNSError, LocalizedError {
    /// The kind of a failure.
    public typealias Code = ErrorCode

    /// The kind of the failure.
    public let code: Code
    /// A sentence that describes the failure and a remedy.
    public let message: String
    /// The URL of the file, if the failure concerns a file.
    public let url: URL?

    init(_ code: Code, _ message: String, url: URL? = nil) {
        self.code = code
        self.message = message.asSentence
        self.url = url
    }

    /// Returns the same failure with the URL of a file.
    func about(_ url: URL) -> AVMIDIError { AVMIDIError(code, message, url: url) }

    /// The name of the file, if any, and the `message`.
    public var description: String {
        guard let url else { return message }
        return "\(FilePath(url)?.name ?? url.absoluteString): \(message)"
    }

    /// The name of the file, if any, and the `message`.
    public var errorDescription: String? { description }

    /// The domain of Apple's errors of audio.
    public static var errorDomain: String { "com.apple.coreaudio.avfaudio" }

    /// The closest of Core Audio's error codes.
    public var errorCode: Int {
        switch code {
        // kAudioUnitErr_FileNotSpecified, _InvalidFile, _InstrumentTypeNotFound, _FailedInitialization.
        case .fileNotFound, .soundBankMissing: -10_868
        case .notMIDI, .soundBankUnreadable, .instrumentUnsupported: -10_871
        case .noSuchInstrument: -10_872
        case .synthesizerMissing: -10_875
        default: -50
        }
    }

    /// The `message`, under `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

// Codes of MIDI and of instruments.
extension ErrorCode {
    /// The bytes are not a Standard MIDI File.
    public static let notMIDI = ErrorCode(rawValue: "media.notMIDI")
    /// The file exists and must not be replaced.
    public static let fileExists = ErrorCode(rawValue: "file.exists")
    /// FluidSynth, which plays sound banks, is not installed.
    public static let synthesizerMissing = ErrorCode(rawValue: "device.synthesizerMissing")
    /// The program named no sound bank, and none is installed.
    public static let soundBankMissing = ErrorCode(rawValue: "file.soundBankMissing")
    /// The sound bank cannot be read.
    public static let soundBankUnreadable = ErrorCode(rawValue: "media.soundBankUnreadable")
    /// The sound bank has no instrument for this bank and program.
    public static let noSuchInstrument = ErrorCode(rawValue: "media.noSuchInstrument")
    /// The type of the instrument file is not supported.
    public static let instrumentUnsupported = ErrorCode(rawValue: "media.instrumentUnsupported")
}
