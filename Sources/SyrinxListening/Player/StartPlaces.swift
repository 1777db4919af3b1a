package import SyrinxStreaming

/// The positions at which inputs begin, and the part of them that is played.
///
/// One thread.
struct StartPlaces {
    private let span: PlayedSpan
    private let access: InputAccess
    /// The rule for stored positions; `nil` begins every recording at its start.
    private let resumption: Resumption?
    /// The start positions of inputs when they are opened next, in seconds, by name.
    private var times: [String: Double] = [:]

    init(_ setup: ListeningPlayer.Setup) { (span, access, resumption) = (setup.span, setup.access, setup.resumption) }

    /// Sets the start position of an input when it is opened next, in seconds; `nil` uses the stored position or the start.
    mutating func set(_ time: Double?, of input: ListeningInput) { times[input.name] = time }

    /// Records that an input was opened.
    mutating func noteOpening(of input: ListeningInput) {
        resumption?.noteOpening()
        times[input.name] = nil
    }

    /// Returns the position at which an input would continue, in seconds.
    func resting(_ input: ListeningInput) -> Double { times[input.name] ?? stored(input) ?? 0 }

    /// Returns the stored position at which the current input begins; `nil` if it begins elsewhere.
    func resumed(in session: ListeningSession) -> Double? {
        let input = session.queue.current
        guard session.episode == nil, !session.opensByItself, times[input.name] == nil else { return nil }
        return stored(input)
    }

    private func stored(_ input: ListeningInput) -> Double? { resumption?.place(in: input, key: access.key(input)) }

    /// Returns a turn of the queue as the streamer takes it.
    func item(_ turn: ListeningQueue.Turn, in session: ListeningSession) -> StreamingItem {
        var (start, end) = (span.start, span.end)
        if let part = turn.isRepetition ? session.repetition.part : session.repetition.initial {
            // The first time it may begin elsewhere.
            if turn.isRepetition || !span.hasStart { start = part.start }
            end = part.end
        } else if !session.isPlaced || times[turn.input.name] != nil {
            // A repetition begins at the start of the input, even if the input was opened elsewhere.
            let place = (turn.isRepetition ? nil : times[turn.input.name]) ?? start
            start = session.introEnd(of: turn, from: place) ?? place
        }
        let input = access.stream(turn.input.streamingInput)
        var item = StreamingItem(input, startTime: start, endTime: end, id: turn.id)
        item.preferredLanguages = session.settings.languages
        return item
    }

    /// The end of the part that is played, in seconds; `nil` for the end of the input.
    var end: Double? { span.end }

    /// Returns the position nearest to `time` that a seek may reach, in seconds.
    /// - Parameter duration: The length of the input in seconds, if it is known.
    func target(of time: Double, in session: ListeningSession, duration: Double?) -> Double {
        let end = session.repetition.part?.end ?? span.end ?? duration ?? .infinity
        return min(max(time, span.start), max(end, span.start))
    }
}

/// The part of each input that is played.
package struct PlayedSpan {
    /// Seconds of the input at which playing begins.
    package var start = 0.0
    /// Seconds of the input at which playing ends; `nil` for its end.
    package var end: Double?
    /// Whether the listener has asked for the start.
    package var hasStart = false

    /// Creates a span of seconds of an input.
    package init(start: Double = 0, end: Double? = nil, hasStart: Bool = false) {
        (self.start, self.end, self.hasStart) = (start, end, hasStart)
    }
}

/// The ways from an input to the address that is opened, and to the address under which its position is kept.
package struct InputAccess {
    /// Returns a playlist, or an input of the streamer, with the name and password that the listener has typed for its server.
    package var list: (ListeningInput) -> ListeningInput = { $0 }
    package var stream: (StreamingInput) -> StreamingInput = { $0 }
    /// Returns a URL as files on disk have it, without the name and password that the listener has typed for its server.
    package var stored: (URL) -> URL = { $0 }

    /// Creates the access to inputs as they are named.
    package init() {}

    /// Returns the address under which the position and bookmarks of an input are kept; `nil` for standard input.
    package func key(_ input: ListeningInput) -> String? {
        guard let identity = input.identity, let url = URL(string: identity) else { return input.identity }
        let kept = stored(url)
        return kept == url ? identity : kept.absoluteString
    }
}
