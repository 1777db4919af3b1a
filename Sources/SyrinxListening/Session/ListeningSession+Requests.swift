import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxPlayback

/// The effects of the listener's wishes.
extension ListeningSession {
    mutating func carryOut(_ request: ListeningRequest, at now: Double) -> [SessionAction] {
        switch request {
        case .command(let command): return carryOut(command, at: now)
        case .setLoop(let loop): return course.sound.setLoop(loop, of: course.settingsOwner)
        case .setShuffled(let isShuffled):
            edit { $0.setShuffled(isShuffled) }
            return []
        case .add(let inputs, let placement): return add(inputs, placement, at: now)
        case .undoQueueChange: return course.undoQueueChange(at: now)
        case .play(let text):
            guard let input = ListeningInput(typed: text) else {
                return [.refusal(ListeningInput.refusal, name: Redaction.redact(name: text))]
            }
            return add([input], .now, at: now)
        case .setSmartSpeed(let strength): return course.sound.setSmartSpeed(strength, of: course.settingsOwner)
        case .customEqualizer: return course.sound.setCustomEqualizer(of: course.settingsOwner)
        case .setSleep(let goal): return fades(course.sleep.set(goal?.timerGoal))
        case .setBypass(let index, let isBypassed): return course.sound.setBypassed(isBypassed, effect: index)
        }
    }

    /// Adds inputs to the queue, or opens them in its place.
    private mutating func add(_ inputs: [ListeningInput], _ placement: QueuePlacement, at now: Double)
        -> [SessionAction]
    {
        guard let first = inputs.first else { return [] }
        switch placement {
        case .replacing(let index, let isChosen):
            course.keepForUndo(queue, isReplaced: true)
            let new = queue.replaced(by: inputs, at: index, isChosen: isChosen)
            return course.replaceQueue(with: new, at: now)
        case .now, .lastNow: course.dropOffer()
        // A queue that the listener adds to is the listener's own.
        case .next, .last, .at: course.keepOffer()
        }
        let place: Int
        switch placement {
        case .now, .next: place = min(queue.index + 1, queue.count)
        case .at(let index): place = min(max(index, 0), queue.count)
        case .last, .lastNow, .replacing: place = queue.count
        }
        let isNow = [.now, .lastNow].contains(placement)
        guard edit({ $0.insert(inputs, at: place) }) else {
            return [fullQueue(isNow ? Failure.queue : Failure.control)]
        }
        if isNow { return carryOut(.goTo(place), at: now) }
        let name = inputs.count == 1 ? first.title ?? first.shortName : "\(inputs.count) inputs"
        return [.answer(placement == .next ? "Plays next: \(name)." : "Appended to the queue: \(name).")]
    }

    private func fullQueue(_ name: String) -> SessionAction {
        .refusal("the queue is full: it has \(queue.count) inputs", name: name)
    }

    private mutating func carryOut(_ command: ListeningCommand, at now: Double) -> [SessionAction] {
        if command == .forgetSettings {
            return course.sound.forget(course.settingsOwner, named: course.sound.ownerName(episode))
        }
        if let actions = course.sound.carryOut(command, of: course.settingsOwner) { return actions }
        let place = course.life.isMoving ? course.life.movingIndex : queue.index
        let (wraps, isIdle) = (settings.loop == .all, isIdle)
        let former = queue
        let answer = edit { $0.carryOut(command, from: place, wraps: wraps, isIdle: isIdle) }
        if command.removesInputs, queue.count < former.count { course.keepForUndo(former, isReplaced: false) }
        switch answer {
        case .actions(let actions): return actions
        case .go(let index): return course.end(.move(to: index), at: now)
        case .step(let index): return step(to: index, at: now)
        case nil: return move(command, at: now)
        }
    }

