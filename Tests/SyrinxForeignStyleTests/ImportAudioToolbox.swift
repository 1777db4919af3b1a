import AudioToolbox.AudioFile
import AudioToolbox.ExtendedAudioFile

enum ImportAudioToolbox {
    static func open(_ path: String) -> OSStatus {
        var file: AudioFileID?
        let status = AudioFileOpenURL(URL(fileURLWithPath: path) as CFURL, .readPermission, 0, &file)
        if let file = file { AudioFileClose(file) }
        return status
    }

    /// The calls of units come with the same import.
    static func outputUnitCount() -> UInt32 {
        var description = AudioComponentDescription()
        description.componentType = kAudioUnitType_Output
        description.componentSubType = kAudioUnitSubType_DefaultOutput
        guard let component = AudioComponentFindNext(nil, &description) else { return 0 }
        var unit: AudioUnit?
        guard AudioComponentInstanceNew(component, &unit) == noErr, let made = unit else { return 0 }
        AudioComponentInstanceDispose(made)
        return AudioComponentCount(&description)
    }
}
