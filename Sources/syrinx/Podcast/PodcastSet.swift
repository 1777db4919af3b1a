import ArgumentParser
import Foundation
import SyrinxListening
import SyrinxPlayback
import SyrinxPodcastLibrary
import SyrinxStreaming

/// `syrinx podcast set FEED`.
struct PodcastSet: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Shows and changes the playback and download settings of a podcast.",
        discussion: """
            The settings apply to all episodes of the podcast. Options of the command line override them. A setting that you change \
            while an episode plays is kept for its podcast.
            """
    )
    static let examples = [
        "syrinx podcast set \"The Show\"",
        "syrinx podcast set \"The Show\" --rate 1.5 --skip-intro 30 --voice-boost on",
        "syrinx podcast set 3 --downloads 5",
        "syrinx podcast set 3 --reset rate --reset volume",
    ]

    /// The value of a Boolean setting.
    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    /// The value of `--autoplay`, with the names of `Autoplay`.
    enum Following: String, ExpressibleByArgument, CaseIterable {
        case off, newer, older

        /// The setting that this value selects.
        var autoplay: Autoplay? { Autoplay(rawValue: rawValue) }
    }

    /// The value of `--downloads`: a number of episodes, `all` or `off`.
    struct Downloads: ExpressibleByArgument {
        /// The download rule; `nil` for `off`.
        let rule: DownloadRule?

        init?(argument: String) {
            switch argument {
            case "all": rule = DownloadRule(keptCount: nil)
            case "off": rule = nil
            default:
                guard let count = Int(argument), (1...10_000).contains(count) else { return nil }
                rule = DownloadRule(keptCount: count)
            }
        }
    }

    /// The settings that can be reset, named as their options.
    enum Setting: String, ExpressibleByArgument, CaseIterable {
        case rate, volume, mono, balance, equalizer, autoplay, all
        case smartSpeed = "smart-speed"
        case voiceBoost = "voice-boost"
        case skipIntro = "skip-intro"
        case skipOutro = "skip-outro"
        case skipForward = "skip-forward"
        case skipBack = "skip-back"
    }

    @OptionGroup var library: LibraryOptions
    @Option(parsing: .unconditional, help: ArgumentHelp("Playback rate (0.25 … 4)", valueName: "rate")) var rate:
        Double?
    @Option(parsing: .unconditional, help: ArgumentHelp("Volume (0 … 1)", valueName: "volume")) var volume: Double?
    @Option(help: ArgumentHelp("Shorten the pauses of speech", valueName: "strength")) var smartSpeed: SmartSpeed?
    @Option(help: ArgumentHelp("Bring speech to an even loudness", valueName: "on|off")) var voiceBoost: Switch?
    @Option(help: ArgumentHelp("Mix all channels into one", valueName: "on|off")) var mono: Switch?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Balance of left and right (−1: left only … 1: right only)", valueName: "balance")
    ) var balance: Double?
    @Option(help: ArgumentHelp("Equalizer preset", valueName: "preset")) var equalizer: EqualizerName?
    @OptionGroup var skip: SkipOptions
    @Option(
        help: ArgumentHelp(
            "Number of the newest unplayed episodes that `syrinx podcast refresh --download` keeps, all or off",
            valueName: "count|all|off"
        )
    )
    var downloads: Downloads?
    @Option(
        help: ArgumentHelp("Episodes of the podcast that follow after the queue", valueName: "off|newer|older")
    )
    var autoplay: Following?
    @Option(help: ArgumentHelp("Setting to reset, or all; can be repeated", valueName: "setting")) var reset:
        [Setting] = []
    @Argument(help: "Number, title or feed URL of the podcast", completion: Completion.podcasts) var feed: String

    var writesJSON: Bool { library.json }

    func validate() throws {
        let ranges: [(String, Double?, ClosedRange<Double>)] = [
            ("--rate", rate, 0.25...4), ("--volume", volume, SoundLimits.volume),
            ("--balance", balance, SoundLimits.balance),
        ]
        for (option, value, range) in ranges {
            if let value { try SoundOptions.check(option, value, range) }
        }
    }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let opened = try library.open()
        let podcast = try library.podcast(feed, in: opened)
        let old = try library.read { () throws(PodcastError) in try opened.settings(of: podcast.id) }
        let new = changed(old)
        if new != old { try library.read { () throws(PodcastError) in try opened.setSettings(new, of: podcast.id) } }
        if let downloads {
            try library.read { () throws(PodcastError) in try opened.setDownloadRule(downloads.rule, for: podcast.id) }
        }
        let rule = try library.read { () throws(PodcastError) in try opened.downloadRule(for: podcast.id) }
        context.console.write(ShowReport(podcast, new, rule), asJSON: library.json)
        return .success
    }

    /// Returns the settings with the values from the command line.
    private func changed(_ settings: ShowSettings) -> ShowSettings {
        var given = ShowSettings()
        (given.rate, given.volume, given.balance) = (rate, volume, balance)
        given.smartSpeed = smartSpeed?.strength
        given.voiceBoost = voiceBoost.map { $0 == .on }
        given.isMono = mono.map { $0 == .on }
        given.equalizer = equalizer?.identifier
        skip.set(in: &given)
        given.autoplay = autoplay?.autoplay
        return reset.reduce(settings) { $1.forget(in: $0) }.replaced(by: given)
    }
}

