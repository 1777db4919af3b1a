import Foundation

/// The playback state that a program reports.
public enum MPNowPlayingPlaybackState: UInt, Sendable {
    case unknown = 0
    case playing = 1
    case paused = 2
    case stopped = 3
    case interrupted = 4
}

/// The information about the current item that the desktop displays.
///
/// On first use the program appears on the session bus as an MPRIS player. Without a session bus the information is
/// stored but not displayed. Callable from any thread.
public final class MPNowPlayingInfoCenter: @unchecked Sendable {
    // Unchecked: `lock` guards all mutable state.
    private static let shared = MPNowPlayingInfoCenter()
    private let lock = NSLock()
    private var info: [String: Any]?
    private var reportedState = MPNowPlayingPlaybackState.unknown
    /// The number of recordings so far, which serves as the identity of each.
    private var trackCount = 0

    private init() {}

    /// Returns the information of this program.
    public static func `default`() -> MPNowPlayingInfoCenter { shared }

    /// Information about the current item, with the keys `MPMediaItemProperty…` and `MPNowPlayingInfoProperty…`; `nil`
    /// for none.
    ///
    /// Set it again after each seek. In between, the position is extrapolated from the stated rate.
    ///
    /// ```swift
    /// MPNowPlayingInfoCenter.default().nowPlayingInfo = [
    ///     MPMediaItemPropertyTitle: "Episode 12",
    ///     MPMediaItemPropertyPlaybackDuration: 1_800.0,
    ///     MPNowPlayingInfoPropertyElapsedPlaybackTime: 65.0,
    ///     MPNowPlayingInfoPropertyPlaybackRate: 1.0,
    /// ]
    /// ```
    public var nowPlayingInfo: [String: Any]? {
        get { lock.withLock { info } }
        set {
            lock.withLock {
                if Self.identity(newValue) != Self.identity(info) { trackCount += 1 }
                info = newValue
            }
            report()
        }
    }

    /// The playback state of the program.
    ///
    /// With `unknown`, the default, the state follows from the rate.
    public var playbackState: MPNowPlayingPlaybackState {
        get { lock.withLock { reportedState } }
        set {
            lock.withLock { reportedState = newValue }
            report()
        }
    }

    private static func identity(_ info: [String: Any]?) -> [String] {
        [MPMediaItemPropertyTitle, MPMediaItemPropertyArtist, MPMediaItemPropertyAlbumTitle]
            .map { info?[$0] as? String ?? "" } + [url(info) ?? ""]
    }

    private static func url(_ info: [String: Any]?) -> String? {
        let url = info?[MPNowPlayingInfoPropertyAssetURL] ?? info?[MPMediaItemPropertyAssetURL]
        return (url as? URL)?.absoluteString
    }

    /// Reports the information and the commands to the desktop.
    func report() {
        let (state, position) = lock.withLock { (makeState(), elapsed) }
        MPRemoteCommandCenter.shared().report(state, position: position)
    }

    private var elapsed: Double { info.flatMap { Self.number($0[MPNowPlayingInfoPropertyElapsedPlaybackTime]) } ?? 0 }

    /// Returns a number of any type: a program may give the rate of its player, which is a `Float`, or a whole number.
    private static func number(_ value: Any?) -> Double? {
        switch value {
        case let value as any BinaryFloatingPoint: Double(value)
        case let value as any BinaryInteger: Double(value)
        case let value as NSNumber: value.doubleValue
        default: nil
        }
    }

    private func makeState() -> DesktopPlayerState {
        var state = DesktopPlayerState()
        guard let info else { return state }
        var track = DesktopPlayerState.Track(id: trackCount)
        let isLive = info[MPNowPlayingInfoPropertyIsLiveStream] as? Bool == true
        track.duration = isLive ? nil : Self.number(info[MPMediaItemPropertyPlaybackDuration])
        track.title = info[MPMediaItemPropertyTitle] as? String
        track.artists = (info[MPMediaItemPropertyArtist] as? String).map { [$0] } ?? []
        track.album = info[MPMediaItemPropertyAlbumTitle] as? String
        track.albumArtists = (info[MPMediaItemPropertyAlbumArtist] as? String).map { [$0] } ?? []
        track.genres = (info[MPMediaItemPropertyGenre] as? String).map { [$0] } ?? []
        track.trackNumber = Self.number(info[MPMediaItemPropertyAlbumTrackNumber]).flatMap { Int(exactly: $0) }
        track.url = Self.url(info)
        track.artworkURL = (info[MPMediaItemPropertyArtwork] as? URL)?.absoluteString
        state.track = track
        let rate = Self.number(info[MPNowPlayingInfoPropertyPlaybackRate]) ?? 1
        state.rate = rate == 0 ? Self.number(info[MPNowPlayingInfoPropertyDefaultPlaybackRate]) ?? 1 : rate
        switch reportedState {
        case .playing: state.status = .playing
        case .paused, .interrupted: state.status = .paused
        case .stopped: state.status = .stopped
        case .unknown: state.status = rate == 0 ? .paused : .playing
        }
        return state
    }
}
