import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxStreaming

/// Handling the streamer's events.
extension PlayCourse {
    mutating func handle(_ event: StreamingEvent, at now: Double) -> [SessionAction] {
        guard life.takes(event), queue.left == nil || event.isEnd else { return [] }
        switch event {
        case .status(let status, let time): return handle(PlayState(status), time: time, at: now)
        case .failed(let error):
            let told = Failure(error, input: queue.opened.name)
            let isPart = queue.current.part != nil
            let failure = item.progress.state == .opening && !isPart ? told.givingNothing : told
            return mayBePlaylist(failure) ? readAsPlaylist(failure) : fail(failure, at: now)
        case .advancing(let item):
            life.open?.successor = item.id
            return []
        case .ended(let frames, let underruns, let bytes):
            if life.open?.end == nil { life.open?.end = .played }
            let event = ListeningEvent.ended(
                frames: frames,
                underruns: underruns,
                bytesReceived: bytes,
                timeSaved: item.timeSaved
            )
            return [.emit(event)] + concludeIfComplete(at: now)
        case .opened(let info):
            order.queue.setDuration(info.duration, of: queue.currentTurnID)
            skips.duration = info.duration
            return failures.takeWarning() + item.take(event, of: queue.opened, episode) + skipIntro(info)
        case .position(let time):
            let events = item.take(event, of: queue.opened, episode)
            let isOver = repetition.part == nil && life.ending == nil && skips.reached(time)
            return isOver ? events + finishItem(at: now) : events
        case .duration(let seconds, _):
            skips.duration = seconds
            order.queue.setDuration(seconds, of: queue.currentTurnID)
            return item.take(event, of: queue.opened, episode)
        default: return item.take(event, of: queue.opened, episode)
        }
    }

    mutating func handle(_ state: PlayState, time: Double, at now: Double) -> [SessionAction] {
        guard let open = life.open, open.lastState == nil else { return [] }
        item.progress.state = state
        item.progress.time = time
        if state != .buffering { item.progress.lacksOutput = false }
        if state == .paused { waiting.settlePause() }
        let told = [.emit(.state(state, time: time))] + suspension.note(state)
        if state == .playing {
            life.open?.hasSounded = true
            order.noteSound()
            return told + item.noteChapter()
        }
        guard state.isLast else { return told }
        life.open?.lastState = state
        return told + concludeIfComplete(at: now)
    }

    /// Skips the intro of an input that has been opened.
    private mutating func skipIntro(_ info: MediaInfo) -> [SessionAction] {
        guard info.isSeekable, repetition.part == nil, !isPlaced else { return [] }
        return skips.started(at: item.progress.time).map { [.seek($0)] } ?? []
    }

    /// Reports a failure of the input; further failures are consequences of the first, and are ignored.
    mutating func fail(_ failure: Failure, at now: Double) -> [SessionAction] {
        guard life.open?.end == nil, life.ending == nil || !failure.isCancellation else { return [] }
        life.open?.end = .failed
        let reports = failures.note(failure, isOfPart: queue.current.part != nil, staysOpen: staysOpen)
        return reports + concludeIfComplete(at: now)
    }

    /// Returns whether an input that is not a recording may be a playlist, although its name is not that of one.
    private func mayBePlaylist(_ failure: Failure) -> Bool {
        failure.code == .notAudio && life.ending == nil && !queue.current.isList && !queue.current.isStandardInput
    }

    private mutating func readAsPlaylist(_ failure: Failure) -> [SessionAction] {
        // If the name is that of a list, report the failure of reading the list instead.
        life.stage = .reading(refusal: queue.current.mayBeList ? nil : failure, wasTold: true)
        return [.expand(queue.current)]
    }
}

extension StreamingEvent {
    /// Whether the event is about the end of an input; other events of an input that was removed are ignored.
    fileprivate var isEnd: Bool {
        switch self {
        case .status, .ended, .failed, .advancing: true
        default: false
        }
    }
}
