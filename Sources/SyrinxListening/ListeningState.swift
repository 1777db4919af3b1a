import SyrinxByteStream
package import SyrinxMediaCodec
import SyrinxPlayback

/// A snapshot of a player: everything that a user interface draws, except pictures and the rows of the queue.
///
/// A user interface in another process receives it as JSON. When the queue's `revision` changes, it requests the visible rows
/// (``RemoteQueueEntry/all(of:)``), so that a long queue is not sent with each state.
///
///     let state = ListeningState(player.session, time: player.time)
///     let line = try JSONText.encode(state)
package struct ListeningState: Codable, Equatable, Sendable {
    /// The state of playback.
    package var state = PlayState.stopped
    /// The current time of the item, in seconds.
    package var time = 0.0
    /// Whether the item is to play, even while it waits for data or for an output.
    package var wantsPlayback = false
    /// Whether playback waits for a sound output.
    package var lacksOutput = false
    /// Whether nothing is open and the player waits for the listener.
    package var isIdle = true
    /// The failure that stopped playback.
    package var failure: Problem?
    /// The current item; `nil` if the queue is empty.
    package var item: Item?
    package var queue = Queue()
    package var sound = Sound()
    /// The part of the item that is repeated, in seconds; the end is missing until the listener sets it.
    package var partStart: Double?
    package var partEnd: Double?
    /// The end that the listener has asked for: `chapter`, `item`, or `time` with the seconds left.
    package var sleep: String?
    package var sleepRemaining: Double?
    /// The recording in progress; `nil` without a recording.
    package var recording: RecordingStatus?
    /// The distance behind the live sound of a station, in whole seconds; `nil` for items without a timeshift buffer.
    package var behind: Double?
    /// The seconds of a skip.
    package var skipForward = 0.0
    package var skipBack = 0.0
    /// The name of the output, as the command `output` takes it.
    package var output = PlayerOutput.automatic

    /// The state of a player without an item.
    package init() {}

    /// A failure, as a user interface shows it.
    package struct Problem: Codable, Equatable, Sendable {
        /// The error code, which is stable across versions.
        package var code: String
        /// The message, one sentence.
        package var message: String
        /// The name of the input or output that failed.
        package var name: String
    }

    /// The current item.
    package struct Item: Codable, Equatable, Sendable {
        /// Numbers that change whenever an item is opened, also if it is the same one.
        package var turn: Int
        package var opening: Int
        /// The identity of the item in the queue; it stays the same when the item moves.
        package var entry: Int?
        /// The address or path, without a password.
        package var name: String
        /// The location under which positions and bookmarks are saved; missing if it contains a password.
        package var location: String?
        /// The name to show if the item has no title.
        package var shortName: String
        /// The URL that the desktop's panels may show.
        package var url: String?
        /// The tags of the item, or of the current programme of a broadcast.
        package var tags: [String: String]
        /// Whether the item is open, so that its length, tags and chapters are known.
        package var isOpen: Bool
        /// The length in seconds, and whether it is an estimate.
        package var duration: Double?
        package var durationIsEstimate: Bool
        /// The number of the episode in the podcast library, and the title of its podcast.
        package var episode: Int64?
        package var show: String?
        package var chapters: [Chapter]
        /// The index of the current chapter.
        package var chapter: Int?
        /// Whether the item is a station, and whether it is a favorite; `nil` while unknown.
        package var isStation: Bool
        package var isFavorite: Bool?
        /// The parts that have been received, as pairs of fractions of the item, 0…1.
        package var received: [[Double]]
        /// The time that shortened silences saved, in seconds.
        package var timeSaved: Double?
        /// The format of the recording; missing until it is known.
        package var format: Format?
        /// The size of the picture in bytes, which changes with the picture; missing for an item without a picture.
        package var picture: Int?
    }

    /// The format of a recording.
    package struct Format: Codable, Equatable, Sendable {
        package var codec: String
        /// In hertz.
        package var sampleRate: Double
        package var channels: Int
        /// The name of the channel layout; it can be empty.
        package var layout: String
        /// In bits per second.
        package var bitRate: Int?
    }

    /// A chapter, with its start and end in seconds.
    package struct Chapter: Codable, Equatable, Sendable {
        package var title: String?
        package var start: Double
        package var end: Double
    }

    /// The queue, without its rows.
    package struct Queue: Codable, Equatable, Sendable {
        /// A number that changes whenever the inputs, their order or their tags change.
        package var revision = 0
        package var index = 0
        package var count = 0
        package var isShuffled = false
        package var loop = LoopMode.none
        package var canGoNext = false
        package var canGoPrevious = false
        /// Whether the last removal can be undone.
        package var canUndo = false
    }

    /// The settings of the sound.
    package struct Sound: Codable, Equatable, Sendable {
        package var rate = 1.0
        /// In cents.
        package var pitch = 0.0
        /// The volume, 0…1, also while the sound is muted.
        package var volume = 1.0
        package var isMuted = false
        package var isMono = false
        package var balance = 0.0
        package var equalizer = Tone().equalizer
        /// The strength with which silences are shortened, 0…1.
        package var smartSpeed = 0.0
        package var voiceBoost = false
        /// The target of the loudness normalization, in LUFS.
        package var normalization: Double?
        /// The effects in order, in the format of the option `--effect`.
        package var effects: [String] = []
        /// The indices of the bypassed effects.
        package var bypassed: [Int] = []
        /// The name of the podcast, folder or recording whose saved settings apply; missing if none do.
        package var keptFor: String?
        package var languages: [String] = []
    }
}

