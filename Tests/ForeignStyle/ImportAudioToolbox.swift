import AudioToolbox.AudioFile
import AudioToolbox.ExtendedAudioFile

enum ImportAudioToolbox {
    static func open(_ path: String) -> OSStatus {
        var file: AudioFileID?
        let status = AudioFileOpenURL(URL(fileURLWithPath: path) as CFURL, .readPermission, 0, &file)
        if let file = file { AudioFileClose(file) }
        return status
    }
}
