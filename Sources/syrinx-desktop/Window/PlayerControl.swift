import Foundation
import SyrinxDesktopModel
import SyrinxDevice
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxStreaming

/// Shows the state of a window's player.
@MainActor
protocol PlayerControlDelegate: AnyObject {
    /// Called when the state of the player may have changed.
    func playerChanged()
    /// Called when the player reports something.
    func take(_ notice: ListeningPlayer.Notice)
    /// Called when the user replaces the queue.
    func openingBegins()
    /// Called with the actions of the page.
    func perform(_ actions: [PageState.Action])
}

/// The player of a window, and the state of the window's page: all changes go through it.
@MainActor
final class PlayerControl {
    let player: ListeningPlayer
    private(set) var page = PageState()
    /// The delegate that shows changes, and owns this object.
    weak var delegate: (any PlayerControlDelegate)?

    /// Creates the control of a player.
    init(_ player: ListeningPlayer) {
        self.player = player
        player.onNotice = { [weak self] notice in MainActor.assumeIsolated { self?.delegate?.take(notice) } }
    }

    /// The state of the player.
    var session: ListeningSession { player.session }
    /// The texts of the recording.
    var track: TrackText { TrackText(player.session) }
    /// The information about the open recording; `nil` if none is open.
    var info: MediaInfo? { player.session.item.isOpen ? player.streamer.info : nil }
    /// Whether the page of the player is shown.
    var isPlayerShown: Bool { if case .player = page.page { true } else { false } }
    /// Whether a recording could not be opened.
    var showsError: Bool { if case .error = page.page { true } else { false } }

    /// Changes the player, and shows its new state.
    func act(_ body: (ListeningPlayer) -> Void) {
        guard !page.isClosed else { return }
        body(player)
        delegate?.playerChanged()
    }

    /// Performs a command of the listener.
    func carryOut(_ command: ListeningCommand) { act { $0.carryOut(command) } }

    /// Performs a request of the listener.
    func request(_ request: ListeningRequest) { act { $0.request(request) } }

    /// Passes an event to the page, and carries out the resulting actions.
    func tell(_ event: PageState.Event) {
        let actions = page.handle(event)
        delegate?.perform(actions)
    }

    /// Removes messages about the previous recording, because the user opens another one.
    func beginOpening() {
        tell(.opening)
        delegate?.openingBegins()
    }

    /// Stores the position and ends playback.
    func stop() {
        player.keepPlace(isLeaving: true)
        player.stop()
    }
}

extension PlayerControl {
    /// Creates the player of a window, with its streamer on the program's output.
    /// - Parameters:
    ///   - app: The program.
    ///   - number: The number of the window, whose player gets the events.
    ///   - rack: The effects of the window.
    convenience init(_ app: DesktopApp, number: Int, _ rack: EffectRack) {
        var setup = ListeningPlayer.Setup(keeper: SavedState.positions) { ProcessInfo.processInfo.systemUptime }
        let device = Self.makeOutput(app, &setup.output)
        setup.lifetime = .window
        setup.cache = DiskCache.user()
        setup.units = rack.units
        setup.sound = SoundSettings(volume: app.saved.volume)
        setup.general.skipForward = app.settings.skips.forward
        setup.general.skipBack = app.settings.skips.back
        setup.resumption = Resumption(SavedState.positions)
        // The player calls these on the main thread.
        setup.access.list = { [weak app] input in MainActor.assumeIsolated { app?.withLogin(input) ?? input } }
        setup.access.stream = { [weak app] input in MainActor.assumeIsolated { app?.logins.added(to: input) ?? input } }
        setup.access.stored = { [weak app] url in MainActor.assumeIsolated { app?.logins.removed(from: url) ?? url } }
        self.init(
            ListeningPlayer(setup, on: TimePitchStreamer(device: device)) { [weak app] event, _ in
                // The main queue preserves the order of events.
                DispatchQueue.main.async {
                    MainActor.assumeIsolated { app?.window(number)?.control.act { $0.handle(event) } }
                }
            }
        )
    }

    /// Returns the device of the environment, else the one that the listener has chosen last, else the default.
    private static func makeOutput(_ app: DesktopApp, _ output: inout PlayerOutput) -> any OutputDevice {
        if let name = app.output, let device = try? OutputDevices.make(name) {
            output.name = name
            return device
        }
        let chosen = SavedState.positions.output
        let former = PlayerOutput.reopen(chosen)
        output.warning = former.warning
        if let chosen, let device = former.device {
            output.name = chosen
            return device
        }
        return OutputDevices.automatic() ?? NullOutput()
    }
}
