import AVFAudio
import ByteStream
import Foundation
import HTTPStream
import MediaCodec

/// The inputs that come after the one that is heard. All of it under the streamer's lock.
extension Streamer {
    /// Inputs that are decoded before they are heard, at the most: each has a thread and an open file.
    private static let maximumFollowers = 8
    /// The next input is opened when so many seconds of the input before are left to be decoded, at the playback rate.
    private static let openingLead = 20.0
    /// The decoded time at the output, in seconds, below which an input that is still opening is not waited for.
    private static let closingLead = 0.25

    /// The items that are played after the current one, in order.
    ///
    /// The next item is opened some 20 seconds before it is needed, and follows on the very next sample. Where that cannot be
    /// it is opened in its turn: if it failed to open ahead, is a broadcast, needs another `readFormat`, or is not there in time.
    /// After a failure, or `stop()`, nothing follows by itself.
    ///
    /// Of what is set, the items up to the last that is heard already, or decoded to be heard within seconds, are passed over.
    /// Those that are decoded are heard also if they are left out.
    public var upcoming: [StreamingItem] {
        get { lock.withLock { followers.compactMap(\.item) + queue } }
        set {
            lock.withLock {
                let known = Set(([current] + followers).compactMap { $0.item?.id })
                let passed = newValue.lastIndex { known.contains($0.id) }.map { $0 + 1 } ?? 0
                queue = Array(newValue[passed...])
                updateNext()
            }
        }
    }

    /// The input that is decoded last.
    var tail: Track { followers.last ?? current }

    /// The track that `pump` decodes, if it is still wanted.
    func track(of pump: DecodePump) -> Track? {
        if current.pump === pump { return current }
        if let preparing, preparing.pump === pump { return preparing }
        return followers.first { $0.pump === pump }
    }

    // MARK: Opening ahead

    /// Tells the machine of the transition which item comes next, if that has changed.
    func updateNext() {
        let next = followers.count < Self.maximumFollowers ? queue.first : nil
        guard next?.id != nextID else { return }
        nextID = next?.id
        if preparing?.item?.id != nextID { dropPreparing() }
        perform(transition.nextChanged(hasNext: next != nil))
    }

    /// Forgets what was decided about the next item: what is decoded begins anew.
    func restartTransition() {
        dropPreparing()
        transition.begin()
        nextID = nil
        updateNext()
    }

    /// Has the next input opened, and waited for, as far as it is time.
    func noteRemaining() {
        guard let end = tail.progress.lastTime, transition.next == .waiting else { return }
        if end - tail.progress.timeline.decodedTime <= Self.openingLead * max(1, playbackRate) {
            perform(transition.approachesEnd())
        }
    }

    /// Ends the sound in time if the next input is not there before what is decoded is used up.
    func noteRunningDry(secondsAhead: Double) {
        if secondsAhead < Self.closingLead { perform(transition.runsDry()) }
    }

    func perform(_ actions: [TransitionMachine.Action]) {
        for action in actions {
            switch action {
            case .openNext: openNext()
            case .join: beginJoin()
            case .end: tail.pump?.finish(isLast: true)
            }
        }
    }

    private func openNext() {
        guard let item = queue.first else { return }
        let track = Track(StreamProgress(item, on: progress), isAhead: true)
        track.pump = makePump(track, start: item.startTime, isAhead: true)
        preparing = track
        track.pump?.run()
    }

    /// The input that was opened ahead is known.
    func prepared(_ track: Track, _ info: MediaInfo) {
        if track.pump?.networkStream?.isBroadcast == true {
            // Sooner opened than heard, it would be heard late for good.
            dropPreparing()
            return perform(transition.refused())
        }
        track.preparedInfo = info
        let agrees = readFormat(for: info) == progress.readFormat
        perform(agrees ? transition.prepared() : transition.refused())
    }

    // MARK: Joining

    private func beginJoin() {
        guard let next = preparing, let info = next.preparedInfo, !queue.isEmpty else { return }
        let last = tail
        preparing = nil
        queue.removeFirst()
        followers.append(next)
        switch last.pump?.handOver(to: info) ?? .none {
        case .none: join(next, to: last, continuing: nil)
        case .continues(let conversion): join(next, to: last, continuing: conversion)
        case .differs: last.pump?.finish(isLast: false)
        }
    }

    /// All of `track` has been handed on, and the sound is to go on with the next one.
    func finished(_ track: Track) {
        guard followers.count > 0, let next = followers.last, ([current] + followers).dropLast().last === track else {
            return
        }
        join(next, to: track, continuing: nil)
    }

    private func join(_ next: Track, to last: Track, continuing conversion: Conversion?) {
        // What the converter holds is given out with the next input's first samples, and belongs to the one before.
        if let frames = last.progress.timeline.endFrames { last.progress.timeline.decodedFrames = frames }
        next.progress.timeline.baseFrame = last.progress.timeline.baseFrame + last.progress.timeline.decodedFrames
        next.isJoined = true
        next.pump?.start(continuing: conversion)
        restartTransition()
    }

    // MARK: Leaving

    /// Lets go of the input that was opened ahead.
    func dropPreparing() {
        preparing?.pump?.cancel()
        preparing = nil
    }

    /// Takes back what has been decoded to follow: it is opened again when it is time.
    func dropFollowers() {
        passedEndAt = nil
        guard !followers.isEmpty else { return }
        queue.insert(contentsOf: followers.compactMap(\.item), at: 0)
        for track in followers { track.pump?.cancel() }
        followers = []
        dropPreparing()
        nextID = nil
    }

    // MARK: Hearing

    /// Goes over to the next input once the end of the one before has been heard.
    func noteTransition() {
        while let next = followers.first, next.isJoined {
            let isPassed = engine.hasOutputEnded || playedFrameCount >= Double(next.progress.timeline.baseFrame)
            guard isPassed else { return }
            let now = monotonicNanoseconds()
            let passedAt = passedEndAt ?? now
            passedEndAt = passedAt
            guard Double(now - passedAt) >= engine.presentationLatency * 1e9 else { return }
            advance(to: next)
        }
    }

    private func advance(to next: Track) {
        guard let item = next.item else { return }
        passedEndAt = nil
        tellTitles(until: .infinity)
        tellReceived()
        // Of the content so far, some is the next input's.
        let (content, played) = engine.betweenRenders { (engine.outputFrames.content, playedFrameCount) }
        let excess =
            max(0, played - Double(next.progress.timeline.baseFrame)) * progress.outputSampleRate
            / progress.readFormat.sampleRate
        let end = content - Int64(clamped: (excess / playbackRate).rounded())
        let underruns = underrunCount
        hub.send(.advancing(to: item))
        tell(progress.output.totals(content: end, underruns: underruns))
        hub.send(.status(.ended, time: heardTime()))
        current.pump?.cancel()
        next.progress.output.take(from: progress.output, content: end, underruns: underruns)
        current = next
        followers.removeFirst()
        hub.send(.status(.opening, time: next.progress.startTime))
        for event in next.takeHeldEvents() { hub.send(event) }
        hub.send(.status(machine.status, time: heardTime()))
        if let duration { tellDelegate(ofDuration: duration) }
        updateNext()
        if next.progress.failure != nil {
            perform(machine.failed(hasSoundAhead: playerNode.framesAhead > 0 && machine.wantsToPlay))
        }
    }
}
