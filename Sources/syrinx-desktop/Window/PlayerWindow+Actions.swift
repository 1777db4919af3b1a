import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback
import SyrinxStreaming

extension PlayerWindow {
    /// The actions whose keys menus show.
    static let actions: [(action: String, command: BoundCommand)] = [
        ("app.new-window", .face(.newWindow)), ("app.quit", .face(.quit)), ("win.open-folder", .face(.openFolder)),
        ("win.podcasts", .page(.podcasts)), ("win.podcast-add", .face(.subscribe)),
        ("win.podcast-refresh", .face(.refreshAll)), ("win.podcast-search", .face(.search)),
    ]

    func addActions() {
        func add(_ name: String, _ action: @escaping @MainActor (PlayerWindow) -> Void) {
            window.addAction(name) { [weak self] in self.map(action) }
        }
        add("open") { $0.chooseFiles() }
        add("open-folder") { $0.chooseFiles(folders: true) }
        add("open-address") { $0.askForAddress() }
        add("paste") { $0.paste() }
        add("retry") { $0.carryOut(.reload) }
        add("toggle") { $0.togglePlayback() }
        add("skip-back") { $0.skip(forward: false) }
        add("skip-forward") { $0.skip(forward: true) }
        add("previous") { $0.previous() }
        add("next") { $0.carryOut(.next(isWeak: true)) }
        add("close-item") { $0.carryOut(.stop) }
        add("close") { $0.close() }
        add("queue") { $0.toggleQueue() }
        add("full-screen") { $0.window.isFullScreen.toggle() }
        add("zoom-in") { $0.recording.waveform.handle(.zoom(2)) }
        add("zoom-out") { $0.recording.waveform.handle(.zoom(0.5)) }
        add("show-whole") { $0.recording.waveform.handle(.showWhole) }
        window.addToggle("spectrogram", isOn: recording.waveform.showsSpectrogram) { [weak self] in
            self?.toggleSpectrogram()
        }
        add("remove-item") { $0.removeChosen() }
        add("queue-play-next") { $0.playChosenNext() }
        add("queue-show-file") { $0.showChosenFile() }
        add("queue-to-playing") { $0.showPlayingRow() }
        add("queue-clear") { $0.clearQueue() }
        add("queue-undo") { window in window.act { $0.request(.undoQueueChange) } }
        for minutes in [15, 30, 45, 60] { add("sleep-\(minutes)") { $0.setSleep(.time(Double(minutes) * 60)) } }
        add("sleep-chapter") { $0.setSleep(.endOfChapter) }
        add("sleep-item") { $0.setSleep(.endOfItem) }
        add("sleep-off") { $0.setSleep(nil) }
        for index in 0..<Self.recentCount { add("recent-\(index)") { $0.openRecent(index) } }
    }

    /// Shows the spectrogram in place of the waveform, or the waveform again.
    func toggleSpectrogram() {
        recording.waveform.showsSpectrogram.toggle()
        saved.showsSpectrogram = recording.waveform.showsSpectrogram
        window.setToggle("spectrogram", recording.waveform.showsSpectrogram)
    }

    /// Asks for files, or for a folder.
    func chooseFiles(folders: Bool = false) {
        window.chooseFiles(
            folders ? "Open Folder" : "Open Recordings",
            folders: folders,
            filters: folders
                ? []
                : [
                    (
                        "Recordings and Playlists",
                        [
                            "audio/*", "video/*", "application/ogg", "application/xspf+xml",
                            "application/vnd.apple.mpegurl",
                        ]
                    ),
                    ("All Files", ["*/*"]),
                ]
        ) { [weak self] urls in self?.open(urls.compactMap(ListeningInput.init(location:))) }
    }

    /// Opens what the clipboard holds: addresses or paths.
    func paste() {
        window.readClipboard { [weak self] text in
            guard let self else { return }
            let list = DropList(text: text ?? "")
            // A host without a scheme, as browsers take it.
            if list.entries.isEmpty, let text, AddressAttempt(typed: text) != nil {
                self.askForAddress(text)
            } else if list.entries.isEmpty, list.refusals.isEmpty {
                self.perform(self.page.handle(.warning("The clipboard holds no address.")))
            } else {
                self.take(list, on: .player)
            }
        }
    }

    /// Asks for an address.
    /// - Parameter address: One that is tried at once; `nil` lets the listener type one.
    func askForAddress(_ address: String? = nil) {
        guard addressDialog == nil else { return }
        addressDialog = AddressDialog(app, parent: window) { [weak self] in
            self?.open([$0])
        } didClose: { [weak self] in
            self?.addressDialog = nil
        }
        if let address { addressDialog?.open(address) }
    }

    /// Asks for the name and the password that a server wants, and tries again.
    func askForLogin(of input: ListeningInput) {
        guard addressDialog == nil else { return }
        addressDialog = AddressDialog(app, parent: window, refused: input) { [weak self] _ in
            guard let self else { return }
            self.carryOut(.reload)
        } didClose: { [weak self] in
            self?.addressDialog = nil
        }
    }
}
