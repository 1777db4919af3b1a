internal import CoreAudioTypes

/// FFmpeg's names of layouts, with Core Audio's tags for the same channels in the same order.
package enum ChannelLayoutNames {
    private static let tags: [(name: String, tag: AudioChannelLayoutTag)] = [
        ("mono", kAudioChannelLayoutTag_Mono),
        ("stereo", kAudioChannelLayoutTag_Stereo),
        // L R LFE
        ("2.1", 133 << 16 | 3),
        ("3.0", kAudioChannelLayoutTag_MPEG_3_0_A),
        // L R C Cs
        ("4.0", 115 << 16 | 4),
        ("quad", kAudioChannelLayoutTag_Quadraphonic),
        ("quad(side)", kAudioChannelLayoutTag_Quadraphonic),
        ("5.0", kAudioChannelLayoutTag_MPEG_5_0_A),
        ("5.0(side)", kAudioChannelLayoutTag_MPEG_5_0_A),
        ("5.1", kAudioChannelLayoutTag_MPEG_5_1_A),
        ("5.1(side)", kAudioChannelLayoutTag_MPEG_5_1_A),
        ("6.1", kAudioChannelLayoutTag_WAVE_6_1),
        ("7.1", kAudioChannelLayoutTag_WAVE_7_1),
    ]

    /// Returns the layout with this name, or channels in an unknown order for any other name.
    package static func layout(named name: String, channelCount: Int) -> AVAudioChannelLayout? {
        let count = AudioChannelLayoutTag(channelCount)
        let known = tags.first { $0.name == name && $0.tag & 0xFFFF == count }?.tag
        return AVAudioChannelLayout(layoutTag: known ?? kAudioChannelLayoutTag_DiscreteInOrder | count)
    }

    /// FFmpeg's name for a layout in the same order, if it has one.
    package static func name(of layout: AVAudioChannelLayout?) -> String? {
        layout.flatMap { layout in tags.first { $0.tag == layout.layoutTag }?.name }
    }
}
