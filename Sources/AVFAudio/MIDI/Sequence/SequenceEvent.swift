import Foundation

/// An event of a track, as a value.
enum SequenceEvent: Hashable, Sendable {
    case note(channel: UInt8, key: UInt8, velocity: UInt8, duration: Double)
    /// A message of a channel but notes: a status byte and its data.
    case channel(status: UInt8, UInt8, UInt8)
    /// A system-exclusive message, from 0xF0 to 0xF7.
    case systemExclusive(Data)
    case meta(type: UInt8, Data)
    /// A tempo, in beats per minute.
    case tempo(Double)
    case extendedNote(note: Float, velocity: Float, instrument: UInt32, group: UInt32, duration: Double)
    case parameter(id: UInt32, scope: UInt32, element: UInt32, value: Float)
    case user(Data)

    /// The beats for which it lasts; 0 for an event without a duration.
    var duration: Double {
        switch self {
        case .note(_, _, _, let duration), .extendedNote(_, _, _, _, let duration): duration
        default: 0
        }
    }

    /// The channel of its message; `nil` for an event without one.
    var channel: UInt8? {
        switch self {
        case .note(let channel, _, _, _): channel
        case .channel(let status, _, _): status & 0x0F
        default: nil
        }
    }

    /// The number of data bytes of a channel message.
    static func dataCount(status: UInt8) -> Int {
        switch status & 0xF0 {
        case 0xC0, 0xD0: 1
        default: 2
        }
    }
}

/// An event at its beat.
struct TimedEvent: Equatable, Sendable {
    var beat: Double
    var event: SequenceEvent
}

/// The events of a track, ordered by beat.
///
/// Events of the same beat keep the order in which they were added.
struct EventList: Equatable, Sendable {
    private(set) var events: [TimedEvent] = []

    init() {}

    /// A list of events in any order.
    init(_ unordered: [TimedEvent]) {
        let isOrdered = zip(unordered, unordered.dropFirst()).allSatisfy { $0.beat <= $1.beat }
        events = isOrdered ? unordered : Self.ordered(unordered)
    }

    /// The end of the last event, in beats.
    var length: Double { events.reduce(0) { max($0, $1.beat + $1.event.duration) } }

    /// Returns the indices of the events from `start` up to, but not including, `end`.
    func indices(from start: Double, to end: Double) -> Range<Int> {
        let first = firstIndex(from: start)
        return first..<max(first, firstIndex(from: end))
    }

    /// Returns the index of the first event at `beat` or later.
    func firstIndex(from beat: Double) -> Int {
        var (low, high) = (0, events.count)
        while low < high {
            let middle = low + (high - low) / 2
            if events[middle].beat < beat { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func add(_ event: SequenceEvent, at beat: Double) {
        let place = firstIndex(from: beat.nextUp)
        events.insert(TimedEvent(beat: beat, event: event), at: place)
    }

    /// Moves the events of a range by a number of beats, at the earliest to beat 0.
    mutating func move(from start: Double, to end: Double, by amount: Double) {
        let range = indices(from: start, to: end)
        var moved = Array(events[range])
        for index in moved.indices { moved[index].beat = max(0, moved[index].beat + amount) }
        events.removeSubrange(range)
        merge(moved)
    }

    /// Removes the events of a range.
    mutating func clear(from start: Double, to end: Double) { events.removeSubrange(indices(from: start, to: end)) }

    /// Removes the events of a range, and moves later events forward by the length of the range.
    mutating func cut(from start: Double, to end: Double) {
        let range = indices(from: start, to: end)
        guard end.isFinite, end > start else { return events.removeSubrange(range) }
        for index in range.upperBound..<events.count { events[index].beat -= end - start }
        events.removeSubrange(range)
    }

    /// Returns the events of a range, with beats from its start on.
    func copy(from start: Double, to end: Double) -> [TimedEvent] {
        events[indices(from: start, to: end)].map { TimedEvent(beat: $0.beat - start, event: $0.event) }
    }

    /// Inserts events, and moves existing events at `beat` and later back by `length`.
    mutating func insert(_ copied: [TimedEvent], at beat: Double, length: Double) {
        for index in firstIndex(from: beat)..<events.count { events[index].beat += length }
        merge(copied, at: beat)
    }

    /// Merges events into the list.
    ///
    /// Existing events do not move.
    mutating func merge(_ copied: [TimedEvent], at beat: Double = 0) {
        events = Self.ordered(events + copied.map { TimedEvent(beat: $0.beat + beat, event: $0.event) })
    }

    /// Removes the event at an index.
    mutating func remove(at index: Int) { events.remove(at: index) }

    /// Moves the event at an index to another beat, after existing events at that beat.
    /// - Returns: The new index of the event.
    mutating func move(at index: Int, to beat: Double) -> Int {
        let event = events.remove(at: index).event
        add(event, at: beat)
        return firstIndex(from: beat.nextUp) - 1
    }

    /// Replaces the event at an index by another of the same beat.
    mutating func replace(at index: Int, with event: SequenceEvent) { events[index].event = event }

    private static func ordered(_ events: [TimedEvent]) -> [TimedEvent] {
        events.enumerated().sorted { ($0.element.beat, $0.offset) < ($1.element.beat, $1.offset) }.map(\.element)
    }
}
