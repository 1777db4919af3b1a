/// The states of playback, as the contract names them.
package enum PlayState: String, Codable, Sendable {
    case opening, buffering, playing, paused, stopped, ended, failed

    /// Whether nothing follows it.
    package var isLast: Bool { self == .ended || self == .stopped || self == .failed }
}
