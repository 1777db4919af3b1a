import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPodcastLibrary

/// The page of podcasts, beside that of the player.
@MainActor
final class PodcastPage {
    /// The player's episodes.
    let worker: LibraryWorker
    /// The task that reads the lists on the page.
    private var reading: Task<Void, Never>?
    let widgets = PodcastWidgets(Builder(PodcastDescription.content))
    private(set) var state = PodcastsState()
    weak var window: PlayerWindow?
    private let artwork: ArtworkStore
    private let views: Widget
    private lazy var shows = ShowList(widgets.showList, artwork) { [weak self] in self?.choose($0) }
    private lazy var bar = NowPlayingBar(widgets: widgets.bar)
    private var menus: EpisodeMenus?
    lazy var marker = EpisodeMarker(worker) { [weak self] in self?.handle($0) }
    lazy var files = SubscriptionFiles(worker, widgets.toasts) { [weak self] in self?.handle($0) }
    private lazy var episodes = EpisodeListView(widgets.episodes) { [weak self] in self?.carryOut($0, $1) }
    private lazy var progress = RefreshProgress(widgets.progress)
    /// The page of an episode, which may be shown in place of the list.
    private lazy var episodePage = EpisodePage(widgets.episodes.episode) { [weak self] in
        self?.carryOut($0, $1)
    } onTime: { [weak self] in
        self?.play($1, at: $0)
    }
    /// The list from which the episode was opened.
    private var episodeScope: PodcastsState.Scope?
    private lazy var description = ShowDescription(widgets.episodes.show, worker)
    /// Tells all windows of settings of a podcast that were changed.
    var didChangeSettings: @MainActor (ShowSettings, Podcast.ID) -> Void = { _, _ in }
    /// The window of a podcast's settings, while it is open.
    var settings: ShowSettingsWindow?

    /// Makes the page.
    /// - Parameter worker: The library, which windows share.
    init(_ worker: LibraryWorker) {
        artwork = ArtworkStore(worker)
        self.worker = worker
        views = widgets.views
    }

    /// Puts the page beside the player's.
    /// - Parameter window: The window, whose content is made already.
    func attach(to window: PlayerWindow) {
        self.window = window
        window.widgets.header.packStart(widgets.showButton)
        views.addPage(window.widgets.toasts, name: "player")
        views.addPage(widgets.toasts, name: "podcasts")
        window.window.setContent(views)
        worker.listen(self) { [weak self] event in
            guard let self, event != .shown || self.isShown else { return }
            self.handle(event)
        }
        menus = EpisodeMenus(widgets.episodes.menus, window.window) { [weak self] in
            self?.state.arrangement
        } onChange: { [weak self] in
            self?.episodePage.close()
            self?.handle(.arranged($0))
        }
        widgets.episodes.list.onActivate { [weak self] index in
            guard let self, self.state.episodes.indices.contains(index) else { return }
            self.openEpisode(self.state.episodes[index])
        }
        let search = widgets.search
        search.observe("search-changed") { [weak self] in self?.handle(.searched($0.string("text"))) }
        search.observe("stop-search") { $0.set("text", .string("")) }
        search.on("activate") { [weak self] _ in self?.showsEpisodes = true }
        widgets.leaflet.on("notify::folded") { [weak self] _ in self?.showFolding() }
        window.window.on("notify::is-active") { [weak self] _ in
            // Another program may have changed the library.
            if let self, self.isShown, self.window?.window.bool("is-active") == true { self.handle(.shown) }
        }
        addActions(to: window)
        for spinner in [widgets.status.spinner, widgets.episodes.spinner] { spinner.turnsWhileMapped() }
        showFolding()
        update()
    }

    /// The episode that the window has open; `nil` for none.
    var playing: Int64? { window?.player.session.episode?.id }

    /// Whether the page is shown, and not the player.
    var isShown: Bool { views.string("visible-child-name") == "podcasts" }

    /// Shows the page, or the player.
    func show(_ isShown: Bool) {
        views.set("visible-child-name", .string(isShown ? "podcasts" : "player"))
        guard isShown else {
            reading?.cancel()
            return
        }
        handle(.shown)
        showNowPlaying()
        widgets.showList.grabFocus()
    }

    /// Whether the episodes are in front where there is no room for both.
    var showsEpisodes: Bool {
        get { widgets.leaflet.string("visible-child-name") == "episodes" }
        set { widgets.leaflet.set("visible-child-name", .string(newValue ? "episodes" : "podcasts")) }
    }

    private var isFolded: Bool { widgets.leaflet.bool("folded") }

    /// Takes an event, and carries out what it leads to.
    func handle(_ event: PodcastsState.Event) {
        for action in state.handle(event) {
            switch action {
            case .read(let scope, let limit):
                reading?.cancel()
                reading = Task { [weak self, worker, arrangement = state.arrangement] in
                    await worker.read(scope, arrangement, limit: limit) { self?.handle($0) }
                }
            case .subscribe(let address): worker.subscribe(address)
            case .refresh(let ids): worker.refresh(ids)
            case .download(let id): worker.download(id)
            case .removeDownload(let id):
                worker.removeDownload(id) { [weak self] in
                    self?.handle(.failed("The download could not be removed", $0))
                }
            case .mark(let marking, let isPlayed): marker.mark(marking, isPlayed: isPlayed)
            case .undoMark: marker.undo()
            case .toast(let text): widgets.toasts.addToast(text)
            case .undoableToast(let text): marker.offerUndo(text, over: widgets.toasts)
            case .announceDownload(let title): window?.tell(.downloaded(title: title))
            case .update: update()
            case .cancelAll:
                worker.forget(self)
                reading?.cancel()
                artwork.cancel()
            }
        }
    }

