import SyrinxHTTPStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayerUI
import SyrinxPodcastLibrary

/// A player in another process, as the full screen shows it.
final class RemoteScreenSource: ScreenSource {
    /// Requests whose answers are awaited, by their numbers.
    private enum Question { case rows, picture, outputs, quietOutputs }

    private let connection: AttachConnection
    private var mirror = StateMirror()
    private var queue = QueueMirror()
    private var questions: [Int: Question] = [:]
    private var shown: [Int] = []
    private var outputEntries = OutputEntry.all([])
    private(set) var levels: [Float] = []
    private(set) var peaks: [Float] = []
    private(set) var followed = -1
    private(set) var picture: MediaPicture?
    /// The size of the picture that was requested last, and the item that it belongs to.
    private var requested: (size: Int?, item: Int) = (nil, -1)

    /// The maximum number of peaks.
    private static let mostPeaks = 100_000

    /// Creates a source without any data.
    init(_ connection: AttachConnection) { self.connection = connection }

    /// Whether the state is known.
    var isReady: Bool { mirror.state != nil }
    var state: ListeningState { mirror.state ?? ListeningState() }
    var isPlaying: Bool { mirror.state?.state == .playing }
    // The location is missing if it contains a password.
    var input: ListeningInput? { mirror.state?.item?.location.flatMap { ListeningInput(location: $0) } }
    var transcripts: [Episode.Resource] { [] }
    var network: HTTPByteStream.Options { HTTPByteStream.Options() }
    var queueRevision: Int { queue.revision }
    var outputs: OutputsView {
        OutputsView(
            entries: outputEntries,
            current: mirror.state?.output,
            isReading: questions.values.contains { $0 == .outputs }
        )
    }

    // MARK: Messages

    /// Handles a message of the player.
    /// - Returns: Whether more than the level meters may have changed.
    func take(_ message: AttachMessage) -> Bool {
        if let levels = message.levels {
            self.levels = levels
            return false
        }
        if mirror.take(message), let state = mirror.state {
            if !isPlaying { levels = [] }
            queue.setCount(state.queue.count)
            requestPicture(of: state)
        }
        if let change = message.queue { queue.take(change) }
        if let new = message.peaks { take(new) }
        if let answer = message.answer { take(answer) }
        if message.isDiscarded {
            // It may have been any answer; later ones are ignored and asked for again.
            if questions.values.contains(.rows) { queue.noteDiscard() }
            questions = [:]
        }
        requestRows()
        return true
    }

    private func take(_ new: AttachMessage.Peaks) {
        guard (0...Self.mostPeaks).contains(new.count) else { return }
        if peaks.count != new.count { peaks = [Float](repeating: -1, count: new.count) }
        guard new.from >= 0, new.from <= peaks.count, new.values.count <= peaks.count - new.from else { return }
        for (offset, value) in new.values.enumerated() {
            peaks[new.from + offset] = value >= 0 ? Float(min(value, 255)) / 255 : -1
        }
    }

    private func take(_ answer: AttachMessage.Answer) {
        guard let id = answer.id, let question = questions.removeValue(forKey: id) else { return }
        switch question {
        case .rows: if let rows = answer.rows { queue.take(rows) } else { queue.noteRefusal() }
        case .picture: picture = answer.picture?.picture
        case .outputs, .quietOutputs: if let outputs = answer.outputs { outputEntries = outputs.map(\.entry) }
        }
    }

    private func requestRows() {
        guard let request = queue.next(shown: shown) else { return }
        ask(request, .rows)
    }

    private func requestPicture(of state: ListeningState) {
        let turn = Self.turn(of: state)
        guard requested.size != state.item?.picture || requested.item != turn else { return }
        requested = (state.item?.picture, turn)
        picture = nil
        if requested.size != nil { ask(.picture, .picture) }
    }

    private func ask(_ request: AttachRequest, _ question: Question) {
        if let number = connection.send(request) { questions[number] = question }
    }

    // A part that is repeated is another turn of the same input.
    private static func turn(of state: ListeningState) -> Int {
        (state.item?.entry ?? 0) &* 31 &+ (state.item?.opening ?? 0)
    }

    // MARK: The screen

    func queueEntries(failures: [String: String]) -> [QueueEntry] {
        queue.rows.map { row in
            guard let row else { return QueueEntry(title: "…") }
            return QueueEntry(row, failure: failures[row.name])
        }
    }

    func note(shown: [Int]) {
        guard shown != self.shown else { return }
        self.shown = shown
        requestRows()
    }

    func follow() -> Bool {
        let turn = Self.turn(of: state)
        guard turn != followed, !state.isIdle else { return false }
        followed = turn
        return true
    }

    func refreshOutputs(isQuiet: Bool) {
        guard !questions.values.contains(where: { $0 == .outputs || $0 == .quietOutputs }) else { return }
        ask(.outputs, isQuiet ? .quietOutputs : .outputs)
    }

    func play(_ input: ListeningInput, startingAt time: Double) {
        connection.send(.open([input], .now, start: time))
    }

    func add(episode: Episode.ID, of podcasts: PodcastBrowser, isNow: Bool, startingAt start: Double?) {
        connection.send(.episode(episode, isNow: isNow, start: start))
    }

    func stop() { connection.stop() }
}
