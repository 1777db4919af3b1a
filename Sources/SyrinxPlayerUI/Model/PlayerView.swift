package import SyrinxListening
package import SyrinxTerminal

/// A snapshot of everything that the screen displays about the player and its lists.
///
/// Texts may be untrusted, because they are filtered when they are drawn. Numbers that are not finite are treated as
/// missing, and numbers out of range are clamped.
package struct PlayerView: Equatable, Sendable {
    /// The time of a monotonic clock in seconds, for messages that disappear and meters that fall.
    package var now = 0.0
    package var item = ItemView()
    package var state = StateView()
    package var sound = SoundView()
    package var effects: [EffectView] = []
    package var queue: [QueueEntry] = []
    /// The index in `queue` of the current item.
    package var currentIndex: Int?
    package var chapters: [ChapterEntry] = []
    /// The index in `chapters` of the current chapter.
    package var currentChapter: Int?
    package var bookmarks: [BookmarkEntry] = []
    package var outputs = OutputsView()
    package var saved = SavedView()
    /// The bookmarks of all recordings if they are listed in place of those of the current item; otherwise `nil`.
    package var allBookmarks: [BookmarkEntry]?
    /// The bookmarks on the page of bookmarks.
    var listedBookmarks: [BookmarkEntry] { allBookmarks ?? bookmarks }
    package var files = FolderView()
    package var podcasts = PodcastsView()
    package var transcript = TranscriptView()
    package var notes = NotesView()

    package init() {}

    /// The end of the chapter that is heard, in seconds; `nil` if it is unknown.
    var chapterEnd: Double? {
        guard let index = currentChapter else { return nil }
        return chapters.indices.contains(index + 1) ? chapters[index + 1].start : state.duration
    }

    /// The view without indices that are out of range.
    var checked: PlayerView {
        var view = self
        if let index = currentIndex, !queue.indices.contains(index) { view.currentIndex = nil }
        if let index = currentChapter, !chapters.indices.contains(index) { view.currentChapter = nil }
        return view
    }
}

/// The texts and the picture of the current item.
package struct ItemView: Equatable, Sendable {
    /// The title of the item, or of the current programme of a broadcast.
    package var title = ""
    package var artist: String?
    package var album: String?
    /// The name of the radio station.
    package var station: String?
    /// The format for display, such as `MP3 · 128 kbit/s · 44.1 kHz`.
    package var format: String?
    package var cover: Picture?
    /// Whether the item is a live stream, which has no end.
    package var isLive = false

    package init() {}
}

/// The playback state of the current item.
package struct StateView: Equatable, Sendable {
    /// A state of playback.
    package enum Kind: String, CaseIterable, Sendable {
        case stopped, opening, buffering, playing, paused, waiting, retrying, ended, failed
    }

    package var kind = Kind.stopped
    /// A short detail of the state, such as `attempt 2 in 4 s`.
    package var detail: String?
    /// Seconds behind the live sound of a station, 0 if that is heard; `nil` for other items.
    package var behind: Double?
    /// The playback position, in seconds.
    package var time = 0.0
    /// The duration in seconds; `nil` if it is unknown.
    package var duration: Double?
    package var isDurationEstimated = false
    /// The peaks at equal intervals, 0…1; negative or NaN if a peak is unknown.
    ///
    /// A few hundred to a few thousand peaks are enough for any terminal.
    package var peaks: [Float] = []
    /// The downloaded parts, as fractions 0…1 of the duration.
    package var received: [ClosedRange<Double>] = []
    /// The ends of the A-B loop, in seconds.
    package var loopStart: Double?
    package var loopEnd: Double?
    /// The time saved by shortening silences, in seconds.
    package var timeSaved: Double?

    package init() {}
}

/// The sound settings and levels.
package struct SoundView: Equatable, Sendable {
    package var rate = 1.0
    /// The pitch shift, in cents.
    package var pitch = 0.0
    /// The volume, 0…1, which is kept while the sound is muted.
    package var volume = 1.0
    package var isMuted = false
    /// The repeat mode.
    package var loop = LoopMode.none
    package var isShuffled = false
    /// The lengths of skips by keys without a number of seconds.
    package var skips = SkipIntervals()
    package var sleep: SleepGoal?
    /// Whether silences are shortened; this and the next two properties are `nil` if the feature is unavailable.
    package var smartSpeed: Bool?
    package var voiceBoost: Bool?
    package var normalization: Bool?
    /// Short descriptions of mono, balance and equalizer settings that differ from the defaults.
    package var tone: [String] = []
    /// The podcast, folder or recording whose settings are kept; `nil` if none are.
    package var keptFor: String?
    /// The peak level of each channel since the last view, in dBFS.
    package var levels: [Float] = []

    package init() {}
}

/// An audio effect.
package struct EffectView: Equatable, Sendable {
    /// A parameter, which is a number or a choice.
    package struct Parameter: Equatable, Sendable {
        package var name: String
        /// The value; for a choice, the index in `choices`.
        package var value: Double
        package var range: ClosedRange<Double>
        package var initial: Double
        /// The unit of a number; empty if it has none.
        package var unit: String
        /// The names of a choice; empty for a number.
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
    /// Whether the effect can be turned on and off.
    package var isSwitchable: Bool
    package var parameters: [Parameter]

    package init(name: String, isEnabled: Bool = true, isSwitchable: Bool = true, parameters: [Parameter]) {
        self.name = name
        self.isEnabled = isEnabled
        self.isSwitchable = isSwitchable
        self.parameters = parameters
    }
}
