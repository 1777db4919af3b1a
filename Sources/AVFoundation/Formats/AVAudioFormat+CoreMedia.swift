public import AVFAudio
internal import CoreAudioTypes
public import CoreMedia
internal import Foundation

extension AVAudioFormat {
    /// The format of a description of sound; of another description a format of 0 Hz and 0 channels.
    public convenience init(cmAudioFormatDescription formatDescription: CMAudioFormatDescription) {
        let layout = formatDescription.audioChannelLayout?.withUnsafePointer { AVAudioChannelLayout(layout: $0) }
        self.init(
            describing: formatDescription.audioStreamBasicDescription ?? AudioStreamBasicDescription(),
            layout: layout
        )
        magicCookie = formatDescription.magicCookie
    }

    /// The format in the words of Core Media.
    public var formatDescription: CMAudioFormatDescription {
        CMFormatDescription(
            sound: streamDescription.pointee,
            layout: channelLayout.map { ManagedAudioChannelLayout($0.layout) },
            magicCookie: magicCookie
        )
    }
}
