import Foundation

extension Streamer {
    /// Seeks in the current item, and changes its end.
    ///
    /// Used to repeat a part: `upcoming` then contains the same input, starting at the part.
    /// - Parameters:
    ///   - time: The target in seconds; `nil` is the playback position, from which the input is decoded again.
    ///   - end: The end of the item in seconds; `nil` is the end of its input.
    /// - Throws: The errors of `seek(to:)`; the end is unchanged then.
    package func seek(to time: TimeInterval?, endingAt end: TimeInterval?) throws {
        try controller.lock.withLock {
            let old = controller.progress.item?.endTime
            controller.tracks.setEnd(end)
            do {
                try seek(to: time ?? currentTime ?? 0)
            } catch {
                controller.tracks.setEnd(old)
                throw error
            }
        }
    }

    /// The lengths in seconds of the items that have been opened ahead of their turn, by their identities.
    package var lengthsAhead: [StreamingItem.ID: TimeInterval] {
        controller.lock.withLock {
            let tracks = controller.tracks.followers + [controller.tracks.preparing].compactMap(\.self)
            let known = tracks.compactMap { track in
                track.item.flatMap { item in (track.preparedInfo ?? track.progress.info)?.duration.map { (item.id, $0) }
                }
            }
            return Dictionary(known) { first, _ in first }
        }
    }
}
