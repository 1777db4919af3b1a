import MediaPlayer

/// Whether a session offers its player on the desktop's session bus.
enum DesktopUse {
    case none
    /// Gives no warning where the bus cannot be used: an address of a session that has ended is common in remote shells.
    case ifAvailable
    /// Warns where the bus cannot be used.
    case required

    /// - Parameters:
    ///   - flag: `--mpris` or `--no-mpris`; `nil` if neither is given.
    ///   - isHeard: Whether the output is a device.
    init(flag: Bool?, isHeard: Bool) {
        switch flag {
        case .some(let isWanted): self = isWanted ? .required : .none
        case nil: self = isHeard && DesktopPlayer.hasSessionBus ? .ifAvailable : .none
        }
    }
}
