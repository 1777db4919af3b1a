/// The speaker positions of a device's channels, in WAVE order.
enum Speaker: Equatable, Sendable {
    case mono, frontLeft, frontRight, frontCenter, lowFrequency, rearLeft, rearRight, rearCenter, sideLeft, sideRight

    /// Returns the default speakers of a WAVE file with this many channels; `nil` for more than 8.
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
