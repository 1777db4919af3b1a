import SyrinxListening
import SyrinxTerminal

/// The list of the podcasts.
struct ShowsPage: ListPage {
    var list = ListState()

    static func count(in view: PlayerView) -> Int { view.podcasts.shows.count }

    static func text(of entry: Int, in view: PlayerView) -> String {
        view.podcasts.shows[entry].title + "\n" + (view.podcasts.shows[entry].author ?? "")
    }

    static func isSame(in left: PlayerView, _ right: PlayerView) -> Bool { left.podcasts.shows == right.podcasts.shows }

    mutating func carryOut(_ command: FaceCommand, in view: PlayerView) -> PageAnswer {
        guard let entry = list.selectedEntry else { return .nothing }
        let show = view.podcasts.shows[entry]
        return switch command {
        case .markAllPlayed: .actions([.markAllPlayed(show: show.id)])
        case .refresh: .actions([.refresh(show.id)])
        case .remove: .prompt(Prompt(.confirm("Unsubscribe from “\(show.title)”?", .unsubscribe(show.id))))
        default: .nothing
        }
    }

    func title(in view: PlayerView) -> String { PlayerPage.podcasts.title }

    func emptyText(in view: PlayerView) -> String {
        view.podcasts.isAvailable
            ? "No podcasts yet. Press a to subscribe to the address of a feed." : "The library of podcasts is not open."
    }

    var hints: [KeyHint] {
        [
            ([.face(.activate)], "open"), ([.face(.newEpisodes)], "new"), ([.face(.subscribe)], "subscribe"),
            ([.face(.refresh)], "refresh"), ([.face(.search)], "search"),
        ]
    }

    func row(_ entry: Int, in view: PlayerView, styles: Styles, isWide: Bool) -> ListRow? {
        let show = view.podcasts.shows[entry]
        return ListRow(
            sign: show.failure != nil ? "!" : show.unplayedCount > 0 ? "•" : " ",
            title: show.title,
            detail: show.failure ?? show.author,
            end: show.isRefreshing ? "refreshing…" : "\(show.unplayedCount) new / \(show.episodeCount)",
            style: show.failure == nil ? styles.text : styles.warning,
            isFailed: show.failure != nil
        )
    }
}

/// The list of the episodes of a podcast, of the inbox, or of a search.
struct EpisodesPage: ListPage {
    var list = ListState()

    static func count(in view: PlayerView) -> Int { view.podcasts.episodes.count }

    static func text(of entry: Int, in view: PlayerView) -> String {
        view.podcasts.episodes[entry].title + "\n" + (view.podcasts.episodes[entry].show ?? "")
    }

    static func isSame(in left: PlayerView, _ right: PlayerView) -> Bool {
        left.podcasts.episodes == right.podcasts.episodes
    }

    mutating func carryOut(_ command: FaceCommand, in view: PlayerView) -> PageAnswer {
        if [.filterEpisodes, .reverseEpisodes, .markAllPlayed, .markOlderPlayed].contains(command) {
            return arrange(command, in: view)
        }
        guard let entry = list.selectedEntry else { return .nothing }
        let episode = view.podcasts.episodes[entry]
        let action: PlayerAction? =
            switch command {
            case .activate: .playEpisode(episode.id)
            case .enqueue: .enqueueEpisode(episode.id)
            case .download: .downloadEpisode(episode.id)
            case .remove: episode.download == .none ? nil : .removeDownload(episode.id)
            case .markPlayed: .setEpisodePlayed(episode.id, !episode.isPlayed)
            case .refresh: view.podcasts.openShow.map { .refresh($0) }
            default: nil
            }
        return .actions(action.map { [$0] } ?? [])
    }

    /// Changes which episodes are listed, their order, or the marks of many of them.
    private mutating func arrange(_ command: FaceCommand, in view: PlayerView) -> PageAnswer {
        guard var arrangement = view.podcasts.arrangement else {
            return .message("Episodes that a search found have no filter and no order, and are marked one by one.")
        }
        switch command {
        case .markAllPlayed: return .actions([.markAllPlayed(show: nil)])
        case .markOlderPlayed:
            return .actions(list.selectedEntry.map { [.markOlderPlayed(view.podcasts.episodes[$0].id)] } ?? [])
        case .filterEpisodes: arrangement.filter = arrangement.filter.next
        default: arrangement.isOldestFirst.toggle()
        }
        list = ListState()
        return .actions([.arrangeEpisodes(arrangement)])
    }

    func title(in view: PlayerView) -> String {
        let arrangement = view.podcasts.arrangement
        guard let open = view.podcasts.openShow else { return arrangement?.inboxTitle ?? "Episodes found" }
        let show = view.podcasts.shows.first { $0.id == open }?.title ?? "Episodes"
        return ([show] + (arrangement?.words ?? [])).joined(separator: ", ")
    }

    func emptyText(in view: PlayerView) -> String {
        switch (view.podcasts.arrangement?.filter, view.podcasts.openShow) {
        case (nil, nil): "No episode was found."
        case (.all, nil): "The podcasts have no episodes."
        case (.new, _): "No episode is new. Press F to see others."
        case (.started, _): "No episode was started and not finished. Press F to see others."
        case (.downloaded, _): "No episode is downloaded. Press F to see others."
        default: "The podcast has no episodes."
        }
    }

    var hints: [KeyHint] {
        [
            ([.face(.activate)], "play"), ([.face(.notes)], "notes"), ([.face(.enqueue)], "append"),
            ([.face(.download)], "download"), ([.face(.markPlayed)], "played"), ([.face(.back)], "back"),
        ]
    }

    func row(_ entry: Int, in view: PlayerView, styles: Styles, isWide: Bool) -> ListRow? {
        let episode = view.podcasts.episodes[entry]
        var end = episode.duration.map { ClockTime.text($0) } ?? ""
        if !episode.isPlayed, episode.position > 0, let duration = episode.duration, isWide {
            end = "−" + ClockTime.text(duration - episode.position) + " / " + end
        }
        let file =
            switch episode.download {
            case .none: ""
            case .waiting: "waiting  "
            case .done: "↓  "
            case .failed: "failed  "
            case .running(let fraction):
                fraction.map { "↓ \(FloatText.text(min(max($0, 0), 1) * 100, decimals: 0)) %  " } ?? "↓ …  "
            }
        let detail = [episode.published, episode.show].compactMap(\.self).joined(separator: "  ")
        return ListRow(
            sign: episode.isPlayed ? "✓" : episode.position > 0 ? "◐" : "•",
            title: episode.title,
            detail: detail.isEmpty ? nil : detail,
            end: file + end,
            style: episode.isPlayed ? styles.dim : styles.text
        )
    }
}

extension EpisodeArrangement {
    /// The differences from the usual list of a podcast, for its title.
    fileprivate var words: [String] {
        (filter == .all ? [] : [filter.title.lowercased()]) + (isOldestFirst ? ["oldest first"] : [])
    }

    /// The title of the list of all podcasts.
    fileprivate var inboxTitle: String { "\(filter.title) episodes" + (isOldestFirst ? ", oldest first" : "") }
}
