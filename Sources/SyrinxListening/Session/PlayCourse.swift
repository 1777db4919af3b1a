import SyrinxPlayback

/// The course of a queue: opens one input after the other, and goes on at the end of each.
///
/// Pure.
struct PlayCourse: Sendable {
    /// The time that the last events of an input are awaited once its end is known or requested, in seconds.
    static let patience = 0.3

    /// The inputs, and the one whose turn it is.
    var queue: ListeningQueue
    /// The facts about the input whose turn it is.
    var item = CurrentItem()
    var life = InputLife.current(.opening(wasTold: false), leaving: nil)
    var sound: ListeningSound
    /// The part that is repeated.
    var repetition: PartRepetition
    /// The intro and the outro of the current input.
    var skips = ItemSkips()
    /// Whether inputs begin at a place that was asked for, so that an intro there is wanted.
    var isPlaced = false
    /// The queue before the last change that took something out of it.
    var formerQueue: FormerQueue?
    /// The end that the listener has asked for.
    var sleep = SleepWatch()
    var suspension = Suspension()
    var waiting = DeferredTransport()
    /// The turns that the streamer was told to play after the current one.
    var following = FollowingTurns()
    /// The number of inputs that have been opened.
    private(set) var openingCount = 0
    /// Whether the input that was opened last follows on another by itself, so that it begins at its start.
    private(set) var opensByItself = false
    /// Whether an input since the queue began anew could be heard.
    var roundHasSounded = false
    /// Brings what playlists name into an order by chance; `nil` keeps theirs.
    private(set) var shuffling: (any RandomNumberGenerator & Sendable)?
    var outcome = SessionOutcome.success
    /// The failure that was reported last.
    var lastFailure: Failure?
    /// A warning that is given once something can be heard.
    var pendingWarning: Failure?
    /// The event that ends the session.
    let lifetime: SessionLifetime
    /// Whether it waits for the listener at the end of the queue, instead of ending.
    var staysOpen: Bool { lifetime != .queue }

    init(
        _ inputs: [ListeningInput],
        from first: Int?,
        _ settings: SoundSettings,
        repeatedPart: RepeatedPart?,
        shuffling: (any RandomNumberGenerator & Sendable)?,
        lifetime: SessionLifetime
    ) {
        queue = ListeningQueue(inputs)
        sound = ListeningSound(settings)
        repetition = PartRepetition(repeatedPart)
        self.lifetime = lifetime
        if let first, queue.canOpen(first) { queue.move(to: first) }
        if var generator = shuffling {
            if first == nil { queue.shuffle(using: &generator) } else { queue.setShuffled(true, using: &generator) }
            self.shuffling = generator
        }
        guard staysOpen else { return }
        life = .idle(inputs.isEmpty ? .waiting : .offered)
        rest()
    }

    /// The facts about the current input, if it is an episode.
    var episode: EpisodeFacts? { sound.shows.facts(of: queue.current) }

    /// The turns that the streamer is to play after the current one by itself.
    var upcoming: [ListeningQueue.Turn] {
        // The streamer would be in the next input already when playback is to end with this one.
        if sleep.endsWithItem { return [] }
        let loop = repetition.part == nil ? sound.settings.loop : .one
        return queue.upcoming(loop, repeats: loop == .one ? life.open?.hasSounded ?? false : roundHasSounded)
    }

    /// Has the streamer follow on with other inputs, if they have changed.
    mutating func follow() -> [SessionAction] {
        guard case .current = life, !life.isBetween else { return [] }
        let basis = FollowingTurns.Basis(
            revision: queue.revision,
            turn: queue.currentTurnID,
            openingCount: openingCount,
            loop: sound.settings.loop,
            part: repetition.part,
            endsWithItem: sleep.endsWithItem,
            hasSounded: life.open?.hasSounded ?? false,
            roundHasSounded: roundHasSounded
        )
        return following.mayChange(basis) ? following.follow(upcoming) : []
    }

    // MARK: Opening

