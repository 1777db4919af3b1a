public import Foundation
import Synchronization

/// The number of times that a loop plays: 1 or more, or `forever`.
public struct AVMusicTrackLoopCount: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int

    /// Creates a count from a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Repeats forever.
    public static let forever = AVMusicTrackLoopCount(rawValue: -1)
}

/// A track of a sequencer: its events, their destination, and settings such as muting and looping.
///
/// `AVAudioSequencer` creates tracks. Call them from any thread except the render thread. A change during playback
/// takes effect at the next block, and ends the sounding notes.
///
/// ```swift
/// let track = sequencer.createAndAppendTrack()
/// let note = AVMIDINoteEvent(channel: 0, key: 60, velocity: 100, duration: 1)
/// track.addEvent(note, at: 0)
/// track.destinationAudioUnit = sampler
/// track.isLoopingEnabled = true
/// ```
open class AVMusicTrack: NSObject, @unchecked Sendable {
    // Unchecked: the lock guards all mutable state.
    struct State {
        var events = EventList()
        weak var destination: AVAudioUnit?
        var loopRange: AVBeatRange?
        var isLooping = false
        var loops = 1
        var offset = 0.0
        var isMuted = false
        var isSoloed = false
        var length: Double?
        var usesParameters = true
        /// Ticks per beat in the file of the track.
        var resolution: Int

        /// The length in beats: that which has been set, but never less than to the end of the last event.
        var wholeLength: Double { max(length ?? 0, events.length) }
    }

    private let state: Mutex<State>
    /// Called after each change.
    private let onChange: @Sendable () -> Void
    let isTempoTrack: Bool

    init(
        _ events: EventList,
        resolution: Int,
        isTempoTrack: Bool = false,
        onChange: @escaping @Sendable () -> Void
    ) {
        state = Mutex(State(events: events, resolution: resolution))
        (self.isTempoTrack, self.onChange) = (isTempoTrack, onChange)
    }

    /// A copy of the track's current state.
    var snapshot: State { state.withLock { $0 } }

