import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxStreaming

/// The effects of the streamer's events.
extension PlaySession {
    /// The tags with the title that a playlist gives, if they have none.
    func titled(_ tags: [String: String]) -> [String: String] {
        // A CUE sheet describes a track where the tags of the file describe the disc.
        var tags = tags.merging(queue.current.tags) { $1 }
        // The name of a podcast, for an episode whose file names neither it nor who speaks.
        if let show = episode?.title, tags["album"] == nil, tags["artist"] == nil { tags["album"] = show }
        guard tags["title"] == nil, let title = queue.current.title, !title.isEmpty else { return tags }
        return tags.merging(["title": title]) { own, _ in own }
    }

    mutating func handle(_ event: StreamingEvent, at now: Double) -> [Action] {
        if awaitsOpening {
            guard case .status(.opening, _) = event else { return [] }
            awaitsOpening = false
            if hasToldOpening {
                hasToldOpening = false
                return []
            }
        }
        if queue.left != nil, !event.isEnd { return [] }
        switch event {
        case .opened(let info):
            progress.duration = info.duration
            queue.setDuration(info.duration, of: currentTurn.id)
            progress.durationIsEstimate = !info.durationIsExact
            if let size = info.size, size > 0, progress.received.isEmpty { progress.received = [0..<1] }
            tags = titled(info.tags)
            ownChapters = info.chapters
            chapters = ChapterTracker(chapters(ofFile: ownChapters))
            announcedItem = ""
            defer { pendingWarning = nil }
            let warning = pendingWarning.map { [Action.emit(.warning($0)), .warn($0)] } ?? []
            // What has tags of its own tells them itself.
            let title = info.tags.isEmpty ? titled([:]) : [:]
            let metadata = title.isEmpty ? [] : [Action.emit(.metadata(title))]
            return warning + [.emit(.opened(OpenedFields(info, url: name)))] + metadata + announceItem()
                + skipIntro(info)
        case .status(let status, let time):
            return handle(PlayState(status), time: time, at: now)
        case .position(let time):
            progress.time = time
            let events = [.emit(.position(time: time))] + noteChapter()
            let isOver = repetition.part == nil && ending == nil && skips.reached(time)
            return isOver ? events + finishItem(at: now) : events
        case .duration(let seconds, let isExact):
            progress.duration = seconds
            skips.duration = seconds
            queue.setDuration(seconds, of: currentTurn.id)
            progress.durationIsEstimate = !isExact
            return [.emit(.duration(seconds: seconds, isExact: isExact))]
        case .download(let received, let total, let ranges):
            progress.setReceived(ranges, total: total)
            return [.emit(.download(received: received, total: total, ranges: ranges))]
        case .metadata(let new):
            // The titles of a broadcast come without its name.
            tags = titled(new).merging(tags.filter { $0.key == "station" }) { own, _ in own }
            return [.emit(.metadata(titled(new)))] + announceItem()
        case .retry(let attempt, let delay, let code):
            return [.emit(.retry(attempt: attempt, delay: delay, code: code))]
        case .warning(let error):
            return warn(Failure(error, input: name))
        case .missing(let sound):
            return warn(Failure(sound))
        case .outputLost(let error):
            progress.lacksOutput = true
            return warn(Failure(error, input: name))
        case .outputFound(let output):
            progress.lacksOutput = false
            return [.note("Playback continues\(output.map { " on “\($0)”" } ?? "")")]
        case .failed(let error):
            let told = Failure(error, input: name)
            let failure = progress.state == .opening && queue.current.part == nil ? told.givingNothing : told
            return mayBePlaylist(failure) ? readAsPlaylist(failure) : fail(failure, at: now)
        case .advancing(let item):
            advancesTo = item.id
            return []
        case .ended(let frames, let underruns, let bytes):
            hasEnded = true
            let event = Action.emit(
                .ended(frames: frames, underruns: underruns, bytesReceived: bytes, timeSaved: timeSaved)
            )
            return [event] + concludeIfComplete(at: now)
        }
    }

    mutating func handle(_ state: PlayState, time: Double, at now: Double) -> [Action] {
        if hasLastState { return [] }
        progress.state = state
        progress.time = time
        if state != .buffering { progress.lacksOutput = false }
        if state == .paused { waiting.settlePause() }
        let silence = suspension.note(state)
        if state == .playing {
            hasSounded = true
            roundHasSounded = true
            return [.emit(.state(state, time: time))] + noteChapter()
        }
        guard state.isLast else { return [.emit(.state(state, time: time))] + silence }
        hasLastState = true
        if state == .failed { hasFailed = true }
        return [.emit(.state(state, time: time))] + silence + concludeIfComplete(at: now)
    }

    /// Passes over the intro of an input that has been opened.
    private mutating func skipIntro(_ info: MediaInfo) -> [Action] {
        skips.duration = info.duration
        guard info.isSeekable, repetition.part == nil, !isPlaced else { return [] }
        return skips.started(at: progress.time).map { [.seek($0)] } ?? []
    }

    /// One failure of an input is reported: a second one is a consequence of the first.
    mutating func fail(_ failure: Failure, at now: Double) -> [Action] {
        if hasEnded || (ending != nil && failure.isCancellation) { return [] }
        hasEnded = true
        hasFailed = true
        if status == .success, !staysOpen { status = failure.exitStatus }
        // The tracks of a CUE sheet fail alike if their file does.
        let isSaid = queue.current.part != nil && failure == lastFailure
        lastFailure = failure
        let line: [Action] = isSaid ? [] : [.say(failure)]
        return [.emit(.error(failure))] + line + concludeIfComplete(at: now)
    }

    /// Reports the chapter that is being heard, if it is another one than before.
    mutating func noteChapter() -> [Action] {
        guard let index = chapters.move(to: progress.time) else { return [] }
        let chapter = chapters.chapters[index]
        let event = CommandEvent.chapter(index: index, title: chapter.title, start: chapter.start, end: chapter.end)
        return [.emit(event)] + (nowPlaying.chapterLine.map { [.announce($0)] } ?? [])
    }

    /// Announces the input, if it is not called the same as before.
    private mutating func announceItem() -> [Action] {
        let text = nowPlaying.itemLine
        guard text != announcedItem else { return [] }
        announcedItem = text
        return [.announce(text)]
    }

    func warn(_ code: ErrorCode, _ message: String, name: String) -> [Action] {
        warn(Failure(code: code, message: message, name: name))
    }

    func warn(_ failure: Failure) -> [Action] { [.emit(.warning(failure)), .warn(failure)] }
}

extension StreamingEvent {
    /// Whether the event is about the end of an input: other events of an input that has left the queue are dropped.
    fileprivate var isEnd: Bool {
        switch self {
        case .status, .ended, .failed, .advancing: true
        default: false
        }
    }
}
