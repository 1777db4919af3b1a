import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxHTTPStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxStreaming

extension PlayerWindow {
    /// Shows the parts of the player's state that have changed.
    func showPlayer() {
        let (session, former) = (player.session, shown)
        let (queue, entry) = (session.queue, session.queue.identity(at: session.queue.index))
        (shown.opening, shown.turn, shown.entry) = (session.openingCount, queue.currentTurnID, entry)
        let isAnother = shown.opening != former.opening || entry != former.entry
        if isAnother { leaveRecording() }
        showFailure()
        perform(page.handle(.player(PageState.PlayerFacts(session))))
        if isAnother || shown.turn != former.turn { showTrack() }
        let loop = session.settings.loop
        let isReordered = loop != former.loop || queue.isShuffled != former.isShuffled
        if isReordered { showOrder() }
        if isAnother || isReordered || queue.revision != former.revision || shown.turn != former.turn {
            showQueue()
            report()
        }
        shown.revision = queue.revision
        if former.settings != session.settings { showSound() }
        sound.show(output: player.outputName)
        let chapters = session.item.chapters.chapters
        if session.item.isOpen, chapters != shown.chapters { recording.show(chapters, duration: duration) }
        shown.chapters = chapters
        if session.isIdle { shown.followsEnd = false }
        awaitTick()
    }

    /// Has the session look at its deadline, while it has one.
    private func awaitTick() {
        guard player.session.awaitsTick, !shown.awaitsTick else { return }
        shown.awaitsTick = true
        repeatEvery(milliseconds: 100) { [weak self] in
            guard let self, !self.page.isClosed else { return false }
            self.act { $0.handle(.tick) }
            self.shown.awaitsTick = self.player.session.awaitsTick
            return self.shown.awaitsTick
        }
    }

    /// Shows a failure as a message if the queue passes over the recording; else it is the page.
    private func showFailure() {
        guard let (failure, opening, turn) = shown.failure else { return }
        let session = player.session
        if session.isIdle {
            shown.failure = nil
            let input = session.queue.current
            if failure.code == .httpStatus(401), input.isWeb, session.episode == nil { askForLogin(of: input) }
        } else if opening != session.openingCount || turn != session.queue.currentTurnID {
            shown.failure = nil
            let name =
                FilePath(location: failure.name)?.displayName ?? URL(fileURLWithPath: failure.name).lastPathComponent
            perform(page.handle(.warning("\(name) is passed over. \(failure.message.asSentence)")))
        }
    }

    /// Forgets the recording that was open, and keeps its place among the recent ones.
    private func leaveRecording() {
        rememberPlace()
        recording.forget()
        podcasts.update()
        showSkipIntervals()
    }

    /// Shows the page.
    func update() {
        let name = showPage()
        if let texts = page.texts, name != "loading" {
            (name == "error" ? widgets.error : widgets.empty).show(texts)
        }
        widgets.loading.label.set("label", .string(page.texts?.detail ?? ""))
        widgets.player.network.set("label", .string(page.waitingText ?? ""))
        recording.playButton.show(isPause: page.showsPause)
        let playButton = widgets.player.transport.play
        playButton.setAccessibleLabel(page.showsPause ? "Pause" : "Play")
        playButton.tooltip = page.showsPause ? "Pause (Space)" : "Play (Space)"
        // The player has a title of its own, and a narrow header no room for a second.
        widgets.title.set("title", .string(page.headerTitle))
        if page.page == .empty {
            readStart()
            showTrack()
            showQueue()
        }
        if name == "error" { recording.cover.show(nil) }
        if page.page == .player(.playing) { startTicking() }
        inhibitSleep()
        if page.page == .empty || page.page == .player(.ended) { tell(.stopped) }
        showTimes(isForced: true)
        report()
    }

    /// Follows the position and the level while something moves.
    private func startTicking() {
        recording.startTicking { [weak self] in
            guard let self else { return nil }
            self.showTimes()
            guard self.page.page == .player(.playing) else { return nil }
            return ShownPosition.position(
                heard: self.player.time,
                rate: self.player.session.settings.rate,
                now: ProcessInfo.processInfo.systemUptime,
                presentation: self.window.presentationTime,
                interval: self.window.frameInterval,
                end: self.duration
            )
        }
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
        widgets.pages.set("visible-child-name", .string(name))
        return name
    }