    /// Shows an episode in place of the list.
    private func openEpisode(_ episode: PodcastEpisode) {
        episodePage.open(episode)
        episodeScope = state.scope
        update()
        Task { [weak self, worker] in
            let found = await worker.use { library throws(PodcastError) in
                let episode = try library.episode(episode.id)
                return ShowNotes(episode.summary, duration: episode.duration)
            }
            guard let self, self.episodePage.episode?.id == episode.id else { return }
            switch found {
            case .success(let notes): self.episodePage.setNotes(notes)
            case .failure(let error): self.handle(.failed("The notes could not be read", PageState.Failure(error)))
            }
        }
    }

    /// Goes to a time of an episode, which begins to play if it does not.
    private func play(_ id: Int64, at time: Double) {
        guard playing == id, let window, window.info != nil else {
            window?.playEpisode(id, at: time)
            return
        }
        window.recording.waveform.handle(.jump(time))
    }

    /// Goes back from an episode to the list, and from the list to the podcasts where there is no room for both.
    func goBack() {
        guard let episode = episodePage.episode else {
            showsEpisodes = false
            return
        }
        episodePage.close()
        update()
        episodes.focus(episode.id)
    }

    /// Shows the new episodes of all podcasts.
    func openInbox() {
        show(true)
        choose(.latest)
    }

    private func choose(_ scope: PodcastsState.Scope) {
        widgets.search.set("text", .string(""))
        episodePage.close()
        handle(.chosen(scope))
        showsEpisodes = true
    }

    /// Goes back by one step: to the list, to the podcasts, or to the player.
    /// - Returns: Whether the page is shown.
    func leave() -> Bool {
        guard isShown else { return false }
        if episodePage.episode != nil || isFolded && showsEpisodes { goBack() } else { show(false) }
        return true
    }

    // MARK: Showing

    /// Shows the state.
    func update() {
        switch state.page {
        case .loading: showStatus(nil, icon: "", isBusy: true)
        case .failed(let texts): showStatus(texts, icon: "dialog-error-symbolic", action: "win.podcasts-again")
        case .empty(let texts):
            showStatus(texts, icon: "syrinx-podcasts-symbolic", isBusy: texts.button == nil, action: "win.podcast-add")
            widgets.status.importButton.isVisible = texts.button != nil
        case .lists: showLists()
        }
    }

    private func showStatus(_ texts: PageTexts?, icon: String, isBusy: Bool = false, action: String = "") {
        let status = widgets.status.page
        // Status pages show markup.
        status.set("title", .string((texts?.title ?? "").escapedMarkup))
        status.set("description", .string((texts?.detail ?? "").escapedMarkup))
        status.set("icon-name", .string(icon))
        let button = widgets.status.button
        button.set("label", .string(texts?.button ?? ""))
        button.isVisible = texts?.button != nil
        if texts?.button != nil { button.set("action-name", .string(action)) }
        widgets.status.importButton.isVisible = false
        widgets.status.spinner.isVisible = isBusy
        widgets.pages.set("visible-child-name", .string("status"))
    }

    private func showLists() {
        widgets.pages.set("visible-child-name", .string("lists"))
        // Another list has been chosen, or words are searched.
        if episodeScope != state.scope { episodePage.close() }
        shows.show(state)
        selectRow()
        progress.show(state.progressText, state.progressShare)
        menus?.show(state)
        description.show(state.show)
        let name: String
        switch state.content {
        case .loading: name = "loading"
        case .empty(let texts):
            name = "empty"
            widgets.episodes.status.set("title", .string(texts.title))
            widgets.episodes.status.set("description", .string(texts.detail.escapedMarkup))
            widgets.episodes.statusButton.set("label", .string(texts.button ?? ""))
            widgets.episodes.statusButton.isVisible = texts.button != nil
        case .episodes:
            name = "episodes"
            description.open(state.show, artwork)
            episodes.show(state, playing: playing)
        }
        // It stays as it was when the list no longer has it.
        if let shown = episodePage.episode {
            let episode = state.episodes.first { $0.id == shown.id } ?? shown
            episodePage.show(episode, isPlaying: episode.id == playing)
        }
        let isEpisode = episodePage.episode != nil
        widgets.episodes.contents.set("visible-child-name", .string(isEpisode ? "episode" : name))
        showBackButton()
    }

    private func showBackButton() {
        let (button, isEpisode) = (widgets.episodes.backButton, episodePage.episode != nil)
        button.isVisible = isFolded || isEpisode
        let label = isEpisode ? "Back to the Episodes" : "Back to the Podcasts"
        button.tooltip = label
        button.setAccessibleLabel(label)
    }

    private func selectRow() { shows.select(isFolded ? nil : state.scope) }

    private func showFolding() {
        let isFolded = isFolded
        showBackButton()
        // The buttons of the window are in one of two header bars.
        widgets.sidebarHeader.set("show-end-title-buttons", .bool(isFolded))
        widgets.episodes.header.set("show-start-title-buttons", .bool(isFolded))
        selectRow()
    }

    /// Shows what plays, below the lists.
    func showNowPlaying() {
        guard let window, isShown else { return }
        bar.show(window)
    }

    /// Shows the time below the lists.
    func showTime() {
        guard let window, isShown else { return }
        bar.showTime(window)
    }
}
