import AVFAudio
import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxPodcastLibrary
import SyrinxStreaming
import SyrinxTerminal

/// The actions of a session, performed.
extension PlayRunner {
    func handle(_ event: SessionEvent) {
        for action in session.handle(event, at: context.clock.now) { perform(action) }
    }

    func perform(_ action: SessionAction) {
        switch action {
        case .emit(let event):
            if plan.writesJSON { context.console.write(event) }
            plan.listener?.handle(event, of: session, at: context.clock.now)
            records[session.queue.current.name]?.handle(event, of: session)
            if case .opened = event {
                if !plan.staysOpen { plan.listening.resumption?.end() }
                startTimes[session.queue.current.name] = nil
            }
            if let line = spoken.line(for: event) { tell(line) }
            screen?.note(event, of: session, at: context.clock.now)
            if case .warning(let failure) = event { say(failure, isWarning: true) }
            if let line = spoken.item(after: event, NowPlaying(session)) { tell(line) }
        case .say(let failure): say(failure, isWarning: false)
        case .answer(let line): screen?.show(line, isFailure: false, now: context.clock.now)
        case .note(let text):
            if let screen {
                screen.show(text, isFailure: false, now: context.clock.now)
            } else {
                tell(text)
            }
        case .open: openCurrent()
        case .follow(let turns): streamer.upcoming = turns.map(item)
        case .expand(let input): expansion.begin(input)
        case .play: streamer.play()
        case .pause: streamer.pause()
        case .stop:
            expansion.cancel()
            streamer.stop()
        case .seek(let time): seek(to: time)
        case .skip(let seconds): seek(to: (streamer.currentTime ?? session.item.progress.time) + seconds)
        case .setRate(let rate): streamer.rate = Float(rate)
        case .setPitch(let cents): streamer.pitch = Float(cents)
        case .setVolume(let volume): streamer.volume = Float(volume)
        case .setLanguages(let languages): streamer.setPreferredLanguages(languages)
        case .setEffect(let index, let effect, let keys):
            effect.apply(to: streamer.effects[index], changing: keys)
        case .setAdaptive(let new, let old): new.apply(to: streamer, replacing: old)
        case .setTone(let new): tone?.apply(new)
        case .keepShow(let podcast, let settings): keep(settings, of: podcast)
        case .playPart(let time, let end): playPart(from: time, end: end)
        case .setBypass(let index, let isBypassed): streamer.effects[index].bypass = isBypassed
        case .confirmSuspension: confirmSuspension()
        case .finish(let outcome): result = ExitStatus(outcome)
        }
    }

    /// Lets the process be stopped once the fade of a pause has been rendered.
    private func confirmSuspension() {
        let deadline = context.clock.now + SuspensionBarrier.patience
        while !streamer.engine.isHeld, context.clock.now < deadline { usleep(2000) }
        // What stays on the terminal is to say that it is paused.
        draw()
        silence.open()
    }

    private func openCurrent() {
        // So that the engine begins afresh, and takes nothing of the input before with it.
        streamer.stop()
        var item = item(session.queue.currentTurn)
        if session.episode == nil,
            let place = plan.listening.resumption?.place(in: session.queue.current)
        {
            item.startTime = place
            tellResumption(at: place)
        }
        let (mailbox, opening, drawsSoon) = (mailbox, session.openingCount, drawsSoon)
        // What is still on its way of the input before has the number of another opening.
        streamer.open(item, andPlay: true, followedBy: session.upcoming.map(self.item)) { event in
            mailbox.post(.session(.streaming(event, of: opening)), wakes: !drawsSoon || !event.isPosition)
        }
    }

    /// A turn of the queue as the streamer takes it.
    private func item(_ turn: ListeningQueue.Turn) -> StreamingItem {
        var (start, end) = (plan.sound.span.start, plan.sound.span.end)
        if let part = turn.isRepetition ? session.repetition.part : session.repetition.initial {
            // The first time it may begin elsewhere.
            if turn.isRepetition || plan.sound.start == nil { start = part.start }
            end = part.end
        } else if !session.isPlaced || startTimes[turn.input.name] != nil {
            let place = startTimes[turn.input.name] ?? start
            start = session.introEnd(of: turn, from: place) ?? place
        }
        var item = StreamingItem(turn.input.streamingInput, startTime: start, endTime: end, id: turn.id)
        item.preferredLanguages = session.settings.languages
        return item
    }

    /// Whether a position that comes now is soon enough handled with the next drawing of the terminal.
    private var drawsSoon: Bool { isDrawn && !plan.writesJSON }

    private func keep(_ settings: ShowSettings, of podcast: Int64) {
        records.values.first { $0.podcast == podcast }?.keep(settings)
    }

    private func playPart(from time: Double?, end: Double?) {
        do {
            try streamer.seek(to: time, endingAt: end ?? plan.sound.span.end)
        } catch {
            session.dropPart()
            let failure = Failure(SyrinxError(error, name: Failure.seek), input: Failure.part)
            handle(.warning(failure))
        }
    }

    private func seek(to time: Double) {
        let end = session.repetition.part?.end ?? plan.sound.span.end ?? streamer.duration ?? .infinity
        let target = min(max(time, plan.sound.span.start), max(end, plan.sound.span.start))
        do {
            try streamer.seek(to: target)
        } catch {
            let failure = Failure(SyrinxError(error, name: Failure.seek), input: Failure.seek)
            handle(.warning(failure))
        }
    }
}

extension StreamingEvent {
    /// Whether it tells a time of the input, as one does ten times a second.
    fileprivate var isPosition: Bool { if case .position = self { true } else { false } }
}
