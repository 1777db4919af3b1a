package import SyrinxStreaming

extension PlayState {
    /// The streamer's status in the words of the contract.
    package init(_ status: PlaybackStatus) {
        switch status {
        case .opening: self = .opening
        case .buffering: self = .buffering
        case .playing: self = .playing
        case .paused: self = .paused
        case .stopped: self = .stopped
        case .ended: self = .ended
        case .failed: self = .failed
        }
    }
}
