import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxStreaming

extension PlayerWindow {
    /// Shows the page.
    func update() {
        let name = showPage()
        if let texts = page.texts, name != "loading" {
            let status = name == "error" ? name : "empty"
            widgets.get("\(status)Status").set("title", .string(texts.title))
            widgets.get("\(status)Status").set("description", .string(texts.detail.escapedMarkup))
            widgets.get("\(status)Button").set("label", .string(texts.button ?? ""))
            widgets.get("\(status)Button").isVisible = texts.button != nil
        }
        widgets.get("loadingLabel").set("label", .string(page.texts?.detail ?? ""))
        widgets.get("networkLabel").set("label", .string(page.waitingText ?? ""))
        playButton.show(isPause: page.showsPause)
        let playButton = widgets.get("playButton")
        playButton.setAccessibleLabel(page.showsPause ? "Pause" : "Play")
        playButton.tooltip = page.showsPause ? "Pause (Space)" : "Play (Space)"
        // The player has a title of its own, and a narrow header no room for a second.
        widgets.get("title").set("title", .string(page.headerTitle))
        if page.page == .empty { queueCleared() }
        if name == "error" { cover.show(nil) }
        if page.page == .player(.playing) { startTicking() }
        inhibitSleep()
        if page.page == .empty || page.page == .player(.ended) { tell(.stopped) }
        showTimes(isForced: true)
        report()
    }

    /// Shows the page that the state asks for.
    /// - Returns: Its name.
    @discardableResult
    func showPage() -> String {
        let name =
            switch page.page {
            case .empty: startPage.list.map { $0.entries.isEmpty ? "empty" : "start" } ?? "blank"
            case .loading: "loading"
            case .player: "player"
            case .error: "error"
            }
        widgets.get("pages").set("visible-child-name", .string(name))
        return name
    }

    /// Shows the times, if they are other than before.
    func showTimes(isForced: Bool = false) {
        let position = waveform.position
        // Bounded: positions are within a billion seconds.
        let second = Int(position)
        guard isForced || second != shownSecond else { return }
        shownSecond = second
        let total = info?.duration
        widgets.get("elapsed").set("label", .string(TimeText.clock(position, of: total)))
        let rest = total.map { TimeText.remaining(position, of: $0, rate: rate) } ?? ""
        widgets.get("remaining").set("label", .string(rest))
        showChapter(at: position)
        podcasts.showTime()
        // The cover in the folder is found a little after the recording was opened.
        if info != nil, cover.show(picture) { report() }
    }

    /// The title of the recording.
    var trackTitle: String {
        // The feed's title of an episode is the one that it was chosen by.
        if let track = queue.current?.element, track.episode != nil { return track.title }
        if let title = info?.tags["title"], !title.isEmpty { return title }
        return queue.current?.element.title ?? ""
    }

    /// The performer; of an episode whose file names none, the podcast.
    var trackArtist: String? {
        let tags = info?.tags ?? [:]
        let artists = [tags["artist"], tags["album_artist"], podcasts.playback.show]
        return artists.compactMap { $0 }.first { !$0.isEmpty }
    }

