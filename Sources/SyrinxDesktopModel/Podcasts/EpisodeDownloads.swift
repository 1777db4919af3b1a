/// The downloads that run, and the effects of events about downloads on the listed episodes.
struct EpisodeDownloads: Sendable, Equatable {
    /// The downloaded fractions 0…1 by episode, if they are known.
    private var running: [Int64: Double?] = [:]
    /// The titles of downloads that were started in this window.
    private var titles: [Int64: String] = [:]
    /// The downloads that are being removed, whose pending events are ignored.
    private var removing: Set<Int64> = []
    /// The downloads that were restarted before their removal was complete.
    private var renewed: Set<Int64> = []

    /// Sets the progress of the running downloads in episodes that were read.
    func show(in episodes: inout [PodcastEpisode]) {
        for index in episodes.indices {
            if let share = running[episodes[index].id] { episodes[index].download = .running(share) }
        }
    }

    /// Processes an event about a download.
    /// - Parameters:
    ///   - event: The event.
    ///   - episodes: The listed episodes.
    ///   - read: The action that reads the list.
    /// - Returns: The actions, in order.
    mutating func handle(
        _ event: PodcastsState.Event,
        _ episodes: inout [PodcastEpisode],
        reading read: PodcastsState.Action
    ) -> [PodcastsState.Action] {
        func set(_ download: PodcastEpisode.Download, of id: Int64) {
            guard let index = episodes.firstIndex(where: { $0.id == id }) else { return }
            episodes[index].download = download
        }
        switch event {
        case .download(let id):
            guard running[id] == nil else { return [] }
            if removing.remove(id) != nil { renewed.insert(id) }
            running[id] = .some(nil)
            titles[id] = episodes.first { $0.id == id }?.title ?? ""
            set(.running(nil), of: id)
            return [.download(id), .update]
        case .downloaded(let id, let share):
            guard !removing.contains(id) else { return [] }
            let share = share.flatMap { $0.isFinite ? $0.clamped(to: 0...1) : nil }
            running[id] = .some(share)
            set(.running(share), of: id)
            return [.update]
        case .downloadEnded(let id, let failure):
            guard !removing.contains(id) else { return [] }
            running[id] = nil
            set(failure.map { .failed($0.message) } ?? .done, of: id)
            guard let title = titles.removeValue(forKey: id) else { return [.update, read] }
            let toast = failure.map { PodcastText.failure($0, "The episode could not be downloaded") }
            return [toast.map { .toast($0) } ?? .announceDownload(title)] + [.update, read]
        case .removeDownload(let id):
            (running[id], titles[id]) = (nil, nil)
            removing.insert(id)
            renewed.remove(id)
            set(.none, of: id)
            return [.removeDownload(id), .update]
        case .downloadRemoved(let id):
            // A download that was restarted meanwhile starts now.
            if renewed.remove(id) == nil { (running[id], titles[id]) = (nil, nil) }
            removing.remove(id)
            return [read]
        default: return []
        }
    }
}
