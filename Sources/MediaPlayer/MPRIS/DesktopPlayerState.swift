/// The state of a player as desktops see it.
package struct DesktopPlayerState: Equatable, Sendable {
    /// Whether it plays.
    package enum Status: String, Sendable {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    /// The repetition.
    package enum Loop: String, Sendable {
        case none = "None"
        case track = "Track"
        case playlist = "Playlist"
    }

    /// A recording.
    package struct Track: Equatable, Sendable {
        /// A number that identifies this playback of the track.
        package var id: Int
        /// The duration in seconds; `nil` if it is unknown or infinite.
        package var duration: Double?
        package var title: String?
        package var artists: [String] = []
        package var album: String?
        package var albumArtists: [String] = []
        package var genres: [String] = []
        package var trackNumber: Int?
        package var url: String?
        /// The URL of a picture, which is a file.
        package var artworkURL: String?

        package init(id: Int) { self.id = id }
    }

    /// The rates that can be set.
    static let rates = 1.0 / 32...32

    package var status = Status.stopped
    /// The playback rate when it plays.
    package var rate = 1.0
    /// 0…1.
    package var volume = 1.0
    package var loop = Loop.none
    package var isShuffled = false
    package var canGoNext = false
    package var canGoPrevious = false
    package var canSeek = false
    /// The current track; `nil` for none.
    package var track: Track?

    package init() {}
}

extension DesktopPlayerState.Track {
    /// The D-Bus object path of the track.
    var path: String { "/org/syrinx/Track/\(UInt(bitPattern: id))" }

    /// The metadata, in the fields of the MPRIS specification (version 2.2, "Metadata").
    var metadata: [String: BusValue] {
        var fields: [String: BusValue] = ["mpris:trackid": .objectPath(path)]
        fields["mpris:length"] = duration.map { .int64(DesktopPosition.microseconds($0)) }
        fields["mpris:artUrl"] = artworkURL.map(BusValue.string)
        fields["xesam:title"] = title.map(BusValue.string)
        fields["xesam:album"] = album.map(BusValue.string)
        fields["xesam:url"] = url.map(BusValue.string)
        fields["xesam:trackNumber"] = trackNumber.flatMap { Int32(exactly: $0) }.map(BusValue.int32)
        for (name, values) in [
            ("xesam:artist", artists), ("xesam:albumArtist", albumArtists), ("xesam:genre", genres),
        ] where !values.isEmpty {
            fields[name] = .strings(values)
        }
        return fields
    }
}

extension DesktopPlayerState {
    /// The properties of `org.mpris.MediaPlayer2.Player`, but for the position.
    var properties: [String: BusValue] {
        [
            "PlaybackStatus": .string(status.rawValue),
            "LoopStatus": .string(loop.rawValue),
            "Rate": .double(rate),
            "Shuffle": .bool(isShuffled),
            "Metadata": .dictionary(
                track?.metadata ?? ["mpris:trackid": .objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack")]
            ),
            "Volume": .double(volume),
            "MinimumRate": .double(Self.rates.lowerBound),
            "MaximumRate": .double(Self.rates.upperBound),
            "CanGoNext": .bool(canGoNext),
            "CanGoPrevious": .bool(canGoPrevious),
            "CanPlay": .bool(track != nil),
            "CanPause": .bool(track != nil),
            "CanSeek": .bool(canSeek),
            "CanControl": .bool(true),
        ]
    }

    /// Returns the properties whose values differ from those of `old`.
    func changes(from old: DesktopPlayerState) -> [String: BusValue] {
        let before = old.properties
        return properties.filter { before[$0.key] != $0.value }
    }
}

/// The position of a player, which advances with time during playback.
///
/// A pure value.
struct DesktopPosition {
    /// The smallest difference from the extrapolated position that is reported as a jump, in seconds.
    static let tolerance = 0.05

    private var position = 0.0
    private var noted = 0.0
    private var rate = 0.0

    /// Returns the position in seconds at a time of the monotonic clock.
    func value(at now: Double) -> Double { position + max(0, now - noted) * rate }

    /// Records the playback position.
    /// - Parameter rate: The playback rate in seconds per second; 0 while paused.
    /// - Returns: Whether the position has jumped, so that extrapolation from the last one would be wrong.
    mutating func note(_ position: Double, rate: Double, at now: Double) -> Bool {
        let hasJumped = abs(value(at: now) - position) > Self.tolerance
        (self.position, self.rate, noted) = (position, rate, now)
        return hasJumped
    }

    /// Returns microseconds, of any number.
    static func microseconds(_ seconds: Double) -> Int64 {
        let limit = 9e18
        let value = (seconds * 1e6).rounded()
        return value.isNaN ? 0 : Int64(min(max(value, -limit), limit))
    }
}