extension ListeningState {
    /// The state of a session.
    /// - Parameters:
    ///   - time: The current time in seconds; `nil` uses the time reported last.
    ///   - format: The format of the item, if it is known.
    ///   - output: The name of the output.
    package init(
        _ session: ListeningSession,
        time: Double? = nil,
        format: Format? = nil,
        output: String = PlayerOutput.automatic
    ) {
        let progress = session.item.progress
        (state, isIdle) = (progress.state, session.isIdle)
        self.time = time ?? progress.time
        (wantsPlayback, lacksOutput) = (session.wantsPlayback, progress.lacksOutput)
        failure = session.failure.map { Problem(code: $0.code.rawValue, message: $0.message, name: $0.name) }
        item = session.queue.isEmpty ? nil : Item(session, format)
        self.output = output
        queue = Queue(session)
        sound = Sound(session.settings)
        sound.keptFor = session.keptFor
        (partStart, partEnd) = (session.repetition.start, session.repetition.end)
        sleep = session.sleepGoal?.name
        if case .time(let left) = session.sleepGoal { sleepRemaining = left }
        recording = session.recording
        (skipForward, skipBack) = (session.skipIntervals.forward, session.skipIntervals.back)
    }
}

extension ListeningState.Item {
    fileprivate init(_ session: ListeningSession, _ format: ListeningState.Format?) {
        let (item, input) = (session.item, session.queue.current)
        let identity = input.identity
        self.init(
            turn: session.queue.currentTurnID,
            opening: session.openingCount,
            entry: session.queue.identity(at: session.queue.index),
            name: input.name,
            location: identity.flatMap { Redaction.redact(name: $0) == $0 ? $0 : nil },
            shortName: input.shortName,
            url: input.shownURL,
            tags: item.tags,
            isOpen: item.isOpen,
            duration: item.progress.duration,
            durationIsEstimate: item.progress.durationIsEstimate,
            episode: session.episode?.id,
            show: session.episode?.title,
            chapters: item.chapters.chapters.map {
                ListeningState.Chapter(title: $0.title, start: $0.start, end: $0.end)
            },
            chapter: item.chapters.current,
            isStation: item.isStation,
            isFavorite: item.isFavorite,
            received: item.progress.received.map { [$0.lowerBound, $0.upperBound] },
            timeSaved: item.timeSaved,
            format: format
        )
    }
}

extension ListeningState.Format {
    /// The format of an opened recording.
    package init(_ info: MediaInfo) {
        self.init(
            codec: info.codec,
            sampleRate: info.sampleRate,
            channels: info.channelCount,
            layout: info.channelLayout,
            bitRate: info.bitRate
        )
    }
}

extension ListeningState.Queue {
    fileprivate init(_ session: ListeningSession) {
        let (queue, loop) = (session.queue, session.settings.loop)
        self.init(
            revision: queue.revision,
            index: queue.index,
            count: queue.count,
            isShuffled: queue.isShuffled,
            loop: loop,
            canGoNext: queue.index(after: queue.index, wraps: loop == .all) != nil,
            canGoPrevious: queue.index(before: queue.index, wraps: loop == .all) != nil,
            canUndo: session.canUndoQueueChange
        )
    }
}

extension ListeningState.Sound {
    fileprivate init(_ settings: SoundSettings) {
        self.init(
            rate: settings.rate,
            pitch: settings.pitch,
            volume: settings.volume,
            isMuted: settings.isMuted,
            isMono: settings.tone.isMono,
            balance: settings.tone.balance,
            equalizer: settings.tone.equalizer,
            smartSpeed: settings.adaptive.smartSpeed.strength,
            voiceBoost: settings.adaptive.boostsVoice,
            normalization: settings.adaptive.normalization,
            effects: settings.effects.map(\.text),
            bypassed: settings.effects.indices.filter(settings.isBypassed),
            languages: settings.languages
        )
    }
}
