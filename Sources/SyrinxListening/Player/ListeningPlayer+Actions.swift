import AVFAudio
import Foundation
import SyrinxByteStream
import SyrinxPlayback
import SyrinxPodcastLibrary
import SyrinxStreaming

/// The actions of a session, performed.
extension ListeningPlayer {
    func perform(_ actions: [SessionAction]) { for action in actions { perform(action) } }

    private func perform(_ action: SessionAction) {
        switch action {
        case .emit(let event): emit(event)
        case .say(let failure): onNotice(.failure(failure))
        case .answer(let text): onNotice(.answer(text))
        case .note(let text): onNotice(.note(text))
        case .open: openCurrent()
        case .follow(let turns): streamer.upcoming = turns.map(item)
        case .expand(let input): expansion.begin(input, from: setup.access.list(input))
        case .play: streamer.play()
        case .pause: streamer.pause()
        case .stop:
            expansion.cancel()
            streamer.stop()
        case .seek(let time): seek(to: time)
        case .skip(let seconds): seek(to: time + seconds)
        case .setRate(let rate): streamer.rate = Float(rate)
        case .setPitch(let cents): streamer.pitch = Float(cents)
        case .setVolume(let volume): streamer.volume = Float(volume)
        case .setLanguages(let languages): streamer.setPreferredLanguages(languages)
        case .setEffect(let index, let effect, let keys): effect.apply(to: streamer.effects[index], changing: keys)
        case .setAdaptive(let new, let old): new.apply(to: streamer, replacing: old)
        case .setTone(let new): tone?.apply(new)
        case .setOutput(let name): setOutput(name)
        case .keepShow(let podcast, let settings):
            guard let library = episodes.library(ofPodcast: podcast) else { return }
            setup.keeper.change(library) { library throws(PodcastError) in
                try library.setSettings(settings, of: podcast)
            }
        case .playPart(let time, let end): playPart(from: time, end: end)
        case .setBypass(let index, let isBypassed): streamer.effects[index].bypass = isBypassed
        case .confirmSuspension: onNotice(.suspended)
        case .finish(let outcome): onNotice(.finished(outcome))
        }
    }

    private func openCurrent() {
        // The engine begins afresh, without sound of the input before.
        streamer.stop()
        var item = item(session.queue.currentTurn)
        if session.episode == nil, !session.opensByItself, startTimes[session.queue.current.name] == nil,
            let place = storedPlace(in: session.queue.current)
        {
            item.startTime = place
            onNotice(.resumed(at: place))
        }
        let (post, opening, isLazy) = (post, session.openingCount, !reportsPositionsAtOnce)
        // Events of the input before that are still under way have the number of another opening.
        streamer.open(item, andPlay: true, followedBy: session.upcoming.map(self.item)) { event in
            post(.session(.streaming(event, of: opening)), !isLazy || !event.isPosition)
        }
    }

    /// Returns a turn of the queue as the streamer takes it.
    private func item(_ turn: ListeningQueue.Turn) -> StreamingItem {
        var (start, end) = (setup.span.start, setup.span.end)
        if let part = turn.isRepetition ? session.repetition.part : session.repetition.initial {
            // The first time it may begin elsewhere.
            if turn.isRepetition || !setup.span.hasStart { start = part.start }
            end = part.end
        } else if !session.isPlaced || startTimes[turn.input.name] != nil {
            // A repetition begins at the start of the input, even if the input was opened elsewhere.
            let place = (turn.isRepetition ? nil : startTimes[turn.input.name]) ?? start
            start = session.introEnd(of: turn, from: place) ?? place
        }
        let input = setup.access.stream(turn.input.streamingInput)
        var item = StreamingItem(input, startTime: start, endTime: end, id: turn.id)
        item.preferredLanguages = session.settings.languages
        return item
    }

    private func playPart(from time: Double?, end: Double?) {
        do {
            try streamer.seek(to: time, endingAt: end ?? setup.span.end)
        } catch {
            dropPart()
            handle(.warning(Failure(SyrinxError(error, name: Failure.seek), input: Failure.part)))
        }
    }

    private func seek(to time: Double) {
        let end = session.repetition.part?.end ?? setup.span.end ?? streamer.duration ?? .infinity
        let target = min(max(time, setup.span.start), max(end, setup.span.start))
        do {
            try streamer.seek(to: target)
        } catch {
            handle(.warning(Failure(SyrinxError(error, name: Failure.seek), input: Failure.seek)))
        }
    }
}

extension StreamingEvent {
    /// Whether it is a position, which a streamer reports ten times a second.
    fileprivate var isPosition: Bool { if case .position = self { true } else { false } }
}
