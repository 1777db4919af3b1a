/// The positions of a device's channels, in the order of WAVE.
enum Speaker: Equatable, Sendable {
    case mono, frontLeft, frontRight, frontCenter, lowFrequency, rearLeft, rearRight, rearCenter, sideLeft, sideRight

    /// The speakers that so many channels of WAVE mean where nothing else is said; `nil` over 8.
    static func order(channelCount: Int) -> [Speaker]? {
        switch channelCount {
        case 1: [.mono]
        case 2: [.frontLeft, .frontRight]
        case 3: [.frontLeft, .frontRight, .frontCenter]
        case 4: [.frontLeft, .frontRight, .rearLeft, .rearRight]
        case 5: [.frontLeft, .frontRight, .frontCenter, .rearLeft, .rearRight]
        case 6: [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight]
        case 7: [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearCenter, .sideLeft, .sideRight]
        case 8:
            [
                .frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight, .sideLeft, .sideRight,
            ]
        default: nil
        }
    }
}
