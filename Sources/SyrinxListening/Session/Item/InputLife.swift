import SyrinxStreaming

/// The life of the input whose turn it is, from the wait for the listener to the last report of its end.
enum InputLife: Equatable, Sendable {
    /// Nothing plays, and the session waits for the listener.
    case idle(Rest)
    /// An input has its turn; it may be left before its end.
    case current(Stage, leaving: Departure?)
    /// All has been played, or ended.
    case finished

    /// The reason why nothing plays.
    enum Rest: Equatable, Sendable {
        /// The listener has chosen nothing yet.
        case waiting
        /// The queue is that of an earlier session, which the listener may continue.
        case offered
        /// The last input was played to its end; the streamer still has it.
        case ended
        /// An input failed in a way that the next input would meet too.
        case failed(Failure)
    }

    /// The way of an input.
    ///
    /// Its opening may have been told already, of a list or of what turned out to be one.
    enum Stage: Equatable, Sendable {
        /// It is read as a list. `refusal` says why it is no recording, where that says more than why it is no list.
        case reading(refusal: Failure?, wasTold: Bool)
        /// The streamer has been told to open it. What comes before its answer is about another input.
        case opening(wasTold: Bool)
        case open(OpenInput)
    }

    /// The reports of an input that the streamer has.
    struct OpenInput: Equatable, Sendable {
        /// The two ways in which an input is over.
        enum End: Equatable, Sendable { case played, failed }

        /// The end, once it or the failure has been told.
        var end: End?
        /// The last state, once it has been told.
        var lastState: PlayState?
        /// The moment up to which the other one of these two is awaited.
        var deadline: Double?
        /// The turn that the streamer goes over to by itself.
        var successor: ListeningQueue.Turn.ID?
        /// Whether it could be heard: what cannot is not played for ever.
        var hasSounded = false

        /// Whether no report is missing.
        var isComplete: Bool { lastState == .stopped || lastState != nil && end != nil }
    }

    /// An early end that has been asked for.
    struct Departure: Equatable, Sendable {
        var ending: Ending
        /// The moment up to which the streamer's answer is awaited.
        let deadline: Double
    }

    /// The reason why an input is ended early.
    enum Ending: Equatable, Sendable {
        /// To go on at this place of the queue; `nil` is behind its end.
        case move(to: Int?)
        case all
        /// To empty the queue and wait for the listener.
        case close
        case interrupted
    }

    /// The stage of the input that has its turn.
    var stage: Stage? {
        get { if case .current(let stage, _) = self { stage } else { nil } }
        set {
            guard let newValue, case .current(_, let leaving) = self else { return }
            self = .current(newValue, leaving: leaving)
        }
    }

    /// The reports of the input that the streamer has.
    var open: OpenInput? {
        get { if case .open(let open) = stage { open } else { nil } }
        set { if let newValue, open != nil { stage = .open(newValue) } }
    }

    private var leaving: Departure? { if case .current(_, let leaving) = self { leaving } else { nil } }

    /// The reason why it is being ended early.
    var ending: Ending? { leaving?.ending }
    /// The place in the queue that is being gone to; `nil` if none is.
    var movingIndex: Int? { if case .move(let index) = ending { index } else { nil } }
    /// Whether another place in the queue is gone to, or its end.
    var isMoving: Bool { if case .move = ending { true } else { false } }
    /// The moment at which the streamer's last words are no longer awaited.
    var deadline: Double? { leaving?.deadline ?? open?.deadline }
    var isIdle: Bool { if case .idle = self { true } else { false } }
    /// The reason why nothing plays.
    var rest: Rest? { if case .idle(let rest) = self { rest } else { nil } }
    var isReading: Bool { if case .reading = stage { true } else { false } }
    /// Whether the streamer still has an input that is over, or is being ended.
    var isBetween: Bool { isReading || leaving != nil }

    /// Takes note of an event of the streamer.
    /// - Returns: Whether the event is news of this input: not of the one before, and not reported already.
    mutating func takes(_ event: StreamingEvent) -> Bool {
        switch stage {
        case .opening(let wasTold):
            guard case .status(.opening, _) = event else { return false }
            stage = .open(OpenInput())
            return !wasTold
        case .open: return true
        case .reading, nil: return false
        }
    }

    /// Returns whether a report of the input's end is missing, which is awaited up to `deadline` unless another moment is set.
    mutating func awaitsReport(until deadline: Double) -> Bool {
        if open?.isComplete ?? false { return false }
        if self.deadline == nil { open?.deadline = deadline }
        return true
    }

    /// Takes the wish to end the input early; a later one counts in place of an earlier one.
    /// - Returns: Whether it is the first.
    mutating func leave(_ ending: Ending, by deadline: Double) -> Bool {
        guard case .current(let stage, let leaving) = self else { return false }
        self = .current(stage, leaving: Departure(ending: ending, deadline: leaving?.deadline ?? deadline))
        return leaving == nil
    }

    /// Goes to another place of the queue than the one that was asked for.
    mutating func redirect(to index: Int) {
        guard case .current(let stage, var leaving?) = self else { return }
        leaving.ending = .move(to: index)
        self = .current(stage, leaving: leaving)
    }

    /// Returns what has not been told of an input that is over: the contract asks for it, whatever became of the streamer.
    func untold(at time: Double) -> [ListeningEvent] {
        let nothing = ListeningEvent.ended(frames: 0, underruns: 0, bytesReceived: 0)
        switch stage {
        case .reading(_, let wasTold), .opening(let wasTold):
            return (wasTold ? [] : [.state(.opening, time: 0)]) + [nothing, .state(.stopped, time: time)]
        case .open(let open) where open.lastState == nil:
            switch open.end {
            case .failed: return [.state(.failed, time: time)]
            case .played: return [.state(leaving == nil ? .ended : .stopped, time: time)]
            case nil: return [nothing, .state(.stopped, time: time)]
            }
        case .open, nil: return []
        }
    }
}
