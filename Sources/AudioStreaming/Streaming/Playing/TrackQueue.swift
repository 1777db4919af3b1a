import AVFAudio
import Foundation
import MediaCodec

/// The inputs of a streamer: the one that is heard, those whose samples follow on it, and the items after them.
///
/// It starts and cancels their pumps. Used under the lock of the `PlaybackController`.
final class TrackQueue {
    /// Inputs that are decoded before they are heard, at the most: each has a thread and an open file.
    private static let maximumFollowers = 8

    /// The settings of the inputs that are opened from now on.
    var settings = StreamerSettings()
    /// The input that is heard, or is to be heard.
    private(set) var current = Track(StreamProgress())
    /// The inputs whose samples follow on those of `current` without an end between, in order.
    private(set) var followers: [Track] = []
    /// The next input, which is open and not decoded.
    private(set) var preparing: Track?
    private var items = ItemQueue()
    private var transition = TransitionMachine()
    /// The end of `current`, while the first follower has not been heard.
    private var currentEnd = RenderedEnd()
    private let output: StreamOutput
    /// The receiver of the pumps' results.
    weak var host: (any DecodePumpHost)?

    init(_ output: StreamOutput) { self.output = output }

    /// The input that is decoded last.
    var tail: Track { followers.last ?? current }

    /// All inputs that are open.
    var open: [Track] { [current] + followers + [preparing].compactMap(\.self) }

    /// The items that are played after the current one, in order.
    var upcoming: [StreamingItem] {
        get { followers.compactMap(\.item) + items.items }
        set {
            items.replace(with: newValue, after: ([current] + followers).compactMap { $0.item?.id })
            updateNext()
        }
    }

    /// The first item of those that are not open.
    var nextItem: StreamingItem? { items.first }

    /// Replaces the items that are not open, whatever is.
    func replaceItems(with new: [StreamingItem]) { items.replace(with: new) }

    /// Removes and returns the first item of those that are not open.
    func takeNextItem() -> StreamingItem? { items.takeFirst() }

    /// Returns the track that `pump` decodes, if it is still wanted.
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
        // One answer is of one version, whatever the next would be of.
        network.readsInOneAnswer = track.progress.reopening.readsInOneAnswer
        let decoding = DecodePump.Settings(
            input: item.input,
            network: network,
            cache: settings.cache,
            start: start,
            end: item.endTime,
            readBufferSize: settings.readBufferSize,
            isListenedTo: output.isListenedTo,
            isAhead: isAhead,
            requiresStart: requiresStart
        )
        return DecodePump(decoding, host: host)
    }

    /// Replaces the current input with `item`, and drops all that has been opened for another.
    ///
    /// If `item` has been opened ahead, it goes on from there. Call `startCurrent()` next.
    func replaceCurrent(with item: StreamingItem) {
        let ahead = preparing?.item == item ? preparing : nil
        if ahead != nil { preparing = nil }
        cancelCurrent()
        dropFollowers()
        current = ahead ?? Track(StreamProgress(item, on: current.progress))
        restartTransition()
    }

    /// Starts the pump of an input that has just become the current one.
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

    /// Leaves the current input as one that has not been opened, or as no input.
    func resetCurrent(keepsItem: Bool) {
        let item = keepsItem ? current.item : nil
        current = Track(item.map { StreamProgress($0, on: current.progress) } ?? StreamProgress())
        restartTransition()
    }

    /// Opens the input of `track` again, to go on at the time that decoding had come to.
    ///
    /// The samples that have been decoded are heard first; none of the two are mixed.
    /// - Parameter readsAhead: Whether it is heard already, or about to be.
    func openAnew(_ track: Track, readsAhead: Bool) {
        track.progress.timeline.openedAnew()
        // What is being sent now is not to be passed over until as much has come as was heard before.
        let isBroadcast = track.pump?.isBroadcast == true
        track.pump?.cancel()
        let start = isBroadcast ? 0 : track.progress.timeline.decodedTime
        track.pump = makePump(track, start: start, requiresStart: false)
        if readsAhead { track.pump?.readAhead() }
        track.pump?.run()
    }

    /// Has the current input decoded from another time.
    /// - Parameter goesBack: Whether that lies behind; `nil` if the time tells.
    func seek(to time: TimeInterval, goesBack: Bool? = nil) {
        let goesBack = goesBack ?? (time < current.progress.timeline.decodedTime)
        dropFollowers()
        transition.restarted()
        updateNext()
        current.progress.move(to: time, keepsTitles: current.pump?.isBroadcast == true && !goesBack)
        current.pump?.seek(to: time, count: current.progress.timeline.seekCount, goesBack: goesBack)
    }

    // MARK: The end of the input that is decoded last

    /// Reports how much is decoded: opens the next input when it is time, and ends the sound if that is late.
    /// - Parameter secondsAhead: The decoded seconds at the output; `nil` if it does not run, or waits by itself.
    func noteLevel(_ secondsAhead: Double?) {
        if let end = tail.progress.lastTime {
            let left = end - tail.progress.timeline.decodedTime
            perform(transition.remaining(left, playbackRate: output.playbackRate))
        }
        if let secondsAhead { perform(transition.level(secondsAhead)) }
    }

    /// All of `track` has been decoded: `frameCount` frames since the last seek.
    func reachedEnd(of track: Track, frameCount: Int64) {
        track.progress.timeline.endFrames = frameCount
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

    /// Reports to the transition which item comes next, if that has changed.
    func updateNext() {
        guard let next = items.nextChange(mayOpen: followers.count < Self.maximumFollowers) else { return }
        if preparing?.item?.id != next?.id { dropPreparing() }
        perform(transition.nextChanged(hasNext: next != nil))
    }

    /// Forgets what was decided about the next item: what is decoded begins anew.
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

    /// The input that was opened ahead is known.
    func prepared(_ track: Track, _ info: MediaInfo) {
        if track.pump?.isBroadcast == true {
            // Sooner opened than heard, it would be heard late for good.
            return refusePreparing()
        }
        track.preparedInfo = info
        let agrees = output.nodes?.readFormat(for: info) == current.progress.readFormat
        perform(agrees ? transition.prepared() : transition.refused())
    }

    /// The input that was opened ahead is not to follow: it is opened again in its turn, and may succeed then.
    func refusePreparing() {
        dropPreparing()
        perform(transition.refused())
    }

    /// Has the samples of the next input follow on those of the one that is decoded last.
    private func joinNext() {
        guard let next = preparing, let info = next.preparedInfo, items.takeFirst() != nil else { return }
        let last = tail
        preparing = nil
        followers.append(next)
        switch last.pump?.handOver(to: info) ?? .none {
        case .none: join(next, to: last, continuing: nil)
        case .continues(let conversion): join(next, to: last, continuing: conversion)
        case .differs: last.pump?.finish(isLast: false)
        }
    }

    /// All of `track` has been handed on, and the sound is to go on with the next one.
    func finished(_ track: Track) {
        guard let next = followers.last, ([current] + followers).dropLast().last === track else { return }
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

    /// Lets go of the input that was opened ahead.
    func dropPreparing() {
        preparing?.pump?.cancel()
        preparing = nil
    }

    /// Takes back what has been decoded to follow: it is opened again when it is time.
    func dropFollowers() {
        currentEnd = RenderedEnd()
        guard !followers.isEmpty else { return }
        items.putBack(followers.compactMap(\.item))
        for track in followers { track.pump?.cancel() }
        followers = []
        dropPreparing()
    }

    // MARK: Hearing

    /// Returns the first follower once the end of the current input has been heard.
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
    }
}
