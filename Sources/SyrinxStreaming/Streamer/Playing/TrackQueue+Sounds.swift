/// The selection among the audio tracks of inputs.
extension TrackQueue {
    /// Selects another audio track for items: for the current one, for open ones, and for later ones.
    /// - Parameter id: The item; `nil` means all items.
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
