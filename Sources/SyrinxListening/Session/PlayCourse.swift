import SyrinxPlayback

/// The course of a queue: opens one input after the other, and goes on at the end of each.
///
/// Pure.
struct PlayCourse: Sendable {
    /// The time that the last events of an input are awaited once its end is known or requested, in seconds.
    static let patience = 0.3

    /// The inputs, and their order.
    var order: PlayOrder
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
    /// The end that the listener has asked for.
    var sleep = SleepWatch()
    var suspension = Suspension()
    var waiting = DeferredTransport()
    var failures: FailureRecord
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
        warning: Failure?,
        lifetime: SessionLifetime
    ) {
        order = PlayOrder(inputs, from: first, shuffling: shuffling)
        failures = FailureRecord(warning: warning)
        sound = ListeningSound(settings)
        repetition = PartRepetition(repeatedPart)
        self.lifetime = lifetime
        guard staysOpen else { return }
        life = .idle(inputs.isEmpty ? .waiting : .offered)
        rest()
    }

    /// The inputs, and the one whose turn it is.
    var queue: ListeningQueue { order.queue }
    /// The facts about the current input, if it is an episode.
    var episode: EpisodeFacts? { sound.shows.facts(of: queue.current) }

    /// The state that decides which inputs come next.
    var conditions: PlayOrder.Conditions {
        PlayOrder.Conditions(sound.settings.loop, repetition.part, sleep, life)
    }

    /// Has the streamer follow on with other inputs, if they have changed.
    mutating func follow() -> [SessionAction] {
        guard case .current = life, !life.isBetween else { return [] }
        return order.follow(conditions)
    }

    // MARK: Opening

    /// Opens the input whose turn it is.
    /// - Parameters:
    ///   - wasTold: Whether its opening has been told, of the list that names it.
    ///   - byItself: Whether it follows on another input by itself; `nil` for the first input of a list, which is opened as the list was.
    mutating func openCurrent(wasTold: Bool = false, byItself: Bool? = false) -> [SessionAction] {
        guard !queue.isEmpty else { return [] }
        order.willOpen(byItself: byItself)
        beginInput()
        guard !queue.current.isList else {
            life.stage = .reading(refusal: nil, wasTold: wasTold)
            return [.expand(queue.current)]
        }
        life.stage = .opening(wasTold: wasTold)
        let settings = adoptSettings()
        order.noteOpening(conditions)
        let transport = waiting.take()
        skips.note(transport, at: item.progress.time)
        return settings + [.open(queue.current)] + transport
    }

    /// Forgets the input before.
    /// - Parameter isRepetition: Whether the same input, or a part of it, begins once more.
    mutating func beginInput(isRepetition: Bool = false) {
        order.queue.forgetLeft()
        if !isRepetition { repetition.beginInput() }
        life = .current(.opening(wasTold: false), leaving: nil)
        item = CurrentItem(queue.current, episode)
        sleep.beginItem()
    }

    /// The owner of the settings that the listener changes; `nil` if they hold for all inputs without an owner.
    var settingsOwner: SettingsOwner? { sound.owner(episode, duration: item.progress.duration) }

    /// Brings the sound and the skips to the settings of the current input.
    mutating func adoptSettings() -> [SessionAction] {
        sound.locate(in: queue)
        // The length of a recording is not known before it is open; only long ones have settings.
        let owner = settingsOwner ?? sound.place.map { .place($0) }
        skips = ItemSkips(sound.shows.settings(of: owner))
        return sound.adopt(owner)
    }

    // MARK: Lists

    /// Goes on with the first that a playlist names, or tells why it names none.
    mutating func expand(_ result: Result<[ListeningInput], Failure>, at now: Double) -> [SessionAction] {
        guard case .reading(let refusal, let wasTold) = life.stage else { return [] }
        // Ended meanwhile: what it names is not wanted any more.
        if life.ending != nil { return conclude() }
        do throws(Failure) {
            try order.replaceCurrent(with: try result.get())
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
        item = CurrentItem(queue.current, episode, known: queue.tags(at: queue.index), at: time)
        sound.locate(in: queue)
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
            skips.note(actions, at: item.progress.time)
            return actions
        case .failed where actions.contains(.play):
            let place = item.progress.duration == nil ? nil : item.progress.time
            return others + openCurrent() + (place.map { [.seek($0)] } ?? [])
        default: return actions.contains(.play) ? others + openCurrent() : others
        }
    }

    /// Empties the queue of an earlier session, as the listener opens something else.
    mutating func dropOffer() {
        if life.rest == .offered { order.queue.removeAll() }
        keepOffer()
    }

    /// Makes the queue of an earlier session the listener's own.
    mutating func keepOffer() { if life.rest == .offered { life = .idle(.waiting) } }
}
