/// A command from the desktop: a media key, a panel, `playerctl`.
package enum DesktopPlayerCommand: Equatable, Sendable {
    case play
    case pause
    case playPause
    case stop
    case next
    case previous
    /// Goes this many seconds on, or back.
    case skip(by: Double)
    /// Goes to a time of the current track, in seconds.
    case seek(to: Double)
    case rate(Double)
    case volume(Double)
    case loop(DesktopPlayerState.Loop)
    case shuffle(Bool)
    /// Plays what a URL names.
    case open(String)
    case raise
    case quit
}
