import AVFAudio
import Foundation
import SyrinxHTTPStream
import SyrinxMediaCodec

/// The inputs of a streamer: the current one, its gapless followers, and the items after them.
///
/// It starts and cancels their pumps. Used with the lock of the `PlaybackController` held.
final class TrackQueue {
    /// The maximum number of inputs that are decoded ahead: each needs a thread and an open file.
    private static let maximumFollowers = 8

    /// The settings of the inputs that are opened from now on.
    var settings = StreamerSettings()
    /// The current input.
    private(set) var current = Track(StreamProgress())
    /// The inputs whose samples follow on those of `current` without an end between, in order.
    private(set) var followers: [Track] = []
    /// The next input, which is open and not decoded.
    private(set) var preparing: Track?
    var items = ItemQueue()
    /// The items before the first of `items` that failed to open ahead.
    private(set) var passedOver: [FailedItem] = []
    /// The number of frames by which the last follower overlaps the input before it.
    private(set) var overlap = 0
    /// Whether gains were ever requested.
    var usesGains = false
    private var transition = TransitionMachine()
    /// The end of `current`, until the first follower is heard.
    private var currentEnd = RenderedEnd()
    let output: StreamOutput
    let reporter: StreamReporter
    /// The receiver of the pumps' results.
    weak var host: (any DecodePumpHost)?

    init(_ output: StreamOutput, _ reporter: StreamReporter) { (self.output, self.reporter) = (output, reporter) }

    /// The input that is decoded last.
    var tail: Track { followers.last ?? current }

    /// All inputs that are open.
    var open: [Track] { [current] + followers + [preparing].compactMap(\.self) }

    /// The items after the current one, in playback order.
    var upcoming: [StreamingItem] {
        get { followers.compactMap(\.item) + items.items }
        set {
            items.replace(with: newValue, after: ([current] + followers).compactMap { $0.item?.id })
            // Failed items that are still wanted are tried again.
            passedOver = []
            updateNext()
        }
    }

    /// The first item of those that are not open.
    var nextItem: StreamingItem? { items.first }

    /// Replaces the items that are not open, whatever is.
    func replaceItems(with new: [StreamingItem]) {
        items.replace(with: new)
        passedOver = []
    }

    /// Removes and returns the first item of those that are not open.
    func takeNextItem() -> StreamingItem? { items.takeFirst() }

    /// Returns, once, the items that failed between the current item and the next one.
    func takePassedOver() -> [FailedItem] {
        defer { passedOver = [] }
        return passedOver
    }

    /// Returns the track that `pump` decodes, if it is still needed.
    func track(of pump: DecodePump) -> Track? { open.first { $0.pump === pump } }

    // MARK: Pumps

    private func makePump(
        _ track: Track,
        start: TimeInterval,
        isAhead: Bool = false,
        requiresStart: Bool = true
    ) -> DecodePump? {
        guard let item = track.item, let host else { return nil }
        var network = settings.network
        network.add(item.headers)
        // A single response has a single version.
        network.readsInOneAnswer = track.progress.reopening.readsInOneAnswer
        let decoding = DecodePump.Settings(
            input: item.input,
            network: network,
            cache: settings.cache,
            preference: item.preference,
            start: start,
            end: item.endTime,
            readBufferSize: settings.readBufferSize,
            isListenedTo: output.isListenedTo,
            isAhead: isAhead,
            fadeDuration: settings.crossfade.duration,
            smartSpeed: settings.smartSpeed,
            requiresStart: requiresStart
        )
        return DecodePump(decoding, host: host)
    }

    /// Replaces the current input with `item`, and drops all inputs that were opened for other items.
    ///
    /// If `item` was opened ahead, its input is used. Call `startCurrent()` next.
    func replaceCurrent(with item: StreamingItem) {
        let ahead = preparing?.item == item ? preparing : nil
        if ahead != nil { preparing = nil }
        cancelCurrent()
        dropFollowers()
        current = ahead ?? Track(StreamProgress(item, on: current.progress))
        restartTransition()
    }

    /// Starts the pump of a new current input.
    func startCurrent() {
        if let pump = current.pump { return pump.start() }
        current.pump = makePump(current, start: current.progress.startTime)
        current.pump?.run()
    }

