import SyrinxListening
import SyrinxTerminal

/// Processes commands about podcasts and episodes.
extension PlayerScreen {
    /// Shows the new episodes of all podcasts.
    mutating func openInbox() -> [PlayerAction] {
        (showsEpisodes, showsNotes) = (true, false)
        lists[.episodes] = ListState()
        return [.openInbox]
    }

    /// Changes which episodes are listed, their order, or the marks of many of them.
    mutating func actOnEpisodes(_ command: FaceCommand, _ id: ListID, in view: PlayerView) -> [PlayerAction] {
        if id == .shows, command == .markAllPlayed {
            guard let entry = lists[.shows].selectedEntry else { return [] }
            return [.markAllPlayed(show: view.podcasts.shows[entry].id)]
        }
        guard id == .episodes else { return [] }
        guard var arrangement = view.podcasts.arrangement else {
            show("Episodes that a search found have no filter and no order, and are marked one by one.", at: view.now)
            return []
        }
        switch command {
        case .filterEpisodes: arrangement.filter = arrangement.filter.next
        case .reverseEpisodes: arrangement.isOldestFirst.toggle()
        case .markAllPlayed: return [.markAllPlayed(show: nil)]
        case .markOlderPlayed:
            return lists[.episodes].selectedEntry.map { [.markOlderPlayed(view.podcasts.episodes[$0].id)] } ?? []
        default: return []
        }
        lists[.episodes] = ListState()
        return [.arrangeEpisodes(arrangement)]
    }

    /// Shows the notes of the selected episode or podcast; on other pages, those of the current episode.
    mutating func openNotes(in view: PlayerView) -> [PlayerAction] {
        let subject: NotesView.Subject
        switch listID {
        case .notes: return []
        case .episodes:
            guard let entry = lists[.episodes].selectedEntry else { return [] }
            subject = .episode(view.podcasts.episodes[entry].id)
        case .shows:
            guard let entry = lists[.shows].selectedEntry else { return [] }
            subject = .show(view.podcasts.shows[entry].id)
        default: subject = .playing
        }
        page = .podcasts
        showsNotes = true
        lists[.notes] = ListState()
        return [.readNotes(subject)]
    }

    mutating func actOnShow(_ show: PodcastsView.Show, _ command: FaceCommand) -> [PlayerAction] {
        switch command {
        case .activate:
            showsEpisodes = true
            lists[.episodes] = ListState()
            return [.openShow(show.id)]
        case .refresh: return [.refresh(show.id)]
        case .remove:
            prompt = Prompt(.confirm("Unsubscribe from “\(show.title)”?", .unsubscribe(show.id)))
            return []
        default: return []
        }
    }

    func actOnEpisode(
        _ episode: PodcastsView.Episode,
        _ command: FaceCommand,
        in view: PlayerView
    ) -> [PlayerAction] {
        switch command {
        case .activate: return [.playEpisode(episode.id)]
        case .enqueue: return [.enqueueEpisode(episode.id)]
        case .download: return [.downloadEpisode(episode.id)]
        case .remove: return episode.download == .none ? [] : [.removeDownload(episode.id)]
        case .markPlayed: return [.setEpisodePlayed(episode.id, !episode.isPlayed)]
        case .refresh: return view.podcasts.openShow.map { [.refresh($0)] } ?? []
        default: return []
        }
    }
}