    /// Opens the input whose turn it is.
    /// - Parameters:
    ///   - wasTold: Whether its opening has been told, of the list that names it.
    ///   - byItself: Whether it follows on another input by itself; `nil` for the first input of a list, which is opened as the list was.
    mutating func openCurrent(wasTold: Bool = false, byItself: Bool? = false) -> [SessionAction] {
        guard !queue.isEmpty else { return [] }
        if let byItself { opensByItself = byItself }
        beginInput()
        guard !queue.current.isList else {
            life.stage = .reading(refusal: nil, wasTold: wasTold)
            return [.expand(queue.current)]
        }
        life.stage = .opening(wasTold: wasTold)
        openingCount += 1
        queue.noteOpening()
        following.open(with: upcoming)
        let transport = waiting.take()
        let settings = adoptSettings()
        noteSeeks(transport)
        return settings + [.open(queue.current)] + transport
    }

    /// Forgets the input before.
    /// - Parameter isRepetition: Whether the same input, or a part of it, begins once more.
    mutating func beginInput(isRepetition: Bool = false) {
        queue.forgetLeft()
        if !isRepetition { repetition.beginInput() }
        life = .current(.opening(wasTold: false), leaving: nil)
        item = CurrentItem(queue.current, episode)
        sleep.beginItem()
    }

    /// Brings the sound and the skips to the settings of the current input.
    mutating func adoptSettings() -> [SessionAction] {
        skips = ItemSkips(sound.shows.settings(of: episode?.podcast))
        return sound.adopt(episode?.podcast)
    }

    /// Takes jumps to other places of the current input.
    mutating func noteSeeks(_ actions: [SessionAction]) {
        for action in actions {
            switch action {
            case .seek(let time): skips.seeked(to: time)
            case .skip(let seconds): skips.seeked(to: max(0, item.progress.time + seconds))
            default: break
            }
        }
    }

    // MARK: Lists

    /// Goes on with the first that a playlist names, or tells why it names none.
    mutating func expand(_ result: Result<[ListeningInput], Failure>, at now: Double) -> [SessionAction] {
        guard case .reading(let refusal, let wasTold) = life.stage else { return [] }
        // Ended meanwhile: what it names is not wanted any more.
        if life.ending != nil { return conclude() }
        do throws(Failure) {
            try queue.replaceCurrent(with: try result.get(), shuffledBy: shuffling)
            return openCurrent(wasTold: wasTold, byItself: nil)
        } catch {
            waiting.dropSeeks()
            life.stage = .open(InputLife.OpenInput())
            let opening: [SessionAction] = wasTold ? [] : [.emit(.state(.opening, time: 0))]
            return opening + fail(refusal ?? error, at: now) + handle(PlayState.failed, time: 0, at: now)
        }
    }

    // MARK: Waiting for the listener

    /// Tells what is known of the input whose turn it is, and that nothing is open.
    /// - Parameter time: The place at which it would go on, in seconds.
    mutating func rest(at time: Double = 0) {
        let known = queue.tags(at: queue.index)
        let texts = ["title": known.title, "artist": known.artist, "album": known.album]
        item = CurrentItem(queue.current, episode, tags: texts.compactMapValues(\.self))
        item.progress = PlaybackProgress(state: .stopped, time: time, duration: known.duration)
    }

    /// Opens the input whose turn it is when the listener plays it, and continues an input that was played to its end.
    ///
    /// An input that failed after it was opened begins again at the position that was heard last. Actions that concern a position do
    /// nothing while no input is open.
    mutating func wakeUp(by actions: [SessionAction]) -> [SessionAction] {
        let others = actions.filter { !$0.isTransport }
        switch life.rest {
        case .ended where actions.contains(where: \.isTransport):
            life = .current(.open(InputLife.OpenInput()), leaving: nil)
            item.progress.state = .paused
            if !actions.contains(.play) { waiting.willOpenPaused() }
            noteSeeks(actions)
            return actions
        case .failed where actions.contains(.play):
            let place = item.progress.duration == nil ? nil : item.progress.time
            return others + openCurrent() + (place.map { [.seek($0)] } ?? [])
        default: return actions.contains(.play) ? others + openCurrent() : others
        }
    }

    /// Empties the queue of an earlier session, as the listener opens something else.
    mutating func dropOffer() {
        if life.rest == .offered { queue.removeAll() }
        keepOffer()
    }

    /// Makes the queue of an earlier session the listener's own.
    mutating func keepOffer() { if life.rest == .offered { life = .idle(.waiting) } }
}
