import SyrinxStreaming

/// The lifecycle of the current input, from the wait for the user to the last report of its end.
enum InputLife: Equatable, Sendable {
    /// Nothing plays, and the session waits for the user.
    case idle(Rest)
    /// An input is current; it may be ended early.
    case current(Stage, leaving: Departure?)
    /// Playback has ended.
    case finished

    /// The reason why nothing plays.
    enum Rest: Equatable, Sendable {
        /// The user has not chosen anything yet.
        case waiting
        /// The queue is that of an earlier session, which the user can continue.
        case offered
        /// The last input was played to its end; it is still open in the streamer.
        case ended
        /// An input failed for a reason that would affect the next input too.
        case failed(Failure)
    }

    /// The stage of an input.
    ///
    /// `wasTold` is true if the opening has already been reported, for a list or for an input that turned out to be
    /// one.
    enum Stage: Equatable, Sendable {
        /// The input is read as a list. `refusal` is the reason why it is not a recording, if that is the better error
        /// message.
        case reading(refusal: Failure?, wasTold: Bool)
        /// The streamer was asked to open the input. Events before its answer are about the previous input.
        case opening(wasTold: Bool)
        case open(OpenInput)
    }

    /// The reports about an input that is open in the streamer.
    struct OpenInput: Equatable, Sendable {
        /// The reason why an input has ended.
        enum End: Equatable, Sendable { case played, failed }

        /// The end; `nil` until it is reported.
        var end: End?
        /// The last status; `nil` until it is reported.
        var lastState: PlayState?
        /// The time until which the missing one of these two is awaited.
        var deadline: Double?
        /// The turn to which the streamer advances automatically.
        var successor: ListeningQueue.Turn.ID?
        /// Whether the input has produced audio; an input that produces none is not repeated.
        var hasSounded = false

        /// Whether all reports have arrived.
        var isComplete: Bool { lastState == .stopped || lastState != nil && end != nil }
    }

    /// A requested early end.
    struct Departure: Equatable, Sendable {
        var ending: Ending
        /// The time until which the streamer's answer is awaited.
        let deadline: Double
    }

    /// The reason why an input is ended early.
    enum Ending: Equatable, Sendable {
        /// To continue at this index of the queue; `nil` is the end of the queue.
        case move(to: Int?)
        case all
        /// To empty the queue and wait for the user.
        case close
        case interrupted
    }

    /// The stage of the current input.
    var stage: Stage? {
        get { if case .current(let stage, _) = self { stage } else { nil } }
        set {
            guard let newValue, case .current(_, let leaving) = self else { return }
            self = .current(newValue, leaving: leaving)
        }
    }

    /// The reports about the input that is open in the streamer.
    var open: OpenInput? {
        get { if case .open(let open) = stage { open } else { nil } }
        set { if let newValue, open != nil { stage = .open(newValue) } }
    }

    private var leaving: Departure? { if case .current(_, let leaving) = self { leaving } else { nil } }

    /// The reason why the input is being ended early.
    var ending: Ending? { leaving?.ending }
    /// The index in the queue at which playback will continue; `nil` for none.
    var movingIndex: Int? { if case .move(let index) = ending { index } else { nil } }
    /// Whether the input is being ended to continue elsewhere in the queue, or at its end.
    var isMoving: Bool { if case .move = ending { true } else { false } }
    /// The time until which the streamer's last reports are awaited.
    var deadline: Double? { leaving?.deadline ?? open?.deadline }
    var isIdle: Bool { if case .idle = self { true } else { false } }
    /// The reason why nothing plays.
    var rest: Rest? { if case .idle(let rest) = self { rest } else { nil } }
    var isReading: Bool { if case .reading = stage { true } else { false } }
    /// Whether an input is being ended, or a list is being read.
    var isBetween: Bool { isReading || leaving != nil }

    /// Processes an event of the streamer.
    /// - Returns: Whether the event is about this input, and new.
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

    /// Returns whether a report of the input's end is missing; it is awaited until `deadline`, unless a deadline is
    /// set.
    mutating func awaitsReport(until deadline: Double) -> Bool {
        if open?.isComplete ?? false { return false }
        if self.deadline == nil { open?.deadline = deadline }
        return true
    }

    /// Requests an early end, which replaces an earlier request.
    /// - Returns: Whether this is the first request.
    mutating func leave(_ ending: Ending, by deadline: Double) -> Bool {
        guard case .current(let stage, let leaving) = self else { return false }
        self = .current(stage, leaving: Departure(ending: ending, deadline: leaving?.deadline ?? deadline))
        return leaving == nil
    }

    /// Changes the index at which playback will continue.
    mutating func redirect(to index: Int) {
        guard case .current(let stage, var leaving?) = self else { return }
        leaving.ending = .move(to: index)
        self = .current(stage, leaving: leaving)
    }

    /// Returns the required events that were not reported for an ended input, for example because the streamer failed.
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
