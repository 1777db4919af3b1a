/// The title of the recording, a `String`.
public let MPMediaItemPropertyTitle = "title"
/// The performer, a `String`.
public let MPMediaItemPropertyArtist = "artist"
/// The title of the album, a `String`.
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// The performer of the album, a `String`.
public let MPMediaItemPropertyAlbumArtist = "albumArtist"
/// The genre, a `String`.
public let MPMediaItemPropertyGenre = "genre"
/// The number of the track on its album, an `Int`.
public let MPMediaItemPropertyAlbumTrackNumber = "albumTrackNumber"
/// The duration in seconds, a `Double`.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// The URL of the recording, a `URL`.
public let MPMediaItemPropertyAssetURL = "assetURL"
/// The URL of a picture file, a `URL`.
///
/// On Apple's systems the value is an `MPMediaItemArtwork` with an image of UIKit or AppKit.
public let MPMediaItemPropertyArtwork = "artwork"

/// The position when the information was set, in seconds, a `Double`.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime = "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// The playback rate, a `Double`: 0 is a pause; the default is 1.
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"
/// The playback rate of the play command, a `Double`.
public let MPNowPlayingInfoPropertyDefaultPlaybackRate = "MPNowPlayingInfoPropertyDefaultPlaybackRate"
/// Whether the item is a live stream, which has no duration, a `Bool`.
public let MPNowPlayingInfoPropertyIsLiveStream = "MPNowPlayingInfoPropertyIsLiveStream"
/// The URL of the recording, a `URL`.
public let MPNowPlayingInfoPropertyAssetURL = "MPNowPlayingInfoPropertyAssetURL"
