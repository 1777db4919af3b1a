import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback
import SyrinxPodcastLibrary

extension PodcastPage {
    /// The largest list of subscriptions that is read, in bytes.
    private nonisolated static let maximumImport = 32 << 20

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
        add("podcast-settings") { [weak window] page in window.map { page.askForSettings($0) } }
        add("podcast-unsubscribe") { [weak window] page in window.map { page.askToUnsubscribe($0) } }
        add("podcast-import") { [weak window] page in window.map { page.importSubscriptions($0) } }
        add("podcast-export") { [weak window] page in window.map { page.exportSubscriptions($0) } }
        add("podcast-search") { page in
            page.show(true)
            page.showsEpisodes = false
            page.widgets.get("search").grabFocus()
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
        case .played, .unplayed:
            change("The mark could not be saved") { library throws(PodcastError) in
                try library.setPlayed(wish == .played, id)
            }
        }
    }

    /// Asks for a feed to subscribe to.
    /// - Parameters:
    ///   - window: The window that the dialog belongs to.
    ///   - address: The address that is proposed.
    func askForFeed(_ window: Window, _ address: String = "") {
        show(true)
        let builder = Builder(
            """
            <interface><object class="AdwMessageDialog" id="dialog">
              <property name="heading">Add Podcast</property>
              <property name="body">The address of the podcast's feed (RSS or Atom).</property>
              <property name="extra-child"><object class="GtkEntry" id="entry">
                <property name="input-purpose">url</property>
                <property name="placeholder-text">https://</property>
                <property name="activates-default">True</property>
                <accessibility><property name="label">Address of the Feed</property></accessibility>
              </object></property>
              <responses>
                <response id="cancel">_Cancel</response>
                <response id="add" appearance="suggested">_Subscribe</response>
              </responses>
              <property name="default-response">add</property>
              <property name="close-response">cancel</property>
            </object></interface>
            """
        )
        let dialog = builder.get("dialog", Window.self)
        let entry = builder.get("entry")
        dialog.setParent(window)
        dialog.on("response") { [weak self] arguments in
            if arguments.string(0) == "add" { self?.handle(.subscribe(entry.string("text"))) }
        }
        entry.set("text", .string(address))
        dialog.present()
        entry.grabFocus()
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

    private func askToUnsubscribe(_ window: Window) {
        guard let podcast = state.show else { return }
        let builder = Builder(
            """
            <interface><object class="AdwMessageDialog" id="dialog">
              <property name="heading">Unsubscribe?</property>
              <responses>
                <response id="cancel">_Cancel</response>
                <response id="remove" appearance="destructive">_Unsubscribe</response>
              </responses>
              <property name="close-response">cancel</property>
            </object></interface>
            """
        )
        let dialog = builder.get("dialog", Window.self)
        let text = "“\(podcast.title)” goes, with its downloads and the positions in its episodes."
        dialog.set("body", .string(text))
        dialog.setParent(window)
        dialog.on("response") { [weak self] arguments in
            guard arguments.string(0) == "remove" else { return }
            self?.change("The subscription could not be ended") { library throws(PodcastError) in
                try library.unsubscribe(podcast.id)
            }
            self?.showsEpisodes = false
        }
        dialog.present()
    }

    private func importSubscriptions(_ window: Window) {
        let filters = [
            ("Subscriptions (OPML)", ["text/x-opml+xml", "text/xml", "application/xml"]), ("All Files", ["*/*"]),
        ]
        window.chooseFiles("Import Subscriptions", filters: filters) { [weak self] urls in
            guard let self, let url = urls.first.flatMap({ URL(string: $0) }) else { return }
            Task { [weak self, worker = self.worker] in
                let result = await worker.use { library throws(PodcastError) in
                    // A file that cannot be read is no list, which the library says.
                    let path = FilePath(location: url.absoluteString)
                    let list = path.flatMap { try? FileByteStream(path: $0).readAll(limit: Self.maximumImport) }
                    let name = path?.displayName ?? url.lastPathComponent
                    return try library.importOPML(Data(list ?? []), name: name).map(\.id)
                }
                switch result {
                case .success(let ids):
                    self?.handle(.imported(ids.count))
                    self?.refreshImported(ids)
                case .failure(let error):
                    self?.handle(.failed("The subscriptions could not be imported", PageState.Failure(error)))
                }
            }
        }
    }

    /// Fetches feeds that were added without their episodes.
    private func refreshImported(_ ids: [Int64]) {
        for id in ids { handle(.refresh(id)) }
    }

    private func exportSubscriptions(_ window: Window) {
        window.chooseDestination("Export Subscriptions", name: "podcasts.opml") { [weak self] text in
            guard let self, let url = URL(string: text) else { return }
            Task { [weak self, worker = self.worker] in
                let result = await worker.use { library throws(PodcastError) -> Bool in
                    let data = try library.exportOPML()
                    // Not atomically: that would put another file in the place of a link.
                    return (try? data.write(to: url)) != nil
                }
                let toasts = self?.widgets.get("toasts")
                switch result {
                case .success(true): toasts?.addToast("The subscriptions are in \(url.lastPathComponent).")
                case .success(false):
                    toasts?.addToast("\(url.lastPathComponent) could not be written. Choose another folder.")
                case .failure(let error):
                    self?.handle(.failed("The subscriptions could not be exported", PageState.Failure(error)))
                }
            }
        }
    }
}