    /// Changes the track and publishes the change to the render thread.
    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let result = state.withLock { body(&$0) }
        onChange()
        return result
    }

    // MARK: Playing

    /// The unit that receives the events; `nil` for none.
    ///
    /// It has to be an instrument, or an effect that accepts MIDI messages, in the engine of the sequencer. Default:
    /// the first instrument of the engine when playback starts. The track keeps a weak reference.
    open var destinationAudioUnit: AVAudioUnit? {
        get { state.withLock { $0.destination } }
        set { change { $0.destination = newValue } }
    }

    /// The part that loops; default all of the track.
    ///
    /// In its passes but the last, notes that last beyond its end stop there.
    open var loopRange: AVBeatRange {
        get { state.withLock { $0.loopRange ?? AVBeatRange(start: 0, length: $0.wholeLength) } }
        set { change { $0.loopRange = AVBeatRange(start: newValue.start.asBeats, length: newValue.length.asBeats) } }
    }

    /// Whether the loop range is repeated; default `false`.
    open var isLoopingEnabled: Bool {
        get { state.withLock { $0.isLooping } }
        set { change { $0.isLooping = newValue } }
    }

    /// The number of times that the loop range plays: 1 or more, or −1, `AVMusicTrackLoopCount.forever`; default 1.
    open var numberOfLoops: Int {
        get { state.withLock { $0.loops } }
        set { change { $0.loops = newValue < 1 ? AVMusicTrackLoopCount.forever.rawValue : newValue } }
    }

    /// The beat of the sequence at which the track begins; default 0.
    ///
    /// If negative, events before the start of the sequence are not played.
    open var offsetTime: AVMusicTimeStamp {
        get { state.withLock { $0.offset } }
        set { change { $0.offset = newValue < 0 ? -(-newValue).asBeats : newValue.asBeats } }
    }

    /// Whether the track is muted; default `false`.
    open var isMuted: Bool {
        get { state.withLock { $0.isMuted } }
        set { change { $0.isMuted = newValue } }
    }

    /// Whether the track is soloed, so that only soloed tracks sound; default `false`.
    open var isSoloed: Bool {
        get { state.withLock { $0.isSoloed } }
        set { change { $0.isSoloed = newValue } }
    }

    /// Whether parameter events of the track are applied; default `true`.
    open var usesAutomatedParameters: Bool {
        get { state.withLock { $0.usesParameters } }
        set { change { $0.usesParameters = newValue } }
    }

    /// The length in beats: the length that was set, or the end of the last event if that is later.
    ///
    /// Unless it has been set, it follows the events as they are added and removed.
    open var lengthInBeats: AVMusicTimeStamp {
        get { state.withLock { $0.wholeLength } }
        set { change { $0.length = newValue.asBeats } }
    }

    /// The length in seconds at the tempo of the sequence, or at 120 beats per minute without a sequence tempo.
    open var lengthInSeconds: TimeInterval {
        get { tempoMap().seconds(forBeats: lengthInBeats) }
        set { lengthInBeats = tempoMap().beats(forSeconds: newValue.asBeats) }
    }

    /// Ticks per beat of the file that the track was loaded from; 480 for other tracks.
    open var timeResolution: Int { state.withLock { $0.resolution } }

    /// Returns the tempo map of the sequence.
    let tempoMapBox = Mutex<(@Sendable () -> TempoMap)?>(nil)

    private func tempoMap() -> TempoMap { tempoMapBox.withLock { $0 }?() ?? TempoMap() }

    // MARK: Editing

    /// Adds an event.
    ///
    /// The tempo track accepts only tempo and meta events, and other tracks accept no tempo events; unsuitable events
    /// are ignored.
    /// - Parameters:
    ///   - event: The event, which is copied: later changes of the object do not affect the track.
    ///   - beat: The beat, at least 0.
    open func addEvent(_ event: AVMusicEvent, at beat: AVMusicTimeStamp) {
        guard let value = event.sequenceEvent, takes(value) else { return }
        change { $0.events.add(value, at: beat.asBeats) }
    }

    /// Moves the events of a range by a number of beats, later or (if negative) earlier, but not before beat 0.
    open func moveEvents(in range: AVBeatRange, by beatAmount: AVMusicTimeStamp) {
        let amount = beatAmount < 0 ? -(-beatAmount).asBeats : beatAmount.asBeats
        change { $0.events.move(from: range.start.asBeats, to: range.end, by: amount) }
    }

    /// Removes the events of a range.
    open func clearEvents(in range: AVBeatRange) {
        change { $0.events.clear(from: range.start.asBeats, to: range.end) }
    }

    /// Removes a range of beats with its events, and moves later events forward to close the gap.
    open func cutEvents(in range: AVBeatRange) {
        change { $0.events.cut(from: range.start.asBeats, to: range.end) }
    }

    /// Inserts the events of a range of another track at a beat, and moves the events at that beat and later back.
    open func copyEvents(
        in range: AVBeatRange,
        from sourceTrack: AVMusicTrack,
        insertAt insertStartBeat: AVMusicTimeStamp
    ) {
        let copied = copied(range, sourceTrack)
        change { $0.events.insert(copied.events, at: insertStartBeat.asBeats, length: copied.length) }
    }

    /// Merges the events of a range of another track into this track, beginning at a beat.
    ///
    /// Existing events do not move.
    open func copyAndMergeEvents(
        in range: AVBeatRange,
        from sourceTrack: AVMusicTrack,
        mergeAt mergeStartBeat: AVMusicTimeStamp
    ) {
        let copied = copied(range, sourceTrack)
        change { $0.events.merge(copied.events, at: mergeStartBeat.asBeats) }
    }

    private func copied(_ range: AVBeatRange, _ source: AVMusicTrack) -> (events: [TimedEvent], length: Double) {
        let other = source.snapshot
        let start = range.start.asBeats
        let length = min(range.length.asBeats, max(other.events.length - start, 0))
        let isWhole = range.length >= AVMusicTimeStampEndOfTrack
        let events = other.events.copy(from: start, to: range.end).filter { takes($0.event) }
        return (events, isWhole ? length : range.length.asBeats)
    }

    /// Returns whether the track accepts an event.
    func takes(_ event: SequenceEvent) -> Bool {
        switch event {
        case .tempo(let tempo): isTempoTrack && tempo.isFinite && tempo > 0
        case .meta: true
        default: !isTempoTrack
        }
    }

    /// Calls `block` with each event of a range, in order.
    /// - Parameters:
    ///   - range: The range of beats, without its end.
    ///   - block: Receives a copy of the event, its beat, and a flag that removes the event if the block sets it.
    ///     Changes to the event and its beat are applied to the track after the last call.
    open func enumerateEvents(
        in range: AVBeatRange,
        using block: (AVMusicEvent, UnsafeMutablePointer<AVMusicTimeStamp>, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        let list = snapshot.events
        let visited = list.indices(from: range.start.asBeats, to: range.end)
        var kept: [TimedEvent] = []
        for timed in list.events[visited] {
            let event = AVMusicEvent.make(timed.event)
            var beat = timed.beat
            var removes = ObjCBool(false)
            block(event, &beat, &removes)
            if !removes.boolValue {
                kept.append(TimedEvent(beat: beat.asBeats, event: event.sequenceEvent ?? timed.event))
            }
        }
        guard kept != Array(list.events[visited]) else { return }
        let events = EventList(
            Array(list.events[..<visited.lowerBound]) + kept + Array(list.events[visited.upperBound...])
        )
        change { $0.events = events }
    }
}
