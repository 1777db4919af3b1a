import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback
import SyrinxPodcastLibrary

extension PodcastPage {
    func addActions(to player: PlayerWindow) {
        let window = player.window
        func add(_ name: String, _ action: @escaping @MainActor (PodcastPage) -> Void) {
            window.addAction(name) { [weak self] in self.map(action) }
        }
        add("podcasts") { $0.show(!$0.isShown) }
        add("player") { $0.show(false) }
        add("podcasts-again") { $0.handle(.shown) }
        add("podcast-back") { $0.goBack() }
        add("podcast-add") { [weak window] page in window.map { page.askForFeed($0) } }
        add("podcast-refresh") { page in if page.isShown { page.handle(.refresh(nil)) } }
        add("podcast-refresh-list") { $0.handle(.refresh($0.state.show?.id)) }
        add("podcast-more") { $0.handle(.more) }
        add("podcast-inbox") { $0.openInbox() }
        add("podcast-mark-all") { $0.handle(.markAll) }
        add("podcast-undo-mark") { $0.handle(.undoMark) }
        add("podcast-settings") { [weak window] page in window.map { page.askForSettings($0) } }
        add("podcast-unsubscribe") { [weak window] page in window.map { page.askToUnsubscribe($0) } }
        add("podcast-import") { [weak window] page in window.map { page.files.importSubscriptions($0) } }
        add("podcast-export") { [weak window] page in window.map { page.files.exportSubscriptions($0) } }
        add("podcast-search") { page in
            page.show(true)
            page.showsEpisodes = false
            page.widgets.search.grabFocus()
        }
    }

    /// Carries out a wish about an episode.
    func carryOut(_ wish: EpisodeWish, _ id: Int64) {
        switch wish {
        case .play: if playing == id { show(false) } else { window?.playEpisode(id) }
        case .download: handle(.download(id))
        case .removeDownload: handle(.removeDownload(id))
        case .first:
            change("The queue could not be changed") { library throws(PodcastError) in
                try library.enqueue([id], at: .first)
            }
            window?.enqueueEpisode(id, .next)
        case .last:
            change("The queue could not be changed") { library throws(PodcastError) in
                try library.enqueue([id])
            }
            window?.enqueueEpisode(id, .last)
        case .dequeue:
            change("The queue could not be changed") { library throws(PodcastError) in try library.dequeue(id) }
        case .played, .unplayed: handle(.mark(id, isPlayed: wish == .played))
        case .older: handle(.markOlder(id))
        }
    }

    /// Asks for a feed to subscribe to.
    /// - Parameters:
    ///   - window: The window that the dialog belongs to.
    ///   - address: The address that is proposed.
    func askForFeed(_ window: Window, _ address: String = "") {
        show(true)
        PodcastDialogs.askForFeed(window, address) { [weak self] in self?.handle(.subscribe($0)) }
    }

    private func askToUnsubscribe(_ window: Window) {
        guard let podcast = state.show else { return }
        PodcastDialogs.askToUnsubscribe(from: podcast, window) { [weak self] in
            self?.change("The subscription could not be ended") { library throws(PodcastError) in
                try library.unsubscribe(podcast.id)
            }
            self?.showsEpisodes = false
        }
    }

    /// Shows the settings of the podcast whose episodes are listed.
    private func askForSettings(_ window: Window) {
        guard let podcast = state.show else { return }
        Task { [weak self, weak window] in
            let result = await self?.worker.use { library throws(PodcastError) in try library.settings(of: podcast.id) }
            guard let self, let window else { return }
            switch result {
            case .success(let settings):
                let usual = self.window?.player.session.generalSettings ?? PlaybackSettings()
                let form = ShowSettingsForm(settings, usual: usual, presets: ShowSettingsWindow.presets)
                self.settings = ShowSettingsWindow(form, title: podcast.title, parent: window) { [weak self] changed in
                    self?.keep(changed, of: podcast.id)
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
        didChangeSettings(settings, podcast)
        change("The settings could not be kept") { library throws(PodcastError) in
            try library.setSettings(settings, of: podcast)
        }
    }
}
