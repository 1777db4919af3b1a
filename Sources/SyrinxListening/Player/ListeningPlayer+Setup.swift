package import AVFAudio
package import SyrinxHTTPStream
package import SyrinxPlayback
package import SyrinxStreaming

extension ListeningPlayer {
    /// The inputs of a player and its settings, from a command line or the state of a window.
    package struct Setup {
        /// The queue, and the index of the input that plays first; `nil` is the start of the queue, or a random input if shuffled.
        package var inputs: [ListeningInput] = []
        package var firstIndex: Int?
        /// The settings of the sound.
        package var sound = SoundSettings()
        /// The settings of the command line, and the defaults for settings that neither it nor a podcast gives.
        package var given = ShowSettings()
        /// The repetition that the command line gives.
        package var givenLoop: LoopMode?
        package var general = ShowSettings()
        /// The part of each input that is played.
        package var span = PlayedSpan()
        /// The part of each input that is repeated until the input is left.
        package var repeatedPart: RepeatedPart?
        /// Whether the inputs are shuffled.
        package var shuffles = false
        /// The moment at which playback fades out and ends.
        package var sleep: SleepGoal?
        /// The event that ends the session.
        package var lifetime = SessionLifetime.queue
        /// Whether a command can change the sound, so that the units for that are there from the start.
        package var mayChangeSound = true
        /// The output at the start, and the way to another one.
        package var output = PlayerOutput()
        package var crossfade = Crossfade()
        /// The method of the time-pitch.
        package var algorithm = AVAudioUnitTimePitch.Algorithm.automatic
        /// Units of the face's own, behind the effects of `sound`.
        package var units: [AVAudioUnitEffect] = []
        package var network = HTTPByteStream.Options()
        package var cache: DiskCache?
        /// Whether folders in folders are played too.
        package var listsRecursively = true
        /// The writer of positions.
        package var keeper: PlaceKeeper
        /// Whether the positions of recordings and the queue are saved; positions of episodes always are.
        package var keepsRecordings = true
        /// The rule for stored positions; `nil` begins every recording at its start.
        package var resumption: Resumption?
        /// The episode that the first input is, if it is one, and the position at which it begins.
        package var episode: EpisodeItem?
        package var startTime: Double?
        /// Whether an episode at the end of the queue is followed by the one that the library's queue or its podcast lets follow.
        package var followsEpisodes = false
        /// The passwords of the session.
        package var access = InputAccess()
        /// Returns the present in seconds, from any start.
        package var clock: () -> Double

        /// Creates a setup without inputs.
        package init(keeper: PlaceKeeper, clock: @escaping () -> Double) {
            (self.keeper, self.clock) = (keeper, clock)
        }
    }
}

extension ListeningPlayer.Setup {
    /// Makes the decisions of a player with these settings.
    func makeSession() -> ListeningSession {
        var session = ListeningSession(
            inputs: inputs,
            from: firstIndex,
            settings: sound,
            repeatedPart: repeatedPart,
            shuffling: shuffles ? SystemRandomNumberGenerator() : nil,
            deviceWarning: output.warning,
            lifetime: lifetime
        )
        session.prepare(
            sleep: sleep,
            isPlaced: span.hasStart,
            given: given,
            givenLoop: givenLoop,
            general: general,
            kept: keepsRecordings ? keeper.keptSettings : nil
        )
        if let episode { session.note(episode.facts, of: episode.input) }
        return session
    }

    /// Brings a streamer to the settings, but for its effects.
    func prepare(_ streamer: TimePitchStreamer, _ sound: SoundSettings) {
        streamer.crossfade = crossfade
        (streamer.rate, streamer.pitch) = (Float(sound.rate), Float(sound.pitch))
        streamer.algorithm = algorithm
        streamer.volume = Float(sound.gain)
        sound.adaptive.apply(to: streamer)
        streamer.network = network
        // A script that writes a file keeps nothing.
        if keepsRecordings { streamer.network.broadcastBuffer = keeper.lists?.settings.buffer }
        streamer.cache = cache
    }
}