    /// Shows the times, if they are other than before.
    func showTimes(isForced: Bool = false) {
        let position = recording.waveform.position
        // Bounded: positions are within a billion seconds.
        let second = Int(position)
        guard isForced || second != shown.second else { return }
        shown.second = second
        let total = duration
        widgets.player.elapsed.set("label", .string(TimeText.clock(position, of: total)))
        let rate = player.session.settings.rate
        let rest = total.map { TimeText.remaining(position, of: $0, rate: rate) } ?? ""
        widgets.player.remaining.set("label", .string(rest))
        recording.chapters.move(to: position)
        showSleep()
        podcasts.showTime()
        // The cover in the folder is found a little after the recording was opened.
        if info != nil, recording.cover.show(player.picture) { report() }
    }

    /// Shows when playback ends by the sleep timer.
    private func showSleep() {
        let text = player.session.sleepGoal.map(TimeText.sleep) ?? ""
        widgets.player.sleep.set("label", .string(text))
        widgets.player.sleep.isVisible = !text.isEmpty
    }

    /// The title of the recording.
    var trackTitle: String {
        let (queue, title) = (player.session.queue, player.session.item.tags["title"] ?? "")
        return queue.isEmpty ? "" : title.isEmpty ? queue.current.title ?? queue.current.shortName : title
    }

    /// The performer and the album, or the station.
    var trackDetail: String {
        let tags = player.session.item.tags
        let artist = [tags["artist"], tags["album_artist"]].compactMap(\.self).first { !$0.isEmpty }
        let parts = [artist, tags["album"] ?? tags["station"]].compactMap(\.self).filter { !$0.isEmpty }
        // An episode whose file names neither has the podcast for both.
        return (parts.count == 2 && parts[0] == parts[1] ? [parts[0]] : parts).joined(separator: " · ")
    }

    /// Shows title, performer and cover.
    func showTrack() {
        let (title, detail) = (trackTitle, trackDetail)
        widgets.player.title.set("label", .string(title))
        widgets.player.detail.set("label", .string(detail))
        widgets.player.detail.isVisible = !detail.isEmpty
        window.setTitle(title.isEmpty ? "Syrinx" : title)
        // The cover of before stays until the next recording is open: in an album it is the same.
        if showsError || player.session.queue.isEmpty {
            recording.cover.show(nil)
        } else if info != nil {
            recording.cover.show(player.picture)
        }
        report()
    }

    /// Whether a recording could not be opened.
    var showsError: Bool { if case .error = page.page { true } else { false } }

    /// Lists the queue, with the recording that plays marked.
    func showQueue() {
        let queue = player.session.queue
        queueView.show(queue.inputs, current: queue.isEmpty ? nil : queue.index)
        let transport = widgets.player.transport
        for button in [transport.previous, transport.next] { button.isVisible = queue.count > 1 }
        let hasNext = queue.index(after: queue.index, wraps: player.session.settings.loop == .all) != nil
        widgets.player.transport.next.isSensitive = hasNext
        widgets.error.next.isVisible = hasNext
    }

    /// Shows shuffling and repetition.
    func showOrder() {
        let (isShuffled, loop) = (player.session.queue.isShuffled, player.session.settings.loop)
        (shown.isShuffled, shown.loop) = (isShuffled, loop)
        widgets.queue.shuffle.set("active", .bool(isShuffled))
        let button = widgets.queue.repetition
        button.set("active", .bool(loop != .none))
        button.set("icon-name", .string(loop.icon))
        button.tooltip = "\(loop.label) (Shift+L)"
        button.setAccessibleLabel(loop.label)
        report()
    }

    /// Shows the settings of the sound.
    func showSound() {
        shown.settings = player.session.settings
        sound.show(player.session.settings)
        showTimes(isForced: true)
        report()
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
            let overlay = podcasts.isShown ? podcasts.widgets.toasts : widgets.toasts
            shownToast = nil
            former?.view.dismiss()
            let undo = toast.offersUndo ? (label: "Undo", action: "win.queue-undo") : nil
            let view = ToastView(toast.title, over: overlay, button: undo) { [weak self] in
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
