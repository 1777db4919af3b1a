import ArgumentParser
import Foundation
import MediaPlayer
import SyrinxByteStream
import SyrinxDevice
import SyrinxListening
import SyrinxPlayback
import SyrinxStreaming

/// The options of `play` and of other commands that play.
struct PlayOptions: ParsableArguments {
    @Option(
        name: .customLong("output"),
        help: ArgumentHelp(
            "Sound output: auto, pulse[:SINK], alsa[:PCM], null (no sound, in real time) or file:PATH.wav (as fast as possible) (default: the one chosen last while playing, else auto)",
            valueName: "output"
        )
    )
    var givenOutput: OutputArgument?

    /// The output that the command line selects.
    var output: OutputArgument { givenOutput ?? .automatic }

    @Option(
        help: ArgumentHelp(
            "WAV file to which the sound of the output is also written, silence included",
            valueName: "path"
        )
    )
    var record: PathArgument?

    @OptionGroup var sound: SoundOptions

    @OptionGroup var effect: EffectOptions

    @OptionGroup var adaptive: AdaptiveOptions

    @OptionGroup var tone: ToneOptions

    @OptionGroup var skip: SkipOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Sample rate of the engine (default: that of the output; with file: that of the input)",
            valueName: "hertz"
        )
    )
    var sampleRate: Double?

    @Option(
        help: ArgumentHelp(
            "Repetition: none, one (the input) or all (the queue) (default: the one kept for the folder or recording, else none)",
            valueName: "mode"
        )
    )
    var loop: LoopMode?

    @Option(help: ArgumentHelp("Part of each input that is repeated, such as 1:00-1:30", valueName: "from-to"))
    var ab: RepeatedPart?

    @Flag(help: "Play the queue in random order, each input once")
    var shuffle = false

    @Option(help: ArgumentHelp("Preferred languages of the sound, best first, such as de or de,en", valueName: "tags"))
    var language: LanguageList?

    @Option(
        help: ArgumentHelp(
            "Seconds by which an input overlaps with the next, except within an album (0 … 12)",
            valueName: "seconds"
        )
    )
    var crossfade = 0.0

    @Flag(help: "Let the tracks of an album overlap too")
    var crossfadeAlbums = false

    @Flag(help: "Show one line on the terminal, and not the full screen")
    var plain = false

    @Flag(
        help:
            "Start a player without a terminal, and return when it plays; without an input it opens the last queue, paused (see syrinx attach)"
    )
    var detach = false

    @Flag(help: "Write events to standard output as JSON lines")
    var json = false

    @Flag(help: "Read commands from standard input as JSON lines")
    var control = false

    @Flag(
        inversion: .prefixedNo,
        help:
            "Show the player on the desktop and take its media keys (default: yes with a session bus, except with file:)"
    )
    var mpris: Bool?

    @Flag(name: .shortAndLong, help: "Also play the folders inside a folder (the full screen always does)")
    var recursive = false

    @Flag(help: "Do not use the disk cache of downloaded data")
    var noCache = false

    @OptionGroup var listening: ListeningOptions

    @OptionGroup var network: NetworkOptions

    @OptionGroup var text: TextOptions

    func validate() throws {
        if let sampleRate { try SoundOptions.check("--sample-rate", sampleRate, SoundLimits.sampleRate) }
        try SoundOptions.check("--crossfade", crossfade, 0...Crossfade.maximumDuration)
        if let ab, let start = sound.start?.seconds, start >= ab.end {
            throw ValidationError("--start is after the part that --ab repeats")
        }
        guard ab == nil || sound.duration == nil else {
            throw ValidationError("--ab and --duration both set the end of an input")
        }
        guard !detach || !plain && !json && !control && output.path == nil else {
            throw ValidationError("--detach does not go together with --plain, --json, --control and --output file:")
        }
        guard listening.chapter == nil || sound.start == nil && ab == nil else {
            throw ValidationError("--chapter cannot be combined with --start or --ab")
        }
    }

    /// Checks options that depend on the inputs.
    /// - Throws: `ValidationError` if an option is not possible with `input`.
    func check(_ input: [ListeningInput]) throws {
        guard listening.chapter == nil || input.count == 1 else {
            throw ValidationError("--chapter needs exactly one input")
        }
        let standardInputs = input.count(where: \.isStandardInput)
        guard standardInputs <= 1 else { throw ValidationError("standard input can only be played once") }
        guard standardInputs == 0 || !control else {
            throw ValidationError("standard input cannot be both an input and --control")
        }
        for (option, path) in [("--output", output.path), ("--record", record?.path)] {
            guard let path else { continue }
            guard OutputPath.isWAV(path) else { throw ValidationError("\(option) writes a WAV file: name it .wav") }
        }
        if let record = record?.path, let path = output.path, record == path || OutputPath.isSameFile(record, path) {
            throw ValidationError("--output and --record write the same file: \(path.name)")
        }
    }

    /// Returns how playback is displayed.
    func display(of input: [ListeningInput]) -> PlayDisplay {
        if detach { return .silent }
        let term = ProcessInfo.processInfo.environment["TERM"]
        // The screen needs keys, which are unavailable if commands come from a program or the terminal is the input.
        let playsTerminal = input.contains(where: \.isStandardInput) && isatty(STDIN_FILENO) == 1
        return PlayDisplay(
            writesJSON: json,
            isTerminal: isatty(STDERR_FILENO) == 1,
            term: term,
            isPlain: plain || control || playsTerminal || output.path != nil
        )
    }

    /// Whether the player can open without an input, and wait for the user.
    var canStayOpen: Bool {
        (detach || display(of: []) == .screen && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1)
            && sound.start == nil && sound.duration == nil && ab == nil && listening.chapter == nil
    }

    /// Opens the full screen with the last played inputs, paused, or with an empty queue.
    func open(in context: CommandContext) throws(Failure) -> ExitStatus {
        if detach, !DetachedStart.isOwnProcess { return try DetachedStart.repeatCommand(in: context) }
        let last =
            listening.resume == false || DetachedStart.takesOver
            ? nil : try ListeningStore.user().flatMap { state throws(Failure) in try LastListening(state) }
        switch last {
        case .episode(let item):
            return try play(
                [item.input],
                from: 0,
                startingAt: item.startTime,
                episode: item,
                staysOpen: true,
                in: context
            )
        case .queue(let inputs, let index): return try play(inputs, from: index, staysOpen: true, in: context)
        case nil: return try play([], staysOpen: true, in: context)
        }
    }

    /// Plays `input` to its end.
    ///
    /// - Parameters:
    ///   - input: The inputs.
    ///   - first: The index of the input to play first; with `nil`, playback starts with the first input, or with any
    ///     in random order.
    ///   - startTime: The position in the first input at which playback starts, in seconds.
    ///   - episode: The episode to which the input belongs; `nil` for none.
    ///   - follows: Whether other episodes follow an episode at the end of the queue; `nil` means on the full screen only.
    ///   - staysOpen: Whether playback waits for the user at the start, and at the end of the queue.
    ///   - context: The context of the command.
    /// - Returns: The exit code of the process.
    /// - Throws: `Failure` if nothing can be played.
    func play(
        _ input: [ListeningInput],
        from first: Int? = nil,
        startingAt startTime: Double? = nil,
        episode: EpisodeItem? = nil,
        follows: Bool? = nil,
        staysOpen: Bool = false,
        in context: CommandContext
    ) throws(Failure) -> ExitStatus {
        if detach, !DetachedStart.isOwnProcess { return try DetachedStart.repeatCommand(in: context) }
        let detached = detach ? DetachedProcess() : nil
        let taken = detached?.handover?.queue()
        let (input, first) = taken.map { ($0.inputs, $0.index) } ?? (input, first)
        let staysOpen = detached?.handover?.staysOpen ?? staysOpen
        let display = display(of: input)
        /// Whether somebody listens who has a full screen, now or later.
        let hasScreen = display == .screen || detach
        let outputs = [output.path, record?.path].compactMap(\.self)
        // Playlists are searched only if a file is written, which must not be one of their inputs.
        let listsRecursively = recursive || hasScreen
        let claims = outputs.isEmpty ? [] : try InputFiles(input, recursively: listsRecursively).claim(outputs)
        defer { withExtendedLifetime(claims) {} }
        let isListened = display != .silent || detach
        let mayKeepPlaces = listening.resume == true || staysOpen || isListened
        let chosenOutput = mayKeepPlaces && givenOutput == nil ? ListeningStore.user()?.output : nil
        let playOutput = try PlayOutput(
            givenOutput,
            chosen: chosenOutput,
            recordingPath: record?.path,
            playsSeveral: input.count > 1 || input.contains(where: \.mayBeList) || control || loop ?? .none != .none
                || ab != nil
                || display == .drawn || hasScreen
        )
        var (sound, episode) = (sound, episode)
        if let chapter = listening.chapter {
            var feed = episode?.chapters
            sound.start = try chapterStart(chapter, of: input[0], &feed, in: context)
            if let feed { episode?.chapters = feed }
        }
        let isHeard = output != .null && output.path == nil && record == nil && !playOutput.lacksSound
        let keepsPlaces = listening.resume == true || staysOpen || isHeard && isListened
        let store = keepsPlaces ? ListeningStore.user() : nil
        let keeper = PlaceKeeper(store, lists: KeptLists.user(keepsHistory: store != nil))
        var setup = ListeningPlayer.Setup(keeper: keeper) { [clock = context.clock] in clock.now }
        (setup.inputs, setup.firstIndex) = (input, first)
        setup.sound = SoundSettings(
            rate: sound.rate,
            pitch: sound.pitch,
            volume: sound.volume,
            loop: loop ?? .none,
            effects: effect.effects,
            adaptive: adaptive.sound,
            tone: tone.tone,
            languages: language?.tags ?? []
        )
        (setup.given, setup.givenLoop) = (given, loop)
        setup.output.name = playOutput.name
        if let refusal = playOutput.refusal { setup.output.make = { _ throws(Failure) in throw refusal } }
        let span = sound.span
        setup.span = PlayedSpan(start: span.start, end: span.end, hasStart: sound.start != nil)
        (setup.repeatedPart, setup.shuffles, setup.sleep) = (ab, shuffle, listening.sleep)
        setup.lifetime = staysOpen ? .listener : .queue
        setup.crossfade = Crossfade(duration: crossfade, appliesWithinAlbums: crossfadeAlbums)
        setup.algorithm = sound.algorithm.method
        setup.network = network.options(isHeard: output.path == nil)
        let mayFetch = control || hasScreen || input.contains { $0.isWeb || $0.mayBeList }
        setup.cache = noCache || !mayFetch ? nil : DiskCache.user()
        setup.listsRecursively = listsRecursively
        setup.keepsRecordings = store != nil
        (setup.episode, setup.startTime) = (episode, startTime)
        setup.followsEpisodes = follows ?? (display == .screen)
        if store != nil {
            keeper.prune()
            if listening.resume != false, sound.start == nil, sound.duration == nil, ab == nil {
                let begun = shuffle && first == nil ? nil : input.dropFirst(first ?? 0).first
                setup.resumption = Resumption(keeper, requiring: listening.resume == true || staysOpen ? begun : nil)
            }
        }
        if let handover = detached?.handover {
            setup.sound = handover.sound.settings
            setup.sound.setLoop(handover.loop)
            (setup.span.start, setup.span.end) = (handover.start, handover.end)
        }
        var plan = PlayPlan(setup: setup, output: playOutput)
        (plan.detached, plan.episodes) = (detached, taken?.episodes ?? [])
        if display == .screen, outputs.isEmpty { plan.detachOptions = detachOptions(of: playOutput) }
        (plan.sampleRate, plan.keepsSourceFormat) = (sampleRate, output.path != nil)
        plan.desktop = DesktopUse(flag: mpris, isHeard: output.path == nil)
        (plan.writesJSON, plan.readsControl, plan.display) = (json, control, display)
        // Scripts get an exit code. Users, and programs that read events, can end the wait.
        plan.waitsForOutput = display != .silent || json || control
        let runner = PlayRunner(plan, context: context)
        try runner.openSocket()
        return runner.run()
    }
}
