extension CueSheet {
    /// Returns the tracks of an embedded sheet as chapters; none if the sheet names several files.
    /// - Parameter duration: The duration of the recording in seconds, if it is known.
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