    /// Changes the queue, and keeps the input that is being gone to.
    @discardableResult
    private mutating func edit<Result>(_ change: (inout ListeningQueue) -> Result) -> Result {
        let target = course.life.movingIndex.flatMap { queue.identity(at: $0) }
        let current = queue.identity(at: queue.index)
        let result = change(&course.order.queue)
        // The input that the streamer still has is no longer the current one.
        if course.life.isIdle, queue.identity(at: queue.index) != current {
            course.life = .idle(.waiting)
            rest()
        }
        if let target { course.life.redirect(to: queue.index(ofIdentity: target) ?? min(queue.index, queue.count - 1)) }
        return result
    }

    /// Goes to another input.
    ///
    /// A paused player stays paused, as the MPRIS specification says.
    private mutating func step(to index: Int?, at now: Double) -> [SessionAction] {
        if item.progress.state == .paused, !course.life.isBetween, !isIdle { _ = course.waiting.keep([.pause]) }
        return course.end(.move(to: index), at: now)
    }

    /// The effects of commands that pause, or go to another time of the input.
    private mutating func move(_ command: ListeningCommand, at now: Double) -> [SessionAction] {
        let isBetween = course.life.isBetween
        switch command {
        case .pause: return [.pause]
        case .resume: return [.play]
        case .toggle:
            return [wantsPlayback ? .pause : .play]
        case .stop: return course.end(course.lifetime == .window ? .close : .all, at: now)
        case .reload:
            let time = item.progress.duration == nil ? nil : item.progress.time
            // The seek waits for the input to be opened again.
            return carryOut(.goTo(queue.index), at: now) + (time.map { [.seek($0)] } ?? [])
        case .seek(.to(let time)): return [.seek(time)]
        case .seek(.by(let seconds)): return [.skip(seconds)]
        case .skipForward: return [.skip(skipIntervals.forward)]
        case .skipBack: return [.skip(-skipIntervals.back)]
        case .chapter(let index):
            let chapters = isBetween ? [] : item.chapters.chapters
            guard chapters.indices.contains(index) else {
                return [.refusal("there is no chapter with the index \(index): the input has \(chapters.count)")]
            }
            return [.seek(chapters[index].start)]
        // As in mpv, it leads from the last chapter to the next input.
        case .nextChapter:
            guard !isBetween, !item.chapters.chapters.isEmpty else { return [] }
            return item.nextChapter.map { [.seek($0)] } ?? carryOut(.next(isWeak: true), at: now)
        case .previousChapter:
            return isBetween || item.chapters.chapters.isEmpty ? [] : [.seek(item.previousChapter)]
        case .repeatPart(let part):
            guard !isBetween, !isIdle, let duration = item.progress.duration else { return [.noEnd] }
            return course.repetition.set(part, duration: duration)
        case .cyclePart:
            guard !isBetween, !isIdle else { return [] }
            return item.progress.duration == nil ? [.noEnd] : course.repetition.mark(at: item.progress.time)
        case .output(let name): return [.setOutput(name)]
        case .audioTrack(let index): return isBetween || isIdle || !item.isOpen ? [] : [.setAudioTrack(index)]
        case .openPlaylist(let text): return named(text) { .openPlaylist($0) }
        case .savePlaylist(let text):
            guard !queue.isEmpty else { return [.refusal("the queue is empty: there is nothing to save")] }
            return named(text) { .savePlaylist($0) }
        case .favorite:
            guard queue.current.identity != nil else { return [.refusal("the current item cannot be a favorite")] }
            return [.toggleFavorite]
        case .live: return item.isStation ? [.goLive] : [.refusal("only a station has live sound")]
        case .record(let isOn):
            guard item.isStation || recording != nil else { return [.refusal("only a station can be recorded")] }
            return [.record(isOn)]
        case .enqueue(let text):
            guard let input = ListeningInput(typed: text) else {
                return [.refusal("\(Redaction.redact(name: text)): \(ListeningInput.refusal)")]
            }
            return add([input], .last, at: now)
        default: return []
        }
    }

    /// Returns an action on the playlist of a typed name.
    private func named(_ text: String, _ action: (PlaylistName) -> SessionAction) -> [SessionAction] {
        do throws(Failure) { return [action(try PlaylistName(text))] } catch { return [.emit(.warning(error))] }
    }
}
