import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback
import SyrinxPodcastLibrary

/// Performs the actions of the podcasts page that concern the player.
@MainActor
protocol PodcastPageDelegate: AnyObject {
    /// Plays an episode from a position in seconds; `nil` for the stored one.
    func play(episode id: Int64, at time: Double?)
    /// Puts an episode into the queue that plays, as it was put into the library's queue.
    func enqueue(episode id: Int64, _ placement: QueuePlacement)
    /// Goes to a position of what plays, in seconds.
    func jump(to time: Double)
    /// Announces an episode that has been downloaded.
    func announceDownload(_ title: String)
    /// Applies changed settings of a podcast in all windows.
    func settingsChanged(_ settings: ShowSettings, of podcast: Podcast.ID)
}

/// The page of podcasts, beside that of the player.
@MainActor
final class PodcastPage {
    let widgets = PodcastWidgets(Builder(PodcastDescription.content))
    /// The library, which windows share.
    let worker: LibraryWorker
    let control: PlayerControl
    let window: Window
    private let player: PlayingPage
    /// Plays episodes; it owns this object.
    weak var delegate: (any PodcastPageDelegate)?
    private(set) var state = PodcastsState()
    lazy var marker = EpisodeMarker(worker) { [weak self] in self?.handle($0) }
    lazy var files = SubscriptionFiles(worker, widgets.toasts) { [weak self] in self?.handle($0) }
    /// The window of a podcast's settings, and that of a directory, while they are open.
    var settings: ShowSettingsWindow?
    var directory: DirectoryWindow?
    /// The task that reads the lists on the page.
    private var reading: Task<Void, Never>?
    private let artwork: ArtworkStore
    private lazy var shows = ShowList(widgets.showList, artwork) { [weak self] in self?.choose($0) }
    private lazy var episodes = makeEpisodes()
    private lazy var progress = RefreshProgress(widgets.progress)
    private lazy var bar = NowPlayingBar(widgets: widgets.bar)

    /// Creates the page.
    /// - Parameters:
    ///   - worker: The library, which windows share.
    ///   - control: The control of the player.
    ///   - player: The page of the player, whose time is shown below the lists.
    ///   - window: The window that has the actions, and that dialogs belong to.
    init(_ worker: LibraryWorker, _ control: PlayerControl, _ player: PlayingPage, _ window: Window) {
        (self.worker, self.control, self.player, self.window) = (worker, control, player, window)
        artwork = ArtworkStore(worker)
    }

    /// Puts the page beside the player's, and fills the window with both.
    func attach(to player: WindowWidgets) {
        player.header.bar.packStart(widgets.showButton)
        widgets.views.addPage(player.toasts, name: "player")
        widgets.views.addPage(widgets.toasts, name: "podcasts")
        window.setContent(widgets.views)
        worker.listen(self) { [weak self] event in
            guard let self, event != .shown || self.isShown else { return }
            self.handle(event)
        }
        let search = widgets.search
        search.observe("search-changed") { [weak self] in self?.handle(.searched($0.string("text"))) }
        search.observe("stop-search") { $0.set("text", .string("")) }
        search.on("activate") { [weak self] _ in self?.showsEpisodes = true }
        widgets.leaflet.on("notify::folded") { [weak self] _ in self?.showFolding() }
        window.on("notify::is-active") { [weak self] _ in
            // Another program may have changed the library.
            if let self, self.isShown, self.window.bool("is-active") { self.handle(.shown) }
        }
        addActions()
        widgets.status.spinner.turnsWhileMapped()
        showFolding()
        update()
    }

    private func makeEpisodes() -> EpisodesPane {
        let handlers = EpisodesPane.Handlers(
            wish: { [weak self] in self?.carryOut($0, $1) },
            time: { [weak self] in self?.play($1, at: $0) },
            arrangement: { [weak self] in self?.state.arrangement },
            arrange: { [weak self] in
                self?.episodes.closeEpisode()
                self?.handle(.arranged($0))
            },
            open: { [weak self] in self?.openEpisode($0) },
            fail: { [weak self] in self?.handle(.failed($0, $1)) }
        )
        return EpisodesPane(widgets.episodes, window, worker, artwork, handlers)
    }

    /// The episode that the window has open; `nil` for none.
    var playing: Int64? { control.session.episode?.id }