    /// The performer and the album, or the station.
    var trackDetail: String {
        let album = info?.tags["album"] ?? info?.tags["station"]
        return [trackArtist, album].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// The cover of the recording, or else the picture of the episode.
    var picture: MediaPicture? { info == nil ? nil : player.streamer.artwork ?? podcasts.playback.picture }

    /// Shows title, performer and cover.
    func showTrack() {
        let (title, detail) = (trackTitle, trackDetail)
        widgets.get("trackTitle").set("label", .string(title))
        widgets.get("trackDetail").set("label", .string(detail))
        widgets.get("trackDetail").isVisible = !detail.isEmpty
        window.setTitle(title.isEmpty ? "Syrinx" : title)
        // The cover of before stays until the next recording is open: in an album it is the same.
        if showsError || queue.count == 0 {
            cover.show(nil)
        } else if info != nil {
            cover.show(picture)
        }
        report()
    }

    /// Shows the name of the chapter at a time.
    func showChapter(at time: Double) {
        let index = chapters.index(at: time)
        guard index != shownChapter else { return }
        if let shownChapter, chapterRows.indices.contains(shownChapter) {
            chapterRows[shownChapter].setClass("playing-row", false)
        }
        shownChapter = index
        let title = index.flatMap { chapters.chapters[$0].title } ?? ""
        widgets.get("chapterLabel").set("label", .string(title))
        widgets.get("chapterLabel").isVisible = !title.isEmpty
        if let index, chapterRows.indices.contains(index) { chapterRows[index].setClass("playing-row") }
    }

    /// Lists the chapters.
    func showChapters() {
        let list = widgets.get("chapterList", ListBox.self)
        for row in chapterRows { list.remove(row) }
        chapterRows = chapters.chapters.enumerated().map { index, chapter in
            Self.row(chapter.title ?? "Chapter \(index + 1)", TimeText.clock(chapter.start, of: info?.duration))
        }
        for row in chapterRows { list.appendRow(row) }
        list.isVisible = !chapterRows.isEmpty
        widgets.get("chaptersHeading").isVisible = !chapterRows.isEmpty
        shownChapter = nil
        showTimes(isForced: true)
    }

    /// Lists the queue, with the recording that plays marked.
    func showQueue() {
        queueView.show(queue.entries.map(\.element), current: queue.currentIndex)
        for name in ["previous", "next"] { widgets.get(name).isVisible = queue.count > 1 }
        let hasNext = order.next(after: queue.currentIndex, count: queue.count) != nil
        widgets.get("next").isSensitive = hasNext
        widgets.get("errorNext").isVisible = hasNext
    }

    private func queueCleared() {
        if queue.count > 0 {
            queueView.closeSearch()
            queue = .init()
        }
        (opened, info) = (nil, nil)
        podcasts.playback.began(nil)
        readStart()
        showTrack()
        showQueue()
    }

    /// Returns a row of a list with a text at the end.
    static func row(_ title: String, _ end: String) -> Widget {
        let builder = Builder(
            """
            <interface><object class="GtkListBoxRow" id="row"><property name="child"><object class="GtkBox">
              <property name="spacing">12</property>
              <child><object class="GtkLabel" id="title">
                <property name="xalign">0</property><property name="hexpand">True</property>
                <property name="ellipsize">end</property><property name="single-line-mode">True</property>
              </object></child>
              <child><object class="GtkLabel" id="end">
                <style><class name="numeric"/><class name="dim-label"/></style>
              </object></child>
            </object></property></object></interface>
            """
        )
        builder.get("title").set("label", .string(title))
        builder.get("end").set("label", .string(end))
        let row = builder.get("row")
        row.tooltip = title
        row.setAccessibleLabel("\(title), \(end)")
        return row
    }

    /// Shows the message that is due.
    func showToast() {
        let former = shownToast
        guard let toast = page.toasts.shown else {
            shownToast = nil
            former?.view.dismiss()
            return
        }
        let id = toast.id
        if let former, id == former.toast.id || toast.setting != nil && toast.setting == former.toast.setting {
            former.view.set(toast.title)
            shownToast = (former.view, toast)
            if id == former.toast.id { return }
        } else {
            let overlay = podcasts.isShown ? podcasts.widgets.get("toasts") : widgets.get("toasts")
            shownToast = nil
            former?.view.dismiss()
            let view = ToastView(toast.title, over: overlay) { [weak self] in
                // One that makes way for another has been forgotten already.
                guard let self, let shown = self.shownToast else { return }
                self.shownToast = nil
                self.perform(self.page.handle(.toastEnded(id: shown.toast.id)))
            }
            shownToast = (view, toast)
        }
        repeatEvery(milliseconds: UInt32(toast.seconds * 1000)) { [weak self] in
            guard let self else { return false }
            self.perform(self.page.handle(.toastEnded(id: id)))
            return false
        }
    }

    /// Shows what the app is.
    func showAbout() {
        let builder = Builder(
            """
            <interface><object class="AdwAboutWindow" id="about">
              <property name="application-name">Syrinx</property>
              <property name="application-icon">\(DesktopApp.id)</property>
              <property name="version">\(SyrinxVersion.text)</property>
              <property name="comments">Plays recordings, podcasts and radio, at any speed and pitch.</property>
              <property name="license-type">apache-2-0</property>
            </object></interface>
            """
        )
        let about = builder.get("about", Window.self)
        about.setParent(window)
        about.present()
    }
}
