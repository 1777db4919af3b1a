import Foundation

/// Validates a request of another program: returns the command to execute, or the error to answer with.
///
/// A pure value. The arguments come from any program of the user, so they may have any type and size.
enum DesktopRequest {
    static let schemes = ["file", "http", "https"]

    /// Returns the command for an MPRIS method; `nil` if the specification requires that it is ignored.
    /// - Parameter track: The current track.
    static func command(
        calling method: String,
        with arguments: [BusValue],
        on track: DesktopPlayerState.Track?
    ) throws(BusFailure) -> DesktopPlayerCommand? {
        switch (method, arguments.first, arguments.dropFirst().first) {
        case ("Raise", nil, nil): return .raise
        case ("Quit", nil, nil): return .quit
        case ("Next", nil, nil): return .next
        case ("Previous", nil, nil): return .previous
        case ("Pause", nil, nil): return .pause
        case ("PlayPause", nil, nil): return .playPause
        case ("Stop", nil, nil): return .stop
        case ("Play", nil, nil): return .play
        case ("Seek", .int64(let offset), nil): return .skip(by: Double(offset) / 1e6)
        case ("SetPosition", .objectPath(let path), .int64(let position)):
            // A call about another track, or beyond the end, is ignored, as specified.
            let time = Double(position) / 1e6
            guard let track, track.path == path, time >= 0, time <= track.duration ?? .infinity else { return nil }
            return .seek(to: time)
        case ("OpenUri", .string(let uri), nil):
            guard let scheme = URL(string: uri)?.scheme?.lowercased(), schemes.contains(scheme) else {
                throw BusFailure(.invalidArguments, "The URI is none of \(schemes.joined(separator: ", ")).")
            }
            return .open(uri)
        case ("Raise", _, _), ("Quit", _, _), ("Next", _, _), ("Previous", _, _), ("Pause", _, _), ("PlayPause", _, _),
            ("Stop", _, _), ("Play", _, _), ("Seek", _, _), ("SetPosition", _, _), ("OpenUri", _, _):
            throw BusFailure(.invalidArguments, "The arguments of \(method) have the wrong types.")
        default: throw BusFailure(.unknownMethod, "There is no method \(method).")
        }
    }

    /// Returns the command for setting a property.
    static func command(setting property: String, to value: BusValue) throws(BusFailure) -> DesktopPlayerCommand {
        switch (property, value) {
        // A rate of 0 is a pause, as specified.
        case ("Rate", .double(0)): return .pause
        case ("Rate", .double(let rate)):
            let range = DesktopPlayerState.rates
            guard range.contains(rate) else {
                throw BusFailure(.invalidArguments, "The rate is not in \(range.lowerBound)…\(range.upperBound).")
            }
            return .rate(rate)
        case ("Volume", .double(let volume)):
            guard volume.isFinite else { throw BusFailure(.invalidArguments, "The volume is not a number.") }
            return .volume(min(max(0, volume), 1))
        case ("Shuffle", .bool(let isShuffled)): return .shuffle(isShuffled)
        case ("LoopStatus", .string(let text)):
            guard let loop = DesktopPlayerState.Loop(rawValue: text) else {
                throw BusFailure(.invalidArguments, "The loop status is none of None, Track, Playlist.")
            }
            return .loop(loop)
        case ("Rate", _), ("Volume", _), ("Shuffle", _), ("LoopStatus", _):
            throw BusFailure(.invalidArguments, "The value of \(property) has the wrong type.")
        default: throw BusFailure(.unknownProperty, "There is no property \(property) that can be set.")
        }
    }
}
