import SyrinxPlayback

/// The settings of the current input and their owner.
extension PlayCourse {
    /// The owner of the settings that the listener changes; `nil` if they hold for all inputs without an owner.
    var settingsOwner: SettingsOwner? {
        if let episode { return .podcast(episode.podcast) }
        guard let place = sound.place else { return nil }
        let isLong = item.progress.duration.map { $0 >= KeptPlace.minimumDuration } ?? false
        return place.isFolder || isLong || sound.shows.kept(place) != nil ? .place(place) : nil
    }

    /// The name of that owner for people.
    var settingsOwnerName: String? { episode?.title ?? sound.place?.name }

    /// The name of the podcast, folder or recording whose settings are kept; `nil` if none are.
    var keptFor: String? {
        switch settingsOwner {
        case .podcast(let podcast):
            let own = sound.shows.own(.podcast(podcast))
            return own == own.withoutSound ? nil : settingsOwnerName
        case .place(let place): return sound.shows.kept(place) == nil ? nil : place.name
        case nil: return nil
        }
    }

    /// Brings the sound and the skips to the settings of the current input.
    mutating func adoptSettings() -> [SessionAction] {
        sound.locate(in: queue)
        // The length of a recording is not known before it is open; only long ones have settings.
        let owner = settingsOwner ?? sound.place.map { .place($0) }
        skips = ItemSkips(sound.shows.settings(of: owner))
        return sound.adopt(owner)
    }
}
