import CoreAudioTypes
import Foundation

/// A failure of one of Core Audio's calls, as its number.
struct UnitStatus: Error, Equatable {
    let code: OSStatus

    init(_ code: OSStatus) { self.code = code }

    /// Creates the status for an error: the error's own code if it is one of Core Audio's, else the closest one.
    init(_ error: any Error) {
        if let status = error as? UnitStatus {
            self = status
            return
        }
        let known = error as NSError
        let isCoreAudio = known.domain == NSOSStatusErrorDomain || known.domain.hasPrefix("com.apple.coreaudio")
        code =
            isCoreAudio
            ? OSStatus(exactly: known.code) ?? kAudioUnitErr_FailedInitialization : kAudioUnitErr_FailedInitialization
    }

    static let invalidProperty = UnitStatus(kAudioUnitErr_InvalidProperty)
    static let invalidScope = UnitStatus(kAudioUnitErr_InvalidScope)
    static let invalidElement = UnitStatus(kAudioUnitErr_InvalidElement)
    static let invalidParameter = UnitStatus(kAudioUnitErr_InvalidParameter)
    static let invalidValue = UnitStatus(kAudioUnitErr_InvalidPropertyValue)
    static let notWritable = UnitStatus(kAudioUnitErr_PropertyNotWritable)
    static let initialized = UnitStatus(kAudioUnitErr_Initialized)
    static let formatNotSupported = UnitStatus(kAudioUnitErr_FormatNotSupported)
    static let wrongContext = UnitStatus(kAudioUnitErr_CannotDoInCurrentContext)
}
