import SyrinxPlayback

/// Plays a queue: opens one input after the other, and continues at the end of each.
///
/// A value without side effects.
struct PlayCourse: Sendable {
    /// The maximum time in seconds to wait for the last events of an input after its end is known or requested.
    static let patience = 0.3

    /// The inputs, and their order.
    var order: PlayOrder
    /// The state of the current input.
    var item = CurrentItem()
    var life = InputLife.current(.opening(wasTold: false), leaving: nil)
    var sound: ListeningSound
    /// The repeated part.
    var repetition: PartRepetition
    /// The intro and the outro of the current input.
    var skips = ItemSkips()
    /// Whether the user requested the position at which inputs begin, so that no intro is skipped.
    var isPlaced = false
    /// The sleep timer.
    var sleep = SleepWatch()
    var suspension = Suspension()
    var waiting = DeferredTransport()
    var failures: FailureRecord
    /// The event that ends the session.
    let lifetime: SessionLifetime
    /// Whether the session waits for the user at the end of the queue, instead of ending.
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

    /// The inputs, one of which is current.
    var queue: ListeningQueue { order.queue }
    /// The podcast information about the current input; `nil` if it is not an episode.
    var episode: EpisodeFacts? { sound.shows.facts(of: queue.current) }

    /// The conditions that decide which inputs come next.
    var conditions: PlayOrder.Conditions {
        PlayOrder.Conditions(sound.settings.loop, repetition.part, sleep, life)
    }

    /// Returns the action that updates the streamer's next inputs, if they have changed.
    mutating func follow() -> [SessionAction] {
        guard case .current = life, !life.isBetween else { return [] }
        return order.follow(conditions)
    }

    // MARK: Opening

    /// Opens the current input.
    /// - Parameters:
    ///   - wasTold: Whether the opening has already been reported, for the list that contains the input.
    ///   - byItself: Whether the input follows another one automatically; `nil` for the first input of a list, for
    ///     which the value of the list applies.
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

    /// Discards the state of the previous input.
    /// - Parameter isRepetition: Whether the same input, or a part of it, begins again.
    mutating func beginInput(isRepetition: Bool = false) {
        order.queue.forgetLeft()
        if !isRepetition { repetition.beginInput() }
        life = .current(.opening(wasTold: false), leaving: nil)
        item = CurrentItem(queue.current, episode)
        skips = ItemSkips()
        sleep.beginItem()
    }

    /// The owner of the settings that the listener changes; `nil` if they hold for all inputs without an owner.
    var settingsOwner: SettingsOwner? { sound.owner(episode, duration: item.progress.duration) }

    /// Brings the sound and the skips to the settings of the current input.
    mutating func adoptSettings() -> [SessionAction] {
        sound.locate(in: queue)
        // The length of a recording is not known before it is open; only long ones have settings.
        let owner = settingsOwner ?? sound.place.map { .place($0) }
        skips.settings = sound.shows.settings(of: owner)
        return sound.adopt(owner)
    }

    // MARK: Lists

    /// Continues with the first input of a playlist, or reports why the playlist cannot be read.
    mutating func expand(_ result: Result<[ListeningInput], Failure>, at now: Double) -> [SessionAction] {
        guard case .reading(let refusal, let wasTold) = life.stage else { return [] }
        // Playback was ended meanwhile, so the inputs of the playlist are discarded.
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

    // MARK: Waiting for the user

    /// Reports the known information about the current input while nothing is open.
    /// - Parameter time: The position at which the input would resume, in seconds.
    mutating func rest(at time: Double = 0) {
        item = CurrentItem(queue.current, episode, known: queue.tags(at: queue.index), at: time)
        sound.locate(in: queue)
    }

    /// Opens the current input when the user starts playback, and continues an input that was played to its end.
    ///
    /// An input that failed while it was open begins again at the last playback position. Seeks do nothing while no
    /// input is open.
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

    /// Empties the queue of an earlier session, because the user opens something else.
    mutating func dropOffer() {
        if life.rest == .offered { order.queue.removeAll() }
        keepOffer()
    }

    /// Confirms the queue of an earlier session.
    mutating func keepOffer() { if life.rest == .offered { life = .idle(.waiting) } }
}
