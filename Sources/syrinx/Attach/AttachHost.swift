import Dispatch
import Foundation
import SyrinxDevice
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPodcastLibrary
import SyrinxStreaming

/// The player's connections to screens in other processes: carries out their requests, and sends them changes.
///
/// On the thread that plays. Faces see changes and answers in one order, and a request is answered after the changes
/// that it made.
final class AttachHost {
    /// A face that is connected.
    private struct Face {
        var watch = AttachWatch()
        var rule: HangUpRule?
        /// Whether the other process has announced that it leaves.
        var isLeaving = false
        /// Whether it is a screen, which has a rule for its loss.
        var isScreen = false
    }

    /// The result of a request for an episode.
    struct FoundEpisode: Sendable {
        let result: Result<EpisodeItem, Failure>
        /// The number of the request, if it has one.
        let call: Int?
        let face: AttachServer.Face
        let isNow: Bool
        let start: Double?
    }

    private let player: ListeningPlayer
    private let server: AttachServer
    private let clock: ProcessClock
    private let post: @Sendable (PlayEvent) -> Void
    private var faces: [AttachServer.Face: Face] = [:]
    private var states = StateFeed()
    private var queue = QueueFeed()
    private var probe: ScreenProbe?
    private var peaks: [Int] = []
    private var levelsAt = -Double.infinity
    private var outcome = SessionOutcome.success
    private let library = Latest<PodcastLibrary>()

    /// Seconds between two readings of the level meters.
    static let levelInterval = 1.0 / 30

    /// Acquires the lock of the user's detached player, and starts to accept connections.
    ///
    /// - Parameter post: Takes events for the player's thread; any thread calls it.
    /// - Throws: `device.playerRuns` if another detached player runs, or an error of the socket.
    init(
        _ player: ListeningPlayer,
        clock: ProcessClock,
        post: @escaping @Sendable (PlayEvent) -> Void
    ) throws(Failure) {
        (self.player, self.clock, self.post) = (player, clock, post)
        server = try AttachServer(in: try AttachFolder(creates: true)) { post(.attach($0)) }
    }

    /// Whether a face is connected.
    var hasFaces: Bool { !faces.isEmpty }
    /// Whether a face shows level meters, which move.
    var sendsLevels: Bool { faces.values.contains(where: \.watch.levels) && isPlaying }

    private var isPlaying: Bool { player.session.item.progress.state == .playing }

    // MARK: News

    /// Sends the changes of the state to all faces.
    func publish() {
        guard hasFaces else { return }
        player.updateTime()
        // Before the state, whose number of rows is that after the change.
        let watchers = faces.keys.filter { faces[$0]?.watch.queue ?? false }
        if !watchers.isEmpty, let change = queue.change(to: player.session) {
            var message = AttachMessage()
            message.queue = change
            server.send(message, to: watchers)
        }
        if let message = states.change(to: player.screenState) { server.send(message, to: faces.keys) }
        publishPeaks()
        publishLevels()
    }

    private func publishLevels() {
        guard sendsLevels, let probe, clock.now >= levelsAt + Self.levelInterval else { return }
        levelsAt = clock.now
        var message = AttachMessage()
        // A silent channel has no finite level.
        message.levels = probe.levels.map { $0.isFinite ? max(($0 * 10).rounded() / 10, -200) : -200 }
        server.send(message, to: faces.keys.filter { faces[$0]?.watch.levels ?? false })
    }

    private func publishPeaks() {
        guard let probe, faces.values.contains(where: \.watch.peaks) else { return }
        _ = probe.follow()
        // Bounded: −1, or 0 to 255.
        let new = probe.peaks.map { $0 >= 0 && $0.isFinite ? Int((min($0, 1) * 255).rounded()) : -1 }
        guard new != peaks else { return }
        defer { peaks = new }
        let isSameLength = new.count == peaks.count
        let from = isSameLength ? zip(new, peaks).enumerated().first { $1.0 != $1.1 }?.offset ?? 0 : 0
        let end = isSameLength ? (new.indices.last { new[$0] != peaks[$0] } ?? 0) + 1 : new.count
        let message = Self.message(new, from..<max(from, end))
        server.send(message, to: faces.keys.filter { faces[$0]?.watch.peaks ?? false })
    }

    private static func message(_ peaks: [Int], _ range: Range<Int>) -> AttachMessage {
        var message = AttachMessage()
        message.peaks = AttachMessage.Peaks(count: peaks.count, from: range.lowerBound, values: Array(peaks[range]))
        return message
    }

    /// Passes news of the player on.
    func note(_ notice: ListeningPlayer.Notice) {
        if case .finished(let outcome) = notice { self.outcome = outcome }
        guard hasFaces else { return }
        publish()
        switch notice {
        case .event(let event):
            if let message = AttachMessage.event(event, at: clock.now) { server.send(message, to: faces.keys) }
        case .failure(let failure):
            server.send(.notice(.failure, failure.message.asSentence, name: failure.name), to: faces.keys)
        case .answer(let text): server.send(.notice(.answer, text), to: faces.keys)
        case .note(let text): server.send(.notice(.note, text), to: faces.keys)
        case .resumed(let time):
            let text = "\(player.session.queue.current.shortName) resumes at \(ClockTime.text(time))."
            server.send(.notice(.note, text), to: faces.keys)
        case .suspended, .finished: break
        }
    }

    /// Sends the last message, and closes the socket.
    func stop() {
        publish()
        probe?.stop()
        var message = AttachMessage()
        message.end = AttachMessage.End(outcome)
        server.stop(message)
    }

