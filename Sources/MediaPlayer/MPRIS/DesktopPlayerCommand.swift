/// A command from the desktop: a media key, a panel, `playerctl`.
package enum DesktopPlayerCommand: Equatable, Sendable {
    case play
    case pause
    case playPause
    case stop
    case next
    case previous
    /// Skips forward by this number of seconds, or back if negative.
    case skip(by: Double)
    /// Seeks to a time of the current track, in seconds.
    case seek(to: Double)
    case rate(Double)
    case volume(Double)
    case loop(DesktopPlayerState.Loop)
    case shuffle(Bool)
    /// Plays the resource at a URL.
    case open(String)
    case raise
    case quit
}
