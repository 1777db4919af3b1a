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
        case .follow(let turns): streamer.upcoming = turns.map { places.item($0, in: session) }
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
        case .setEffect(let index, let effect, let keys): effects.set(keys, of: effect, at: index)
        case .addEffect(let effect): effects.add(effect)
        case .removeEffect(let index): effects.remove(at: index)
        case .moveEffect(let index, let target): effects.move(from: index, to: target)
        case .setAudioTrack(let index): onNotice(.answer(tracks.choose(index, on: streamer, of: session.openingCount)))
        case .setAdaptive(let new, let old): new.apply(to: streamer, replacing: old)
        case .setTone(let new): tone?.apply(new)
        case .setOutput(let name):
            let answer = output.change(to: name) { [post] in post(.output(name, $0), true) }
            if let answer { onNotice(.answer(answer)) }
        case .keepShow(let podcast, let settings):
            guard let library = episodes.library(ofPodcast: podcast) else { return }
            setup.keeper.change(library) { library throws(PodcastError) in
                try library.setSettings(settings, of: podcast)
            }
        case .keepPlace(let place, let changes): setup.keeper.keep(changes, of: place)
        case .playPart(let time, let end): playPart(from: time, end: end)
        case .setBypass(let index, let isBypassed): effects.setBypass(isBypassed, at: index)
        case .openPlaylist(let name): lists.open(name)
        case .savePlaylist(let name): lists.save(session.queue, as: name)
        case .toggleFavorite: lists.toggleFavorite(session)
        case .record(let isOn): station.record(isOn, in: session)
        case .goLive: station.goLive()
        case .confirmSuspension: onNotice(.suspended)
        case .finish(let outcome): onNotice(.finished(outcome))
        }
    }

    private func openCurrent() {
        // The engine begins afresh, without sound of the input before.
        streamer.stop()
        var item = places.item(session.queue.currentTurn, in: session)
        if let place = places.resumed(in: session) {
            item.startTime = place
            onNotice(.resumed(at: place))
        }
        let (post, opening, isLazy) = (post, session.openingCount, !reportsPositionsAtOnce)
        // Events of the input before that are still under way have the number of another opening.
        streamer.open(item, andPlay: true, followedBy: session.upcoming.map { places.item($0, in: session) }) { event in
            post(.session(.streaming(event, of: opening)), !isLazy || !event.isPosition)
        }
    }

    private func playPart(from time: Double?, end: Double?) {
        do {
            try streamer.seek(to: time, endingAt: end ?? places.end)
        } catch {
            dropPart()
            handle(.warning(Failure(SyrinxError(error, name: Failure.seek), input: Failure.part)))
        }
    }

    private func seek(to time: Double) {
        do {
            try streamer.seek(to: places.target(of: time, in: session, duration: streamer.duration))
        } catch {
            handle(.warning(Failure(SyrinxError(error, name: Failure.seek), input: Failure.seek)))
        }
    }
}

extension StreamingEvent {
    /// Whether it is a position, which a streamer reports ten times a second.
    fileprivate var isPosition: Bool { if case .position = self { true } else { false } }
}
