import Foundation
import SyrinxMediaCodec

/// Decides the overlap of two consecutive inputs.
///
/// A pure value.
struct CrossfadeRule {
    /// The properties of an input that the rule needs.
    struct Input {
        var item: StreamingItem
        var info: MediaInfo
    }

    var crossfade: Crossfade

    /// Returns the longest overlap of `last` and `next`, in seconds; 0 is none.
    func duration(from last: Input, to next: Input) -> Double {
        guard crossfade.duration > 0, !isOneRecording(last.item, next.item) else { return 0 }
        guard crossfade.appliesWithinAlbums || !runsOn(last.info, next.info) else { return 0 }
        guard let length = next.info.duration else { return crossfade.duration }
        let end = min(next.item.endTime ?? length, length)
        return min(crossfade.duration, max(0, end - next.item.startTime) / 2)
    }

    /// Returns whether both are parts of the same recording, or the same recording again.
    private func isOneRecording(_ last: StreamingItem, _ next: StreamingItem) -> Bool {
        guard let url = next.input.url else { return last.input == next.input }
        return last.input.url == url
    }

    /// Returns whether the second input is the next track of the first one's album.
    private func runsOn(_ last: MediaInfo, _ next: MediaInfo) -> Bool {
        guard let album = last.tags["album"], !album.isEmpty, next.tags["album"] == album,
            artist(last) == artist(next), number("disc", last) == number("disc", next),
            let before = number("track", last), let track = number("track", next)
        else { return false }
        return before < .max && track == before + 1
    }

    private func artist(_ info: MediaInfo) -> String? { info.tags["album_artist"] ?? info.tags["artist"] }

    /// Returns the number in a tag like `3` or `3/12`.
    private func number(_ key: String, _ info: MediaInfo) -> Int? {
        (info.tags[key] ?? info.tags["\(key)number"]).flatMap { Int($0.prefix { $0.isNumber }) }
    }
}
