import Foundation

extension Streamer {
    /// Goes to a time of the current item, and has that end at another time than before.
    ///
    /// For a part that is repeated: `upcoming` then holds the same input from the start of the part on.
    /// - Parameters:
    ///   - time: The time to go to, in seconds; `nil` is the one that is heard, which is decoded once more.
    ///   - end: The end of the item in seconds; `nil` is that of its input.
    /// - Throws: As `seek(to:)`; the end stays as it was then.
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
