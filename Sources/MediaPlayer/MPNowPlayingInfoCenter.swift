import Foundation

/// The playback state of a program, as it reports it.
public enum MPNowPlayingPlaybackState: UInt, Sendable {
    case unknown = 0
    case playing = 1
    case paused = 2
    case stopped = 3
    case interrupted = 4
}

/// The recording that a program plays, as the desktop shows it.
///
/// It is offered on the session bus as a player of the MPRIS specification from the first use on; without a session bus the
/// information is kept and not shown. Any thread may use it.
public final class MPNowPlayingInfoCenter: @unchecked Sendable {
    // Unchecked: what changes is touched under `lock` only.
    private static let shared = MPNowPlayingInfoCenter()
    private let lock = NSLock()
    private var info: [String: Any]?
    private var reportedState = MPNowPlayingPlaybackState.unknown
    /// The number of recordings so far, which tells them apart.
    private var trackCount = 0

    private init() {}

    /// Returns the information of this program.
    public static func `default`() -> MPNowPlayingInfoCenter { shared }

    /// The recording that plays, by the keys `MPMediaItemProperty…` and `MPNowPlayingInfoProperty…`; `nil` if there is none.
    ///
    /// Set it again at each jump: between them the position goes on at the rate that is stated.
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

    /// The state of the program; `unknown`, the default, has the rate tell.
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
