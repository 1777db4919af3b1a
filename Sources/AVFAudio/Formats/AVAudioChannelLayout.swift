public import CoreAudioTypes
public import Foundation

/// Which channel is which loudspeaker.
///
/// Immutable, so that any thread may read it.
open class AVAudioChannelLayout: NSObject, @unchecked Sendable {
    // Unchecked: every stored property is a constant.

    /// The tag of the layout.
    public let layoutTag: AudioChannelLayoutTag
    /// The number of channels.
    public let channelCount: AVAudioChannelCount

    /// The layout of `layoutTag`, whose low 16 bits count its channels; `nil` for a tag that names no number of channels.
    public init?(layoutTag: AudioChannelLayoutTag) {
        let count = layoutTag & 0xFFFF
        guard count > 0 else { return nil }
        self.layoutTag = layoutTag
        channelCount = count
    }

    /// Layouts of the same tag are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? AVAudioChannelLayout)?.layoutTag == layoutTag
    }

    /// Agrees with `isEqual`.
    open override var hash: Int { layoutTag.hashValue }

    /// The layout that a number of channels means where nobody says otherwise: mono, stereo, then the MPEG order.
    static func usual(for channelCount: AVAudioChannelCount) -> AVAudioChannelLayout? {
        let tag: AudioChannelLayoutTag =
            switch channelCount {
            case 1: kAudioChannelLayoutTag_Mono
            case 2: kAudioChannelLayoutTag_Stereo
            case 3: kAudioChannelLayoutTag_MPEG_3_0_A
            case 4: kAudioChannelLayoutTag_Quadraphonic
            case 5: kAudioChannelLayoutTag_MPEG_5_0_A
            case 6: kAudioChannelLayoutTag_MPEG_5_1_A
            case 7: kAudioChannelLayoutTag_MPEG_6_1_A
            case 8: kAudioChannelLayoutTag_MPEG_7_1_A
            default: kAudioChannelLayoutTag_DiscreteInOrder | channelCount
            }
        return AVAudioChannelLayout(layoutTag: tag)
    }
}
