import CoreAudioTypes

/// The side of a channel, to which pan applies.
enum ChannelSide {
    case left, right, middle
}

/// The gain from one channel to another where formats differ.
struct ChannelRoute {
    let source: Int
    let target: Int
    let gain: Float
    let side: ChannelSide
}

/// The conversion from one channel layout to another.
///
/// Loudspeakers in both layouts are connected directly. Other channels are mixed into their neighbours with the
/// coefficients of ITU-R BS.775-3, table 2. A centre goes to left and right with 1/√2, and a surround to its side with
/// 1/√2. Mono gets the sides with 1/√2, the centre at full level and the surrounds with ½. LFE is omitted.
///
/// In addition to that recommendation, mono goes to left and right at full level, and stereo to mono as the mean. Two
/// channels without a layout are left and right. Other layouts without loudspeaker names are connected channel by
/// channel.
struct ChannelMatrix {
    private let sources: [ChannelSpeaker]
    private let targets: [ChannelSpeaker]
    private var gains: [[Float]]

    private static let half: Float = 0.5
    private static var root: Float { Float(0.5).squareRoot() }

    init(from source: AVAudioFormat, to target: AVAudioFormat) {
        sources = ChannelSpeaker.order(of: source)
        targets = ChannelSpeaker.order(of: target)
        gains = Array(repeating: Array(repeating: 0, count: targets.count), count: sources.count)
        let isNamed = !(sources + targets).contains(.unknown)
        if isNamed || sources == [.mono] || targets == [.mono] {
            for index in sources.indices { place(index) }
        } else {
            for index in 0..<min(sources.count, targets.count) { gains[index][index] = 1 }
        }
    }

    /// Every route that carries something.
    var routes: [ChannelRoute] {
        sources.indices.flatMap { source in
            targets.indices.compactMap { target in
                let gain = gains[source][target]
                guard gain != 0 else { return nil }
                return ChannelRoute(source: source, target: target, gain: gain, side: side(ofTarget: target))
            }
        }
    }

    /// Whether each channel is connected only to the channel with the same index, at full level.
    var isIdentity: Bool {
        sources.count == targets.count
            && routes.allSatisfy { $0.source == $0.target && $0.gain == 1 } && routes.count == sources.count
    }

    private func side(ofTarget index: Int) -> ChannelSide {
        let speaker = targets[index]
        if speaker == .unknown, targets.count > 1 { return index == 0 ? .left : index == 1 ? .right : .middle }
        return speaker.side
    }

    private mutating func place(_ source: Int) {
        let speaker = sources[source]
        if targets == [.mono] {
            gains[source][0] = monoGain(of: speaker)
        } else if speaker == .mono {
            placeMono(source)
        } else if !give(source, to: [speaker], 1) {
            fold(speaker, of: source)
        }
    }

    /// Connects mono to the centre if it exists, else to left and right, else to every channel.
    private mutating func placeMono(_ source: Int) {
        if targets.count != 2, give(source, to: [.center], 1) { return }
        if give(source, to: [.left, .right], 1) { return }
        for target in targets.indices { gains[source][target] = 1 }
    }

    private func monoGain(of speaker: ChannelSpeaker) -> Float {
        switch speaker {
        case .mono, .center: 1
        case .lowFrequency: sources.count == 1 ? 1 : 0
        case .left, .right: sources.count == 2 ? Self.half : Self.root
        case .leftCenter, .rightCenter, .centerSurround: Self.root
        case .leftSurround, .rightSurround, .rearLeft, .rearRight: Self.half
        case .unknown: 1 / Float(sources.count)
        }
    }

    private mutating func fold(_ speaker: ChannelSpeaker, of source: Int) {
        let root = Self.root
        switch speaker {
        case .center: give(source, to: [.left, .right], root)
        case .leftCenter: if !give(source, to: [.left, .center], root) { give(source, to: [.left], 1) }
        case .rightCenter: if !give(source, to: [.right, .center], root) { give(source, to: [.right], 1) }
        case .leftSurround: surround(source, twin: .rearLeft, front: .left)
        case .rightSurround: surround(source, twin: .rearRight, front: .right)
        case .rearLeft: surround(source, twin: .leftSurround, front: .left)
        case .rearRight: surround(source, twin: .rightSurround, front: .right)
        case .centerSurround:
            if give(source, to: [.rearLeft, .rearRight], root) { return }
            if give(source, to: [.leftSurround, .rightSurround], root) { return }
            give(source, to: [.left, .right], root * root)
        case .left, .right: give(source, to: [.center], root)
        case .mono, .lowFrequency, .unknown: break
        }
    }

