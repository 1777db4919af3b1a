package import SyrinxListening
package import SyrinxTerminal

/// All that the screen shows of the player and its lists, as plain data of the moment.
///
/// Texts may come from outside as they are: they are cleaned when they are drawn. Numbers that are not finite or out of
/// their range are drawn as if they were missing or at the end of the range.
package struct PlayerView: Equatable, Sendable {
    /// The time of a clock that never goes back, in seconds: for messages that disappear and meters that fall.
    package var now = 0.0
    package var item = ItemView()
    package var state = StateView()
    package var sound = SoundView()
    package var effects: [EffectView] = []
    package var queue: [QueueEntry] = []
    /// The place in `queue` of the item that plays.
    package var currentIndex: Int?
    package var chapters: [ChapterEntry] = []
    /// The place in `chapters` of the one that is being heard.
    package var currentChapter: Int?
    package var bookmarks: [BookmarkEntry] = []
    package var files = FolderView()
    package var podcasts = PodcastsView()
    package var transcript = TranscriptView()
    package var notes = NotesView()

    package init() {}

    /// The view without places that its lists do not have.
    var checked: PlayerView {
        var view = self
        if let index = currentIndex, !queue.indices.contains(index) { view.currentIndex = nil }
        if let index = currentChapter, !chapters.indices.contains(index) { view.currentChapter = nil }
        return view
    }
}

/// The item that plays: its texts and its picture.
package struct ItemView: Equatable, Sendable {
    /// The title of the item, or of a broadcast's present programme.
    package var title = ""
    package var artist: String?
    package var album: String?
    /// The name of a broadcast's station.
    package var station: String?
    /// The format for people, such as `MP3 · 128 kbit/s · 44.1 kHz`.
    package var format: String?
    package var cover: Picture?
    /// Whether it is a live broadcast, which has no end.
    package var isLive = false

    package init() {}
}

/// The progress of the item that plays.
package struct StateView: Equatable, Sendable {
    /// A state of playback.
    package enum Kind: String, CaseIterable, Sendable {
        case stopped, opening, buffering, playing, paused, waiting, retrying, ended, failed
    }

    package var kind = Kind.stopped
    /// More about the state in a few words, such as `attempt 2 in 4 s`.
    package var detail: String?
    /// The position, in seconds.
    package var time = 0.0
    /// The duration in seconds, if it is known.
    package var duration: Double?
    package var isDurationEstimated = false
    /// The peaks from the start to the end in equal steps, 0…1: negative or no number where none is known yet.
    ///
    /// Some hundreds to some thousands are enough for any terminal.
    package var peaks: [Float] = []
    /// The parts that have arrived, as fractions 0…1 of the whole.
    package var received: [ClosedRange<Double>] = []
    /// The ends of the part that is repeated, in seconds.
    package var loopStart: Double?
    package var loopEnd: Double?
    /// The time that shortened silences have saved, in seconds.
    package var timeSaved: Double?

    package init() {}
}

/// The settings of the sound, and its levels.
package struct SoundView: Equatable, Sendable {
    /// An alarm that ends the listening.
    package enum Sleep: Equatable, Sendable {
        /// In so many seconds.
        case time(Double)
        case endOfChapter, endOfItem
    }

    package var rate = 1.0
    /// In cents.
    package var pitch = 0.0
    /// The volume, 0…1, also while the sound is muted.
    package var volume = 1.0
    package var isMuted = false
    /// The repetition of what has been played.
    package var loop = LoopMode.none
    package var isShuffled = false
    /// Seconds of a skip back and forward by the keys that have no number.
    package var skips = SkipIntervals()
    package var sleep: Sleep?
    /// Whether silences are shortened; `nil` where that is not offered, as for the next two.
    package var smartSpeed: Bool?
    package var voiceBoost: Bool?
    package var normalization: Bool?
    /// Mono, balance and the equalizer in a few words each, where they are not as usual.
    package var tone: [String] = []
    /// The peak of each channel since the last view, in dBFS.
    package var levels: [Float] = []

    package init() {}
}

/// An effect of the graph.
package struct EffectView: Equatable, Sendable {
    /// A parameter that is a number, or one of several names.
    package struct Parameter: Equatable, Sendable {
        package var name: String
        /// The value; of a choice its place in `choices`.
        package var value: Double
        package var range: ClosedRange<Double>
        package var initial: Double
        /// The unit of the number, empty if it has none.
        package var unit: String
        /// The names to choose from; empty for a number.
        package var choices: [String]

        package init(
            name: String,
            value: Double,
            range: ClosedRange<Double>,
            initial: Double,
            unit: String = "",
            choices: [String] = []
        ) {
            self.name = name
            self.value = value
            self.range = range
            self.initial = initial
            self.unit = unit
            self.choices = choices
        }
    }

    package var name: String
    package var isEnabled: Bool
    /// Whether it can be switched on and off as a whole.
    package var isSwitchable: Bool
    package var parameters: [Parameter]

    package init(name: String, isEnabled: Bool = true, isSwitchable: Bool = true, parameters: [Parameter]) {
        self.name = name
        self.isEnabled = isEnabled
        self.isSwitchable = isSwitchable
        self.parameters = parameters
    }
}