extension PodcastSet.Setting {
    /// Returns the settings with this one reset.
    fileprivate func forget(in settings: ShowSettings) -> ShowSettings {
        var settings = settings
        switch self {
        case .rate: settings.rate = nil
        case .volume: settings.volume = nil
        case .mono: settings.isMono = nil
        case .balance: settings.balance = nil
        case .equalizer: settings.equalizer = nil
        case .autoplay: settings.autoplay = nil
        case .smartSpeed: settings.smartSpeed = nil
        case .voiceBoost: settings.voiceBoost = nil
        case .skipIntro: settings.introDuration = nil
        case .skipOutro: settings.outroDuration = nil
        case .skipForward: settings.skipForward = nil
        case .skipBack: settings.skipBack = nil
        case .all: settings = ShowSettings()
        }
        return settings
    }
}

/// The settings of a podcast in a list; settings without a value are `null`.
struct ShowReport: ListedReport, Equatable {
    var id: Int64
    var title: String
    @NullEncoded var rate: Double?
    @NullEncoded var volume: Double?
    @NullEncoded var smartSpeed: String?
    @NullEncoded var voiceBoost: Bool?
    @NullEncoded var mono: Bool?
    @NullEncoded var balance: Double?
    @NullEncoded var equalizer: String?
    @NullEncoded var skipIntro: Double?
    @NullEncoded var skipOutro: Double?
    @NullEncoded var skipForward: Double?
    @NullEncoded var skipBack: Double?
    @NullEncoded var autoplay: String?
    /// The number of downloaded episodes, `all` or `off`.
    var downloads: String

    init(_ podcast: Podcast, _ settings: ShowSettings, _ rule: DownloadRule?) {
        (id, title) = (podcast.id, podcast.title)
        (rate, volume, balance) = (settings.rate, settings.volume, settings.balance)
        smartSpeed = settings.smartSpeed.map { SmartSpeed(strength: $0).rawValue }
        (voiceBoost, mono, equalizer) = (settings.voiceBoost, settings.isMono, settings.equalizer)
        (skipIntro, skipOutro) = (settings.introDuration, settings.outroDuration)
        (skipForward, skipBack) = (settings.skipForward, settings.skipBack)
        autoplay = settings.autoplay?.rawValue
        downloads = rule.map { $0.keptCount.map { "\($0)" } ?? "all" } ?? "off"
    }

    var text: String {
        let numbers: [(String, Double?)] = [
            ("rate", rate), ("volume", volume), ("balance", balance), ("skip-intro", skipIntro),
            ("skip-outro", skipOutro), ("skip-forward", skipForward), ("skip-back", skipBack),
        ]
        let switches: [(String, Bool?)] = [("voice-boost", voiceBoost), ("mono", mono)]
        let names = [("smart-speed", smartSpeed), ("equalizer", equalizer), ("autoplay", autoplay)]
        let parts =
            numbers.compactMap { name, value in value.map { "\(name) \(SoundLimits.number($0))" } }
            + switches.compactMap { name, value in value.map { "\(name) \($0 ? "on" : "off")" } }
            + names.compactMap { name, value in value.map { "\(name) \($0)" } } + ["downloads \(downloads)"]
        return "\(id)  \(title)  (\(parts.joined(separator: ", ")))"
    }
}