    /// Whether the page is shown, and not the player.
    var isShown: Bool { widgets.views.string("visible-child-name") == "podcasts" }

    /// Shows the page, or the player.
    func show(_ isShown: Bool) {
        widgets.views.set("visible-child-name", .string(isShown ? "podcasts" : "player"))
        guard isShown else {
            reading?.cancel()
            return
        }
        handle(.shown)
        showNowPlaying()
        widgets.showList.grabFocus()
    }

    /// Whether a narrow window shows the episodes, and not the podcasts.
    var showsEpisodes: Bool {
        get { widgets.leaflet.string("visible-child-name") == "episodes" }
        set { widgets.leaflet.set("visible-child-name", .string(newValue ? "episodes" : "podcasts")) }
    }

    private var isFolded: Bool { widgets.leaflet.bool("folded") }

    /// Handles an event, and carries out the resulting actions.
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
            case .toast(let text):
                if isShown { widgets.toasts.addToast(text) } else { control.tell(.warning(text)) }
            case .undoableToast(let text): marker.offerUndo(text, over: widgets.toasts)
            case .announceDownload(let title): delegate?.announceDownload(title)
            case .update: update()
            case .cancelAll:
                worker.forget(self)
                reading?.cancel()
                artwork.cancel()
            }
        }
    }

    // MARK: Going elsewhere

    private func openEpisode(_ index: Int) {
        guard state.episodes.indices.contains(index) else { return }
        episodes.open(state.episodes[index], of: state.scope)
        update()
    }

    /// Goes to a time of an episode, which begins to play if it does not.
    private func play(_ id: Int64, at time: Double) {
        guard playing == id, control.info != nil else {
            delegate?.play(episode: id, at: time)
            return
        }
        delegate?.jump(to: time)
    }

    /// Goes back from an episode to the list and, in a narrow window, from the list to the podcasts.
    func goBack() {
        guard let id = episodes.closeEpisode() else {
            showsEpisodes = false
            return
        }
        update()
        episodes.focus(id)
    }

    /// Shows the new episodes of all podcasts.
    func openInbox() {
        show(true)
        choose(.latest)
    }

    private func choose(_ scope: PodcastsState.Scope) {
        widgets.search.set("text", .string(""))
        episodes.closeEpisode()
        handle(.chosen(scope))
        showsEpisodes = true
    }

    /// Goes back by one step: to the list, to the podcasts, or to the player.
    /// - Returns: Whether the page is shown.
    func leave() -> Bool {
        guard isShown else { return false }
        if episodes.showsEpisode || isFolded && showsEpisodes { goBack() } else { show(false) }
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
        case .lists:
            widgets.pages.set("visible-child-name", .string("lists"))
            shows.show(state)
            selectRow()
            progress.show(state.progressText, state.progressShare)
            episodes.show(state, playing: playing, isFolded: isFolded)
        }
    }

    private func showStatus(_ texts: PageTexts?, icon: String, isBusy: Bool = false, action: String = "") {
        let status = widgets.status
        // Status pages show markup.
        status.page.set("title", .string((texts?.title ?? "").escapedMarkup))
        status.page.set("description", .string((texts?.detail ?? "").escapedMarkup))
        status.page.set("icon-name", .string(icon))
        status.button.set("label", .string(texts?.button ?? ""))
        status.button.isVisible = texts?.button != nil
        if texts?.button != nil { status.button.set("action-name", .string(action)) }
        status.importButton.isVisible = false
        status.spinner.isVisible = isBusy
        widgets.pages.set("visible-child-name", .string("status"))
    }

    private func selectRow() { shows.select(isFolded ? nil : state.scope) }

    private func showFolding() {
        let isFolded = isFolded
        episodes.showFolding(isFolded)
        // The buttons of the window are in one of two header bars.
        widgets.sidebarHeader.set("show-end-title-buttons", .bool(isFolded))
        widgets.episodes.header.set("show-start-title-buttons", .bool(isFolded))
        selectRow()
    }

    /// Shows what plays, below the lists.
    func showNowPlaying() {
        guard isShown else { return }
        bar.show(control.page, control.track)
        showTime()
    }

    /// Shows the time below the lists.
    func showTime() {
        if isShown { bar.showTime(player.position, of: player.duration) }
    }
}
