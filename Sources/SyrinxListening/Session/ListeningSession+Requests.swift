import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxPlayback

/// The effects of the listener's wishes.
extension ListeningSession {
    mutating func carryOut(_ request: ListeningRequest, at now: Double) -> [SessionAction] {
        switch request {
        case .command(let command): return carryOut(command, at: now)
        case .setLoop(let loop):
            course.sound.setLoop(loop)
            return []
        case .setShuffled(let isShuffled):
            edit { $0.setShuffled(isShuffled) }
            return []
        case .open(let input):
            course.dropOffer()
            guard course.queue.append(input) else { return [] }
            return course.end(.move(to: queue.count - 1), at: now)
        case .play(let text):
            guard let input = Self.input(text) else {
                return [.refusal(ListeningInput.refusal, name: Redaction.redact(name: text))]
            }
            return play(input, at: now)
        case .setSleep(let goal): return fades(course.sleep.set(goal))
        case .setBypass(let index, let isBypassed): return course.sound.setBypassed(isBypassed, effect: index)
        }
    }

    /// Puts an input behind the current one, and goes to it.
    mutating func play(_ input: ListeningInput, at now: Double) -> [SessionAction] {
        course.dropOffer()
        let place = min(queue.index + 1, queue.count)
        guard course.queue.insert([input], at: place) else { return [fullQueue(Failure.queue)] }
        return carryOut(.goTo(place), at: now)
    }

    mutating func enqueue(_ input: ListeningInput) -> [SessionAction] {
        // A queue that the listener adds to is the listener's own.
        course.keepOffer()
        guard course.queue.append(input) else { return [fullQueue(Failure.control)] }
        return [.answer("Appended to the queue: \(input.title ?? input.shortName).")]
    }

    private func fullQueue(_ name: String) -> SessionAction {
        .refusal("the queue is full: it has \(queue.count) inputs", name: name)
    }

    private mutating func carryOut(_ command: ListeningCommand, at now: Double) -> [SessionAction] {
        if let actions = course.sound.carryOut(command, of: course.episode?.podcast) { return actions }
        let place = course.life.isMoving ? course.life.movingIndex : queue.index
        let (wraps, isIdle) = (settings.loop == .all, isIdle)
        let answer = edit { $0.carryOut(command, from: place, wraps: wraps, isIdle: isIdle) }
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
        let result = change(&course.queue)
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
            let isPaused = isIdle || (isBetween ? course.waiting.isPaused : item.progress.state == .paused)
            return [isPaused ? .play : .pause]
        case .stop: return course.end(.all, at: now)
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
            guard !isBetween, !isIdle, let duration = item.progress.duration else { return [Self.noEnd] }
            return course.repetition.set(part, duration: duration)
        case .cyclePart:
            guard !isBetween, !isIdle else { return [] }
            return item.progress.duration == nil ? [Self.noEnd] : course.repetition.mark(at: item.progress.time)
        case .enqueue(let text):
            guard let input = Self.input(text) else {
                return [.refusal("\(Redaction.redact(name: text)): \(ListeningInput.refusal)")]
            }
            return enqueue(input)
        default: return []
        }
    }

    private static let noEnd = SessionAction.refusal(
        "a part of what has no end cannot be repeated",
        name: Failure.part
    )

    /// The input of a typed path or URL; `nil` if it is none, or standard input.
    private static func input(_ text: String) -> ListeningInput? {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let path = text.hasPrefix("~/") && !home.isEmpty ? home + text.dropFirst() : text
        return ListeningInput(argument: path).flatMap { $0.isStandardInput ? nil : $0 }
    }
}
