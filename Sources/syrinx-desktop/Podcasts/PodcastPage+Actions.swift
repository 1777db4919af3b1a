import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback
import SyrinxPodcastLibrary

extension PodcastPage {
    func addActions() {
        func add(_ name: String, _ action: @escaping @MainActor (PodcastPage) -> Void) {
            window.addAction(name) { [weak self] in self.map(action) }
        }
        add("podcasts") { $0.show(!$0.isShown) }
        add("player") { $0.show(false) }
        add("podcasts-again") { $0.handle(.shown) }
        add("podcast-back") { $0.goBack() }
        add("podcast-add") { $0.askForFeed() }
        add("podcast-directory") { $0.searchDirectory() }
        add("podcast-refresh") { page in if page.isShown { page.handle(.refresh(nil)) } }
        add("podcast-refresh-list") { $0.handle(.refresh($0.state.show?.id)) }
        add("podcast-more") { $0.handle(.more) }
        add("podcast-inbox") { $0.openInbox() }
        add("podcast-mark-all") { $0.handle(.markAll) }
        add("podcast-undo-mark") { $0.handle(.undoMark) }
        add("podcast-settings") { $0.askForSettings() }
        add("podcast-unsubscribe") { $0.askToUnsubscribe() }
        add("podcast-import") { $0.files.importSubscriptions($0.window) }
        add("podcast-export") { $0.files.exportSubscriptions($0.window) }
        add("podcast-search") { page in
            page.show(true)
            page.showsEpisodes = false
            page.widgets.search.grabFocus()
        }
    }

    /// Performs an action on an episode.
    func carryOut(_ wish: EpisodeWish, _ id: Int64) {
        switch wish {
        case .play: if playing == id { show(false) } else { delegate?.play(episode: id, at: nil) }
        case .download: handle(.download(id))
        case .removeDownload: handle(.removeDownload(id))
        case .first:
            change("The queue could not be changed") { library throws(PodcastError) in
                try library.enqueue([id], at: .first)
            }
            delegate?.enqueue(episode: id, .next)
        case .last:
            change("The queue could not be changed") { library throws(PodcastError) in
                try library.enqueue([id])
            }
            delegate?.enqueue(episode: id, .last)
        case .dequeue:
            change("The queue could not be changed") { library throws(PodcastError) in try library.dequeue(id) }
        case .played, .unplayed: handle(.mark(id, isPlayed: wish == .played))
        case .older: handle(.markOlder(id))
        }
    }

    /// Shows the search in the directory of the user's settings, or says how to set one.
    private func searchDirectory() {
        show(true)
        guard let setting = DirectorySetting.ofUser.directory else {
            return handle(.failed("No directory is searched", PageState.Failure(noDirectory: DirectorySetting.key)))
        }
        directory = DirectoryWindow(setting, parent: window) { [weak self] in
            self?.handle(.subscribe($0))
        } didClose: { [weak self] in
            self?.directory = nil
        }
    }

    /// Asks for a feed to subscribe to.
    /// - Parameter address: The address that is proposed.
    func askForFeed(_ address: String = "") {
        show(true)
        PodcastDialogs.askForFeed(window, address) { [weak self] in self?.handle(.subscribe($0)) }
    }

    private func askToUnsubscribe() {
        guard let podcast = state.show else { return }
        PodcastDialogs.askToUnsubscribe(from: podcast, window) { [weak self] in
            self?.change("The subscription could not be ended") { library throws(PodcastError) in
                try library.unsubscribe(podcast.id)
            }
            self?.showsEpisodes = false
        }
    }

    /// Shows the settings of the podcast whose episodes are listed.
    private func askForSettings() {
        guard let podcast = state.show else { return }
        Task { [weak self] in
            let result = await self?.worker.use { library throws(PodcastError) in try library.settings(of: podcast.id) }
            guard let self else { return }
            switch result {
            case .success(let settings):
                let usual = self.control.session.generalSettings
                let form = ShowSettingsForm(settings, usual: usual, presets: ShowSettingsWindow.presets)
                self.settings = ShowSettingsWindow(form, title: podcast.title, parent: self.window) { [weak self] in
                    self?.keep($0, of: podcast.id)
                } didClose: { [weak self] in
                    self?.settings = nil
                }
            case .failure(let error):
                self.handle(.failed("The settings could not be read", PageState.Failure(error)))
            case nil: break
            }
        }
    }

    /// Changes the library.
    /// - Parameter action: The beginning of the sentence about a failure.
    private func change(_ action: String, _ body: @escaping @Sendable (PodcastLibrary) throws(PodcastError) -> Void) {
        worker.change(body) { [weak self] in self?.handle(.failed(action, $0)) }
    }

    private func keep(_ settings: ShowSettings, of podcast: Int64) {
        delegate?.settingsChanged(settings, of: podcast)
        change("The settings could not be kept") { library throws(PodcastError) in
            try library.setSettings(settings, of: podcast)
        }
    }
}

extension PageState.Failure {
    /// The failure of a search for podcasts without a directory.
    fileprivate init(noDirectory key: String) {
        self.init(
            code: "usage.noDirectory",
            message: "Set one in config.toml: below [\(DirectorySetting.table)], \(key) = \"gpodder.net\"."
        )
    }
}