    /// Cancels the pump of the current input.
    func cancelCurrent() {
        current.pump?.cancel()
        current.pump = nil
    }

    /// Resets the current input to an unopened one, or to none.
    func resetCurrent(keepsItem: Bool) {
        let item = keepsItem ? current.item : nil
        current = Track(item.map { StreamProgress($0, on: current.progress) } ?? StreamProgress())
        restartTransition()
    }

    /// Reopens the input of `track` at its decoding position.
    ///
    /// Already decoded samples are played first; both openings are never mixed.
    /// - Parameter readsAhead: Whether the input is current or about to be.
    func openAnew(_ track: Track, readsAhead: Bool) {
        track.progress.timeline.openedAnew()
        // A broadcast continues immediately, instead of skipping as much audio as was heard before.
        let isBroadcast = track.pump?.isBroadcast == true
        track.pump?.cancel()
        let start = isBroadcast ? 0 : track.progress.timeline.decodedTime
        track.pump = makePump(track, start: start, requiresStart: false)
        if readsAhead { track.pump?.readAhead() }
        track.pump?.run()
    }

    /// Decodes the current input from another time.
    /// - Parameter goesBack: Whether the target precedes the decoding position; `nil` compares the times.
    func seek(to time: TimeInterval, goesBack: Bool? = nil) {
        let goesBack = goesBack ?? (time < current.progress.timeline.decodedTime)
        dropFollowers()
        transition.restarted()
        updateNext()
        // The titles of a broadcast that supports seeking are reported again from the target on.
        let keepsTitles = current.pump?.isBroadcast == true && current.pump?.canGoBack != true && !goesBack
        current.progress.move(to: time, keepsTitles: keepsTitles)
        current.pump?.seek(to: time, count: current.progress.timeline.seekCount, goesBack: goesBack)
    }

    /// Sets the end time of the current input, effective at the next seek; `nil` is its end.
    func setEnd(_ end: TimeInterval?) {
        current.progress.item?.endTime = end
        current.pump?.setEnd(end)
    }

    // MARK: The end of the input that is decoded last

    /// Handles the amount of decoded audio: opens the next input in time, and ends playback if that input is late.
    /// - Parameter secondsAhead: The decoded seconds at the output; `nil` if it is stopped, or waits by itself.
    func noteLevel(_ secondsAhead: Double?) {
        if let end = tail.progress.lastTime {
            let left = end - tail.progress.timeline.decodedTime - heldDuration
            perform(transition.remaining(left, playbackRate: output.playbackRate))
        }
        if let secondsAhead { perform(transition.level(secondsAhead)) }
    }

    /// Seconds that are decoded and wait to be scheduled.
    private var heldDuration: TimeInterval {
        Double(tail.pump?.held?.count ?? 0) / tail.progress.readFormat.sampleRate
    }

    /// All of `track` has been decoded: `frameCount` frames since the last seek, or since it was opened anew.
    func reachedEnd(of track: Track, frameCount: Int64) {
        track.progress.timeline.endFrames = track.progress.timeline.framesBefore.addingClamped(frameCount)
        track.progress.timeline.hasReachedEnd = true
        perform(transition.decoded())
    }

    private func perform(_ actions: [TransitionMachine.Action]) {
        for action in actions {
            switch action {
            case .openNext: openNext()
            case .join: joinNext()
            case .end: tail.pump?.finish(isLast: true)
            }
        }
    }

    /// Reports a change of the next item to the transition.
    func updateNext() {
        guard let next = items.nextChange(mayOpen: followers.count < Self.maximumFollowers) else { return }
        if preparing?.item?.id != next.item?.id || !next.mayOpen { dropPreparing() }
        // An output that waits for whole blocks may wait for more than all followers have: it then receives the end.
        let hasNext = next.item != nil && (next.mayOpen || output.mayStarve)
        perform(transition.nextChanged(hasNext: hasNext, mayOpen: next.mayOpen))
    }

    /// Resets the decisions about the next item, because decoding restarts.
    func restartTransition() {
        dropPreparing()
        transition.begin()
        items.forgetReport()
        updateNext()
    }

    // MARK: The next input

    private func openNext() {
        guard let item = items.first else { return }
        let track = Track(StreamProgress(item, on: current.progress), isAhead: true)
        track.pump = makePump(track, start: item.startTime, isAhead: true)
        preparing = track
        track.pump?.run()
    }

