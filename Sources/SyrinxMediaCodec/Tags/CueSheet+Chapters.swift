extension CueSheet {
    /// The tracks of a sheet that a recording carries, as its chapters; none if they are of several files.
    /// - Parameter duration: Of the recording, in seconds, if it is known.
    func chapters(duration: Double?) -> [MediaChapter] {
        guard Set(tracks.map(\.location)).count == 1 else { return [] }
        return tracks.map { track in
            MediaChapter(
                start: track.start,
                end: max(track.end ?? duration ?? track.start, track.start),
                title: track.tags["title"]
            )
        }
    }
}