    /// Connects a surround channel to its twin at full level if that is free, else to the rear centre, else to the
    /// front.
    private mutating func surround(_ source: Int, twin: ChannelSpeaker, front: ChannelSpeaker) {
        if give(source, to: [twin], sources.contains(twin) ? Self.root : 1) { return }
        if give(source, to: [.centerSurround], Self.root) { return }
        give(source, to: [front], Self.root)
    }

    /// Connects to all of `speakers`, or to none if one of them is not there.
    @discardableResult
    private mutating func give(_ source: Int, to speakers: [ChannelSpeaker], _ gain: Float) -> Bool {
        let places = speakers.compactMap { targets.firstIndex(of: $0) }
        guard places.count == speakers.count else { return false }
        for place in places { gains[source][place] = gain }
        return true
    }
}

/// The direction of a channel.
enum ChannelSpeaker {
    case mono, left, right, center, lowFrequency, leftSurround, rightSurround, leftCenter, rightCenter, centerSurround
    case rearLeft, rearRight
    /// A channel with a number only.
    case unknown

    var side: ChannelSide {
        switch self {
        case .mono, .center, .lowFrequency, .centerSurround, .unknown: .middle
        case .left, .leftSurround, .leftCenter, .rearLeft: .left
        case .right, .rightSurround, .rightCenter, .rearRight: .right
        }
    }

    /// The loudspeakers of `format`, in the order of its channels.
    static func order(of format: AVAudioFormat) -> [ChannelSpeaker] {
        let count = Int(format.channelCount)
        if count == 1 { return [.mono] }
        // Only stereo has known loudspeakers without a layout.
        let usual: [ChannelSpeaker] = count == 2 ? [.left, .right] : []
        let known = format.channelLayout.map { $0.labels.map(ChannelSpeaker.init) } ?? usual
        return known.count == count ? known : Array(repeating: .unknown, count: count)
    }

    private init(_ label: AudioChannelLabel) {
        self =
            switch label {
            case kAudioChannelLabel_Mono: .mono
            case kAudioChannelLabel_Left, kAudioChannelLabel_HeadphonesLeft, kAudioChannelLabel_LeftTotal: .left
            case kAudioChannelLabel_Right, kAudioChannelLabel_HeadphonesRight, kAudioChannelLabel_RightTotal: .right
            case kAudioChannelLabel_Center: .center
            case kAudioChannelLabel_LFEScreen: .lowFrequency
            case kAudioChannelLabel_LeftSurround, kAudioChannelLabel_LeftSideSurround: .leftSurround
            case kAudioChannelLabel_RightSurround, kAudioChannelLabel_RightSideSurround: .rightSurround
            case kAudioChannelLabel_LeftCenter: .leftCenter
            case kAudioChannelLabel_RightCenter: .rightCenter
            case kAudioChannelLabel_CenterSurround: .centerSurround
            case kAudioChannelLabel_RearSurroundLeft: .rearLeft
            case kAudioChannelLabel_RearSurroundRight: .rearRight
            default: .unknown
            }
    }
}

extension AVAudioChannelLayout {
    /// The labels of the channels, in order; empty if only the number of channels is known.
    fileprivate var labels: [AudioChannelLabel] {
        switch layoutTag {
        case kAudioChannelLayoutTag_UseChannelDescriptions:
            layout.descriptions.map(\.mChannelLabel)
        case kAudioChannelLayoutTag_UseChannelBitmap:
            // The bit positions equal the label values, which begin at 1.
            (0..<32).filter { layout.pointee.mChannelBitmap.rawValue >> $0 & 1 != 0 }.map { AudioChannelLabel($0 + 1) }
        case let tag:
            ChannelOrder.labels(of: tag) ?? []
        }
    }
}