    /// Handles an input that was opened ahead and is now known.
    func prepared(_ track: Track, _ info: MediaInfo) {
        if track.pump?.isBroadcast == true {
            // An input that is opened before its turn would be delayed permanently.
            return refusePreparing()
        }
        track.preparedInfo = info
        measureAhead(track)
        perform(transition.prepared())
    }

    /// Rejects the input that was opened ahead: it is opened again in its turn, and may succeed then.
    func refusePreparing() {
        dropPreparing()
        perform(transition.refused())
    }

    /// Handles the failure of an input that was opened ahead.
    ///
    /// The item after it is opened instead, so that there is no silence. The last item is opened again in its turn, and
    /// so is an input that is not a recording, because it may be a playlist.
    func failedPreparing(_ failure: SyrinxError) {
        guard failure.code != .notAudio, items.items.count > 1, let item = items.takeFirst() else {
            return refusePreparing()
        }
        passedOver.append(FailedItem(item: item, failure: failure))
        updateNext()
    }

    /// Joins the samples of the next input to those of the last decoded one.
    private func joinNext() {
        guard let next = preparing, let info = next.preparedInfo, items.takeFirst() != nil else { return }
        let last = tail
        preparing = nil
        next.failedBefore = takePassedOver()
        followers.append(next)
        overlap = overlapFrames(from: last, to: next, info)
        // The frames in the converter belong to the end.
        if overlap > 0 { return last.pump?.finish(isLast: false) ?? () }
        scheduleHeld(of: last)
        switch last.pump?.handOver(to: info) ?? .none {
        case .none: join(next, to: last, continuing: nil)
        case .continues(let conversion): join(next, to: last, continuing: conversion)
        case .differs: last.pump?.finish(isLast: false)
        }
    }

    /// Handles the end of `track`, whose samples were all passed on: the next input follows.
    func finished(_ track: Track) {
        guard let next = followers.last, ([current] + followers).dropLast().last === track else { return }
        guard overlap > 0, let held = track.pump?.held else { return join(next, to: track, continuing: nil) }
        scheduleHeld(of: track, but: overlap)
        join(next, to: track, continuing: nil, fadingOut: held.takeTail())
    }

    private func join(
        _ next: Track,
        to last: Track,
        continuing conversion: Conversion?,
        fadingOut end: FadeTail? = nil
    ) {
        // The frames in the converter are returned with the first samples of the next input, but belong to the previous
        // one.
        if end == nil { next.progress.timeline.cuts.begin(after: last.progress.timeline.completeDecoding()) }
        next.progress.timeline.baseFrame = last.progress.timeline.baseFrame + last.progress.timeline.decodedFrames
        next.isJoined = true
        keepAlbumGain(from: last, to: next)
        if usesGains { updateGain(of: next) }
        next.pump?.start(continuing: conversion, fadingOut: end)
        restartTransition()
    }

    /// Lets go of the input that was opened ahead.
    func dropPreparing() {
        preparing?.pump?.cancel()
        preparing = nil
    }

    /// Drops inputs that were decoded ahead: they are opened again in time.
    func dropFollowers() {
        currentEnd = RenderedEnd()
        guard !followers.isEmpty else { return }
        items.putBack(
            followers.flatMap { $0.failedBefore.map(\.item) + [$0.item].compactMap(\.self) }
                + takePassedOver().map(\.item)
        )
        for track in followers { track.pump?.cancel() }
        followers = []
        dropPreparing()
    }

    // MARK: Hearing

    /// Returns the first follower after the end of the current input was heard.
    func followerHeard(at now: UInt64) -> Track? {
        guard let next = followers.first, next.isJoined,
            output.engine.hasOutputEnded || output.playedFrames >= Double(next.progress.timeline.baseFrame),
            currentEnd.isHeard(at: now, latency: output.engine.presentationLatency + output.heldByEffects)
        else { return nil }
        return next
    }

    /// Makes the first follower the current input.
    ///
    /// Call `updateNext()` once that has been reported.
    func advance() {
        guard let next = followers.first else { return }
        currentEnd = RenderedEnd()
        current.pump?.cancel()
        current = next
        followers.removeFirst()
        publishGains()
    }
}
