import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPodcastLibrary

/// The part of the page of podcasts beside their list: the episodes of a list, or the page of one of them.
@MainActor
final class EpisodesPane {
    private let widgets: EpisodesWidgets
    private let worker: LibraryWorker
    private let artwork: ArtworkStore
    private let menus: EpisodeMenus
    private let description: ShowDescription
    private let list: EpisodeListView
    /// The page of an episode, which may be shown in place of the list.
    private let page: EpisodePage
    /// The list from which the episode was opened.
    private var scope: PodcastsState.Scope?
    private let onFailure: @MainActor (String, PageState.Failure) -> Void

    /// The handlers for the user's actions.
    struct Handlers {
        /// Receives actions on episodes.
        var wish: @MainActor (EpisodeWish, Int64) -> Void
        /// Receives a time of an episode that was chosen in its notes, in seconds.
        var time: @MainActor (Double, Int64) -> Void
        /// Returns the arrangement of the list that is shown.
        var arrangement: @MainActor () -> EpisodeArrangement?
        /// Receives the arrangement that the listener has chosen.
        var arrange: @MainActor (EpisodeArrangement) -> Void
        /// Receives the index of the episode that the user opens.
        var open: @MainActor (Int) -> Void
        /// Receives the beginning of the sentence about a failure, and the failure.
        var fail: @MainActor (String, PageState.Failure) -> Void
    }

    /// Connects the widgets.
    /// - Parameters:
    ///   - widgets: The widgets of the pane.
    ///   - window: The window that has the actions of the menus.
    ///   - worker: The library.
    ///   - artwork: The pictures of podcasts.
    ///   - handlers: The handlers for the user's actions.
    init(
        _ widgets: EpisodesWidgets,
        _ window: Window,
        _ worker: LibraryWorker,
        _ artwork: ArtworkStore,
        _ handlers: Handlers
    ) {
        (self.widgets, self.worker, self.artwork, onFailure) = (widgets, worker, artwork, handlers.fail)
        menus = EpisodeMenus(widgets.menus, window, current: handlers.arrangement, onChange: handlers.arrange)
        description = ShowDescription(widgets.show, worker)
        list = EpisodeListView(widgets, onWish: handlers.wish)
        page = EpisodePage(widgets.episode, onWish: handlers.wish, onTime: handlers.time)
        widgets.list.onActivate(handlers.open)
        widgets.spinner.turnsWhileMapped()
    }

    /// Whether an episode is shown in place of the list.
    var showsEpisode: Bool { page.episode != nil }

    /// Shows an episode in place of the list.
    /// - Parameter scope: The list.
    func open(_ episode: PodcastEpisode, of scope: PodcastsState.Scope) {
        page.open(episode)
        self.scope = scope
        Task { [weak self, worker] in
            let found = await worker.use { library throws(PodcastError) in
                let episode = try library.episode(episode.id)
                return ShowNotes(episode.summary, duration: episode.duration)
            }
            guard let self, self.page.episode?.id == episode.id else { return }
            switch found {
            case .success(let notes): self.page.setNotes(notes)
            case .failure(let error): self.onFailure("The notes could not be read", PageState.Failure(error))
            }
        }
    }

    /// Ends the page of an episode.
    /// - Returns: The number of the episode; `nil` if there was none.
    @discardableResult
    func closeEpisode() -> Int64? {
        let id = page.episode?.id
        page.close()
        return id
    }

    /// Moves the focus to the row of an episode.
    func focus(_ id: Int64) { list.focus(id) }

    /// Shows the episodes of a list.
    /// - Parameters:
    ///   - state: The state of the page of podcasts.
    ///   - playing: The episode that the window has open; `nil` for none.
    ///   - isFolded: Whether there is no room for the podcasts beside them.
    func show(_ state: PodcastsState, playing: Int64?, isFolded: Bool) {
        // Another list has been chosen, or words are searched.
        if scope != state.scope { page.close() }
        menus.show(state)
        description.show(state.show)
        let name: String
        switch state.content {
        case .loading: name = "loading"
        case .empty(let texts):
            name = "empty"
            widgets.status.set("title", .string(texts.title))
            widgets.status.set("description", .string(texts.detail.escapedMarkup))
            widgets.statusButton.set("label", .string(texts.button ?? ""))
            widgets.statusButton.isVisible = texts.button != nil
        case .episodes:
            name = "episodes"
            description.open(state.show, artwork)
            list.show(state, playing: playing)
        }
        // It stays as it was when the list no longer has it.
        if let shown = page.episode {
            let episode = state.episodes.first { $0.id == shown.id } ?? shown
            page.show(episode, isPlaying: episode.id == playing)
        }
        widgets.contents.set("visible-child-name", .string(showsEpisode ? "episode" : name))
        showFolding(isFolded)
    }

    /// Shows whether there is room for the podcasts beside the episodes.
    func showFolding(_ isFolded: Bool) {
        let button = widgets.backButton
        button.isVisible = isFolded || showsEpisode
        let label = showsEpisode ? "Back to the Episodes" : "Back to the Podcasts"
        button.tooltip = label
        button.setAccessibleLabel(label)
    }
}
