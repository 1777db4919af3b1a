public import AVFAudio
internal import CoreAudioTypes
public import CoreMedia
internal import Foundation

extension AVAudioFormat {
    /// Creates the format of an audio format description; for other descriptions, a format of 0 Hz with 0 channels.
    public convenience init(cmAudioFormatDescription formatDescription: CMAudioFormatDescription) {
        let layout = formatDescription.audioChannelLayout?.withUnsafePointer { AVAudioChannelLayout(layout: $0) }
        self.init(
            describing: formatDescription.audioStreamBasicDescription ?? AudioStreamBasicDescription(),
            layout: layout
        )
        magicCookie = formatDescription.magicCookie
    }

    /// The format as a Core Media format description.
    public var formatDescription: CMAudioFormatDescription {
        CMFormatDescription(
            sound: streamDescription.pointee,
            layout: channelLayout.map { ManagedAudioChannelLayout($0.layout) },
            magicCookie: magicCookie
        )
    }
}
