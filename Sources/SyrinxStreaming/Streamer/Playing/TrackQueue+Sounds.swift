/// The choice among the sounds of inputs.
extension TrackQueue {
    /// Has items give another of their sounds from now on: the one that is heard, those that are open, and those after them.
    /// - Parameter id: The item that is meant; `nil` stands for all.
    func setPreference(_ preference: SoundPreference, of id: StreamingItem.ID?) {
        let isMeant = { (item: StreamingItem) in id == nil || item.id == id }
        for track in open {
            guard let item = track.item, isMeant(item) else { continue }
            track.progress.item?.preference = preference
            track.pump?.setPreference(preference)
        }
        items.setPreference(preference, where: isMeant)
    }
}
