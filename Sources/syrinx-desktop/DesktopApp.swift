import Foundation
import MediaPlayer
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback
import SyrinxPodcastLibrary
import SyrinxStreaming

/// The program: its application, its windows, and the objects that the windows share.
@MainActor
final class DesktopApp {
    /// The identifier, which is also the name of the desktop file and of the icon.
    static let id = "io.github.syrinx.Syrinx"
    let application: Application
    /// The sound output, named as for the option `--output`; `nil` is the default output.
    let output: String?
    /// The library of podcasts.
    let library = LibraryWorker()
    /// The player on the session bus, which represents one window; `nil` without a bus.
    private(set) var presence: DesktopPresence?
    /// The stored settings, in one copy, so that windows do not overwrite each other's changes.
    lazy var saved = SavedState.load()
    /// The user names and passwords for servers.
    var logins = SessionLogins()
    /// The keys and skip lengths from the user's settings.
    let settings: FaceSettings
    private var list = WindowList()
    private var windows: [Int: PlayerWindow] = [:]

    /// Creates the program.
    /// - Parameter environment: The variables of the process.
    ///   `SYRINX_OUTPUT` names the sound output, as the command's `--output` does.
    init(environment: [String: String]) {
        application = Application.make(id: Self.id)
        output = environment["SYRINX_OUTPUT"]
        settings = FaceSettings(settings: SettingsFile.text(environment: environment), face: .window)
        application.addOption("new-window", "Open a new window")
        application.on("startup") { [weak self] _ in self?.start() }
        application.on("activate") { [weak self] _ in self?.target.present() }
        application.onOpen { [weak self] urls in
            guard let window = self?.target else { return }
            window.present()
            window.open(urls.compactMap(ListeningInput.init(location:)))
        }
    }

    /// Runs the program to its end.
    func run() -> Int32 {
        let status = application.run()
        for window in windows.values { window.finish() }
        LibraryWorker.drain()
        SavedState.positions.drain()
        return status
    }

    private func start() {
        Style.add(
            PlayerWidgets.style + QueueRow.style + StartPage.style + CoverView.style + PodcastDescription.style
        )
        for folder in Self.dataFolders { Style.addIcons(folder + "/icons") }
        application.addAction("new-window") { [weak self] in self?.openWindow().present() }
        application.addAction("quit") { [weak self] in self?.quit() }
        application.addNumberedAction("raise") { [weak self] in
            (self?.windows[$0] ?? self?.target)?.present()
        }
        application.addAction("about") { [weak self] in self?.target.showAbout() }
        for (action, command) in WindowCommands.actions {
            application.setKeys(action, settings.bindings.accelerators(of: command))
        }
        // After the first window, because the bus may respond slowly.
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.offerPlayer() } }
        library.keepUp()
    }

    /// Registers the player on the session bus, if there is a bus.
    private func offerPlayer() {
        presence = try? DesktopPresence(desktopEntry: Self.id, canRaise: true) { [weak self] event in
            // The main queue preserves the order of events.
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.take(event) } }
        }
        for window in all { window.report() }
    }

    /// The folders with the app's data: installed beside the program, or in its sources.
    private static var dataFolders: [String] {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        var folders = [program.appendingPathComponent("../share").standardized.path]
        if let folder = ProcessInfo.processInfo.environment["SYRINX_DATA"] {
            folders.insert(folder, at: 0)
        }
        return folders
    }

    // MARK: Passwords

    /// Returns an input with the user name and password for its server.
    func withLogin(_ input: ListeningInput) -> ListeningInput {
        let url = logins.added(to: input.url)
        return input.isWeb && url != input.url ? ListeningInput(location: url.absoluteString) ?? input : input
    }

    /// Returns the identifier under which the position and the bookmarks of an input are stored; `nil` for standard
    /// input.
    ///
    /// The command uses the same one. It does not include a user name and password that were entered in this session.
    func key(of input: ListeningInput) -> String? {
        var access = InputAccess()
        access.stored = logins.removed
        return access.key(input)
    }

    // MARK: All windows

    /// Stores the playback positions of all windows, because their recordings may be opened in another window.
    func keepPlaces() {
        for window in all { window.control.player.keepPlace() }
    }

    /// Whether the user is dragging a row of a queue.
    var isRowDragged: Bool { all.contains(where: \.isRowDragged) }

    /// Updates the list of recent recordings in all windows.
    func showRecent() {
        for window in all { window.showRecent() }
    }

    /// Shows the bookmarks of a recording in other windows.
    /// - Parameters:
    ///   - key: The identifier of the recording.
    ///   - editor: The object that has changed them.
    func bookmarksChanged(of key: String, by editor: BookmarkEditor) {
        for window in all { window.bookmarksChanged(of: key, by: editor) }
    }

    /// Applies changed settings of a podcast to all players.
    func settingsChanged(_ settings: ShowSettings, of podcast: Podcast.ID) {
        for window in all { window.control.act { $0.handle(.showSettings(settings, of: podcast)) } }
    }

    // MARK: Windows

    /// The window in which inputs are opened; a new one if there is none.
    private var target: PlayerWindow { list.target.flatMap { windows[$0] } ?? openWindow() }

    /// The windows, in the order in which they were opened.
    var all: [PlayerWindow] { list.numbers.compactMap { windows[$0] } }

    /// Returns the window with a number; `nil` if it was closed.
    func window(_ number: Int) -> PlayerWindow? { windows[number] }

    /// Creates a window with the size and settings of the active one.
    @discardableResult
    func openWindow() -> PlayerWindow {
        list.target.flatMap { windows[$0] }?.keepSettings()
        let (number, actions) = list.open()
        let window = PlayerWindow(self, number: number)
        windows[number] = window
        perform(actions)
        return window
    }

    /// Closes all windows, and ends the program; asks before if downloads would end.
    func quit() { take(.quit(endsDownloads: library.downloadCount > 0)) }

    /// Handles an event of a window.
    func take(_ event: WindowList.Event) {
        let actions = list.handle(event)
        if case .closed(let number) = event { windows[number] = nil }
        perform(actions)
    }

    private func perform(_ actions: [WindowList.Action]) {
        for action in actions {
            switch action {
            case .speak(let number): windows[number]?.report()
            case .pause(let number): windows[number]?.control.carryOut(.pause)
            case .ask(let number): windows[number]?.askToQuit()
            case .close(let number): windows[number]?.close()
            case .end:
                library.cancelAll()
                application.quit()
            }
        }
    }

    /// Returns whether desktop panels show the window with this number.
    func isSpeaker(_ number: Int) -> Bool { list.speaker == number }

    private func take(_ event: DesktopPresence.Event) {
        let window = list.speaker.flatMap { windows[$0] } ?? target
        switch event {
        case .desktop(.quit): quit()
        case .desktop(let command): window.carryOut(command)
        case .command(let command): window.control.carryOut(command)
        case .queueAsked(let answer): answer(RemoteQueueEntry.all(of: window.control.session.queue))
        case .pictureWritten: window.report()
        }
    }
}

extension SessionLogins {
    /// Returns an input with the user name and password for its server.
    func added(to input: StreamingInput) -> StreamingInput {
        switch input {
        case .url(let url): .url(added(to: url))
        case .part(let part, let url): .part(part, of: added(to: url))
        default: input
        }
    }
}
