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
    let widgets = Builder(PodcastDescription.content)
    private(set) var state = PodcastsState()
    weak var window: PlayerWindow?
    private let artwork: ArtworkStore
    private let views: Widget
    private let fixedRows: [(row: ShowRow, title: String, scope: PodcastsState.Scope)]
    private var showRows: [(row: ShowRow, show: PodcastShow, isRefreshing: Bool)] = []
    private var episodeRows: [EpisodeRow] = []
    private var shownScope: PodcastsState.Scope?
    private var shownDay: Date?
    private var isPulsing = false
    /// The page of an episode, which may be shown in place of the list.
    private lazy var episodePage = EpisodePage(widgets) { [weak self] in
        self?.carryOut($0, $1)
    } onTime: { [weak self] in
        self?.play($1, at: $0)
    }
    /// The list from which the episode was opened.
    private var episodeScope: PodcastsState.Scope?
    private lazy var description = ShowDescription(widgets, worker)
    /// Tells all windows of settings of a podcast that were changed.
    var didChangeSettings: @MainActor (ShowSettings, Podcast.ID) -> Void = { _, _ in }
    /// The window of a podcast's settings, while it is open.
    var settings: ShowSettingsWindow?

    /// Makes the page.
    /// - Parameter worker: The library, which windows share.
    init(_ worker: LibraryWorker) {
        artwork = ArtworkStore(worker)
        self.worker = worker
        views = widgets.get("views")
        fixedRows = [
            (ShowRow(icon: "starred-symbolic"), "New Episodes", .latest),
            (ShowRow(icon: "view-list-symbolic"), "Up Next", .queue),
            (ShowRow(icon: "folder-download-symbolic"), "Downloads", .downloads),
        ]
        for (row, title, _) in fixedRows {
            row.show(title)
            widgets.get("showList", ListBox.self).appendRow(row.row)
        }
    }

    /// Puts the page beside the player's.
    /// - Parameter window: The window, whose content is made already.
    func attach(to window: PlayerWindow) {
        self.window = window
        window.widgets.get("header").packStart(widgets.get("showButton"))
        views.addPage(window.widgets.get("toasts"), name: "player")
        views.addPage(widgets.get("toasts"), name: "podcasts")
        window.window.setContent(views)
        worker.listen(self) { [weak self] event in
            guard let self, event != .shown || self.isShown else { return }
            self.handle(event)
        }
        widgets.get("showList", ListBox.self).onActivate { [weak self] in self?.choose($0) }
        widgets.get("episodeList", ListBox.self).onActivate { [weak self] index in
            guard let self, self.state.episodes.indices.contains(index) else { return }
            self.openEpisode(self.state.episodes[index])
        }
        let search = widgets.get("search")
        search.observe("search-changed") { [weak self] in self?.handle(.searched($0.string("text"))) }
        search.observe("stop-search") { $0.set("text", .string("")) }
        search.on("activate") { [weak self] _ in self?.showsEpisodes = true }
        widgets.get("leaflet").on("notify::folded") { [weak self] _ in self?.showFolding() }
        window.window.on("notify::is-active") { [weak self] _ in
            // Another program may have changed the library.
            if let self, self.isShown, self.window?.window.bool("is-active") == true { self.handle(.shown) }
        }
        addActions(to: window)
        for spinner in ["statusSpinner", "listSpinner"] { widgets.get(spinner).turnsWhileMapped() }
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
        widgets.get("showList").grabFocus()
    }

    /// Whether the episodes are in front where there is no room for both.
    var showsEpisodes: Bool {
        get { widgets.get("leaflet").string("visible-child-name") == "episodes" }
        set { widgets.get("leaflet").set("visible-child-name", .string(newValue ? "episodes" : "podcasts")) }
    }

    private var isFolded: Bool { widgets.get("leaflet").bool("folded") }

    /// Takes an event, and carries out what it leads to.
    func handle(_ event: PodcastsState.Event) {
        for action in state.handle(event) {
            switch action {
            case .read(let scope, let limit):
                reading?.cancel()
                reading = Task { [weak self, worker] in
                    await worker.read(scope, limit: limit) { self?.handle($0) }
                }
            case .subscribe(let address): worker.subscribe(address)
            case .refresh(let ids): worker.refresh(ids)
            case .download(let id): worker.download(id)
            case .removeDownload(let id):
                worker.removeDownload(id) { [weak self] in
                    self?.handle(.failed("The download could not be removed", $0))
                }
            case .toast(let text): widgets.get("toasts").addToast(text)
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
        episodeRows.first { $0.episode.id == episode.id }?.row.grabFocus()
    }

    private func choose(_ index: Int) {
        let scopes = fixedRows.map(\.scope) + showRows.map { .show($0.show.id) }
        guard scopes.indices.contains(index) else { return }
        widgets.get("search").set("text", .string(""))
        episodePage.close()
        handle(.chosen(scopes[index]))
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
            widgets.get("importButton").isVisible = texts.button != nil
        case .lists: showLists()
        }
    }

    private func showStatus(_ texts: PageTexts?, icon: String, isBusy: Bool = false, action: String = "") {
        let status = widgets.get("status")
        // Status pages show markup.
        status.set("title", .string((texts?.title ?? "").escapedMarkup))
        status.set("description", .string((texts?.detail ?? "").escapedMarkup))
        status.set("icon-name", .string(icon))
        let button = widgets.get("statusButton")
        button.set("label", .string(texts?.button ?? ""))
        button.isVisible = texts?.button != nil
        if texts?.button != nil { button.set("action-name", .string(action)) }
        widgets.get("importButton").isVisible = false
        widgets.get("statusSpinner").isVisible = isBusy
        widgets.get("pages").set("visible-child-name", .string("status"))
    }

    private func showLists() {
        widgets.get("pages").set("visible-child-name", .string("lists"))
        // Another list has been chosen, or words are searched.
        if episodeScope != state.scope { episodePage.close() }
        showShows()
        showProgress()
        showHeader()
        let name: String
        switch state.content {
        case .loading: name = "loading"
        case .empty(let texts):
            name = "empty"
            widgets.get("listStatus").set("title", .string(texts.title))
            widgets.get("listStatus").set("description", .string(texts.detail.escapedMarkup))
            widgets.get("listButton").set("label", .string(texts.button ?? ""))
            widgets.get("listButton").isVisible = texts.button != nil
        case .episodes:
            name = "episodes"
            showEpisodes()
        }
        // It stays as it was when the list no longer has it.
        if let shown = episodePage.episode {
            let episode = state.episodes.first { $0.id == shown.id } ?? shown
            episodePage.show(episode, isPlaying: episode.id == playing)
        }
        let isEpisode = episodePage.episode != nil
        widgets.get("contents").set("visible-child-name", .string(isEpisode ? "episode" : name))
        showBackButton()
    }

    private func showBackButton() {
        let (button, isEpisode) = (widgets.get("backButton"), episodePage.episode != nil)
        button.isVisible = isFolded || isEpisode
        let label = isEpisode ? "Back to the Episodes" : "Back to the Podcasts"
        button.tooltip = label
        button.setAccessibleLabel(label)
    }

    private func showShows() {
        let list = widgets.get("showList", ListBox.self)
        if showRows.map(\.show.id) != state.shows.map(\.id) {
            for (row, _, _) in showRows { list.remove(row.row) }
            showRows = state.shows.map { show in
                let row = ShowRow(icon: nil)
                artwork.load(show) { row.show($0) }
                return (row, PodcastShow(id: show.id, title: ""), false)
            }
            for (row, _, _) in showRows { list.appendRow(row.row) }
        }
        for (index, show) in state.shows.enumerated() {
            let isRefreshing = state.refreshing.contains(show.id)
            guard showRows[index].show != show || showRows[index].isRefreshing != isRefreshing else { continue }
            (showRows[index].show, showRows[index].isRefreshing) = (show, isRefreshing)
            let detail = PodcastText.detail(show, isRefreshing: isRefreshing)
            showRows[index].row.show(show.title, detail: detail, count: show.unplayedCount)
            artwork.load(show) { [row = showRows[index].row] in row.show($0) }
        }
        selectRow()
    }

    private func selectRow() {
        let scopes = fixedRows.map(\.scope) + showRows.map { .show($0.show.id) }
        let rows = fixedRows.map(\.row.row) + showRows.map(\.row.row)
        let index = isFolded ? nil : scopes.firstIndex(of: state.scope)
        widgets.get("showList", ListBox.self).select(index.map { rows[$0] })
    }

    private func showProgress() {
        widgets.get("progressRevealer").set("reveal-child", .bool(state.progressText != nil))
        if let text = state.progressText { widgets.get("progressLabel").set("label", .string(text)) }
        let bar = widgets.get("progressBar")
        if let share = state.progressShare { bar.showProgress(share) }
        guard state.progressText != nil, state.progressShare == nil, !isPulsing else { return }
        isPulsing = true
        repeatEvery(milliseconds: 120) { [weak self] in
            guard let self else { return false }
            self.isPulsing = self.state.progressText != nil && self.state.progressShare == nil
            if self.isPulsing { bar.showProgress(nil) }
            return self.isPulsing
        }
    }

    private func showHeader() {
        let show = state.show
        widgets.get("episodesHeaderTitle").set("title", .string(state.title))
        widgets.get("showMenuButton").isVisible = show != nil
        widgets.get("showHeader").isVisible = show != nil
        guard let show else { return }
        widgets.get("showTitle").set("label", .string(show.title))
        let counts = "\(PodcastText.count(show.episodeCount, "episode")), \(show.unplayedCount) not played"
        let detail = [show.author ?? "", counts].filter { !$0.isEmpty }.joined(separator: "\n")
        widgets.get("showDetail").set("label", .string(detail))
        widgets.get("showFailure").isVisible = show.failure != nil
        let failure = show.failure.map { "The last refresh failed: \($0)" } ?? ""
        widgets.get("showFailure").set("label", .string(failure))
    }

    private func showEpisodes() {
        let list = widgets.get("episodeList", ListBox.self)
        if shownScope != state.scope {
            widgets.get("episodeScroller").scrollToStart()
            let picture = widgets.get("showPicture")
            picture.set("paintable", .object(nil))
            artwork.load(state.show) { [weak self, scope = state.scope] texture in
                if self?.state.scope == scope { picture.set("paintable", .object(texture)) }
            }
            shownScope = state.scope
            description.read(state.show?.id)
        }
        let ids = state.episodes.map(\.id)
        // Rows that stay are kept: the focus and the place of the list stay with them.
        let common = zip(episodeRows, ids).prefix { $0.episode.id == $1 }.count
        for row in episodeRows[common...] { list.remove(row.row) }
        episodeRows.removeSubrange(common...)
        for episode in state.episodes[common...] {
            let row = EpisodeRow(episode) { [weak self] in self?.carryOut($0, $1) }
            list.appendRow(row.row)
            episodeRows.append(row)
        }
        // "Today" becomes "Yesterday" in all rows.
        let today = Calendar.current.startOfDay(for: Date())
        let isForced = today != shownDay
        shownDay = today
        for (row, episode) in zip(episodeRows, state.episodes) {
            row.show(episode, isPlaying: episode.id == playing, isForced: isForced)
        }
        widgets.get("moreButton").isVisible = state.hasMore && state.episodes.count < PodcastsState.maximumCount
    }

    private func showFolding() {
        let isFolded = isFolded
        showBackButton()
        // The buttons of the window are in one of two header bars.
        widgets.get("sidebarHeader").set("show-end-title-buttons", .bool(isFolded))
        widgets.get("episodesHeader").set("show-start-title-buttons", .bool(isFolded))
        selectRow()
    }

    /// Shows what plays, below the lists.
    func showNowPlaying() {
        guard let window, isShown else { return }
        let isPlayer = window.page.page != .empty
        widgets.get("barRevealer").set("reveal-child", .bool(isPlayer))
        guard isPlayer else { return }
        let button = widgets.get("barPlay")
        let isPause = window.page.showsPause
        button.set("icon-name", .string(isPause ? "media-playback-pause-symbolic" : "media-playback-start-symbolic"))
        button.tooltip = isPause ? "Pause" : "Play"
        button.setAccessibleLabel(isPause ? "Pause" : "Play")
        let title = window.page.waitingText ?? window.page.texts?.title ?? window.trackTitle
        widgets.get("barTitle").set("label", .string(title))
        showTime()
    }

    /// Shows the time below the lists.
    func showTime() {
        guard let window, isShown else { return }
        let time = TimeText.clock(window.recording.waveform.position, of: window.duration)
        let total = window.duration.map { " / " + TimeText.clock($0) } ?? ""
        widgets.get("barTime").set("label", .string(time + total))
    }
}