    // MARK: Requests

    /// Handles an event of the socket.
    func handle(_ event: AttachServer.Event) {
        switch event {
        case .joined(let face):
            publish()
            faces[face] = Face()
            var message = AttachMessage()
            message.hello = AttachMessage.Hello(version: SyrinxVersion.text, process: getpid())
            server.send(message, to: face)
            player.updateTime()
            server.send(states.whole(player.screenState), to: face)
        case .called(let face, let call):
            publish()
            carryOut(call, of: face)
        case .left(let face, let departure): forget(face, departure)
        }
    }

    private func forget(_ face: AttachServer.Face, _ departure: AttachServer.Departure) {
        let gone = faces.removeValue(forKey: face)
        if faces.isEmpty { states.reset() }
        watch()
        // A suspended screen reads nothing, but its terminal has not closed.
        guard departure != .tooSlow else { return }
        // Another screen still shows the player.
        guard let gone, gone.isScreen, !gone.isLeaving, !faces.values.contains(where: \.isScreen) else { return }
        switch gone.rule {
        case .pause: player.carryOut(.pause)
        case .end: player.carryOut(.stop)
        case .play, nil: break
        }
    }

    private func carryOut(_ call: AttachCall, of face: AttachServer.Face) {
        switch call.request {
        case .wish(let wish):
            if case .command(let command) = wish, let reason = status.reason(against: command) {
                return refuse(call, of: face, reason)
            }
            player.handle(.request(wish))
            publish()
        case .open(let inputs, let placement, let start):
            player.add(inputs, placement, startingAt: start)
            publish()
        case .episode(let id, let isNow, let start):
            return find(id) { [post] result in
                post(.episodeFound(FoundEpisode(result: result, call: call.id, face: face, isNow: isNow, start: start)))
            }
        case .outputs:
            DispatchQueue.global(qos: .userInitiated).async { [server] in
                let outputs = OutputEntry.all(OutputDevices.list()).map(AttachMessage.Output.init)
                server.answer(.answer(call.id) { $0.outputs = outputs }, to: face)
            }
            return
        case .rows(let from, let count):
            let rows = AttachMessage.Rows(of: player.session, from: from, count: count)
            return server.answer(.answer(call.id) { $0.rows = rows }, to: face)
        case .picture:
            let picture = player.picture.flatMap { $0.data.count <= AttachProtocol.largestPicture ? $0 : nil }
            return server.answer(.answer(call.id) { $0.picture = picture.map(AttachMessage.Picture.init) }, to: face)
        case .status: return server.answer(.answer(call.id) { $0.status = status }, to: face)
        case .watch(let wanted):
            faces[face]?.watch = wanted
            watch()
            // Others have just got all changes, so that this one is not missing any either.
            if wanted.queue { _ = queue.change(to: player.session) }
            if wanted.peaks, !peaks.isEmpty { server.send(Self.message(peaks, 0..<peaks.count), to: face) }
        case .hangUp(let rule):
            faces[face]?.rule = rule
            faces[face]?.isScreen = true
        case .leave:
            faces[face]?.isLeaving = true
            answer(call, of: face)
            return server.dismiss(face)
        }
        answer(call, of: face)
    }

    private func answer(_ call: AttachCall, of face: AttachServer.Face) {
        server.answer(call.id.map { AttachMessage.answer($0) }, to: face)
    }

    private func refuse(_ call: AttachCall, of face: AttachServer.Face, _ reason: String) {
        server.answer(.refusal(call.id, reason), to: face)
    }

    /// Measures the sound only while a face shows it.
    private func watch() {
        let isWanted = faces.values.contains { $0.watch.levels || $0.watch.peaks }
        if !isWanted, probe != nil {
            probe?.stop()
            (probe, peaks) = (nil, [])
        } else if isWanted, probe == nil {
            probe = ScreenProbe(player) { [post] in post(.screenChanged) }
        }
        if !faces.values.contains(where: \.watch.queue) { queue = QueueFeed() }
    }

    private var status: RemoteStatus {
        let state = player.screenState
        let languages = player.session.item.isOpen ? player.streamer.languages : nil
        var status = RemoteStatus(state, languages: languages)
        status.time = JSONText.seconds(player.time) ?? 0
        return status
    }

    /// Finds an episode of the library on another thread.
    private func find(_ id: Episode.ID, _ finish: @escaping @Sendable (Result<EpisodeItem, Failure>) -> Void) {
        DispatchQueue.global(qos: .userInitiated).async { [library] in
            do throws(Failure) {
                finish(.success(try Self.episode(id, library)))
            } catch {
                finish(.failure(error))
            }
        }
    }

    /// Plays an episode that was found or adds it to the queue, and answers its request after that.
    func take(_ found: FoundEpisode) {
        switch found.result {
        case .success(var item):
            item.chosenStart = found.start
            player.handle(.episodes([item], found.isNow ? .now : .last))
            publish()
            server.answer(found.call.map { AttachMessage.answer($0) }, to: found.face)
        case .failure(let failure):
            server.answer(.refusal(found.call, failure.message, code: failure.code.rawValue), to: found.face)
        }
    }

    private static func episode(_ id: Episode.ID, _ library: Latest<PodcastLibrary>) throws(Failure) -> EpisodeItem {
        let access = LibraryOptions.standard
        let opened = if let known = library.value { known } else { try access.open() }
        library.set(opened)
        return try access.read { () throws(PodcastError) in try EpisodeItem(opened.episode(id), of: opened) }
    }
}
