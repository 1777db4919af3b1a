import Foundation
import SyrinxByteStream

/// The tracks of a sequence as values, converted from and to the contents of a file.
struct SequenceContents: Equatable, Sendable {
    /// The tempos, and other events that apply to all tracks.
    var tempo = EventList()
    var tracks: [EventList] = []

    // MARK: Reading

    /// Creates the contents of a file.
    /// - Parameter splitsChannels: Whether to split each track into one track per channel.
    init(_ file: StandardMIDIFile, splitsChannels: Bool = false) {
        var tempoEvents: [TimedEvent] = []
        for (index, items) in file.tracks.enumerated() {
            var track: [TimedEvent] = []
            let events = NotePairing.events(items, file.division)
            let hasSound = events.contains { $0.event.channel != nil }
            for item in events {
                let isShared = file.format == 0 || index == 0
                switch item.event {
                case .tempo: tempoEvents.append(item)
                case .meta(MetaType.timeSignature, _), .meta(MetaType.keySignature, _), .meta(MetaType.smpteOffset, _):
                    if isShared { tempoEvents.append(item) } else { track.append(item) }
                default: track.append(item)
                }
            }
            // The first track of several often has the tempo only.
            if file.tracks.count > 1, index == 0, !hasSound {
                tempoEvents += track
            } else if splitsChannels {
                tracks += Self.split(track).map { EventList($0) }
            } else {
                tracks.append(EventList(track))
            }
        }
        tempo = EventList(tempoEvents)
    }

    init() {}

    /// Returns the events of each channel.
    ///
    /// Events without a channel are in the first list.
    private static func split(_ events: [TimedEvent]) -> [[TimedEvent]] {
        let channels = Set(events.compactMap(\.event.channel)).sorted()
        guard let first = channels.first else { return [events] }
        return channels.map { channel in events.filter { ($0.event.channel ?? first) == channel } }
    }

    // MARK: Writing

    /// Returns the contents as a file of format 1.
    ///
    /// User events, parameter events and fractions of keys are omitted, because the format cannot represent them.
    func file(_ division: StandardMIDIFile.Division) -> StandardMIDIFile {
        let map = TempoMap(tempo)
        let all = [tempo] + tracks
        return StandardMIDIFile(format: 1, division: division, tracks: all.map { items($0, division, map) })
    }

    private func items(
        _ list: EventList,
        _ division: StandardMIDIFile.Division,
        _ map: TempoMap
    ) -> [StandardMIDIFile.Item] {
        func tick(_ beat: Double) -> Int64 {
            switch division {
            case .beats(let resolution): Int64(clamped: (beat * Double(resolution)).rounded())
            case .frames(let rate, let ticks):
                Int64(clamped: (map.seconds(forBeats: beat) * rate * Double(ticks)).rounded())
            }
        }
        var items: [(rank: Int, item: StandardMIDIFile.Item)] = []
        func add(_ event: StandardMIDIFile.Event, at beat: Double, rank: Int = 1) {
            items.append((rank, StandardMIDIFile.Item(tick: max(tick(beat), 0), event: event)))
        }
        for timed in list.events {
            switch timed.event {
            case .note(let channel, let key, let velocity, let duration):
                add(.channel(status: 0x90 | channel, key, max(velocity, 1)), at: timed.beat, rank: 2)
                // The end of a note precedes the next note of the same tick, but not the start of the note itself.
                // Bounded: the sum is floating-point.
                let isShort = tick(timed.beat + duration) <= tick(timed.beat)
                add(.channel(status: 0x80 | channel, key, 0), at: timed.beat + duration, rank: isShort ? 3 : 0)
            case .channel(let status, let first, let second):
                add(.channel(status: status, first, second), at: timed.beat)
            case .systemExclusive(let data): add(.systemExclusive(data), at: timed.beat)
            case .meta(MetaType.endOfTrack, _): break
            case .meta(let type, let data): add(.meta(type: type, data), at: timed.beat)
            case .tempo(let tempo): add(.meta(type: MetaType.tempo, Self.data(ofTempo: tempo)), at: timed.beat)
            case .extendedNote, .parameter, .user: break
            }
        }
        return items.enumerated()
            .sorted {
                ($0.element.item.tick, $0.element.rank, $0.offset) < ($1.element.item.tick, $1.element.rank, $1.offset)
            }
            .map(\.element.item)
    }

    /// Microseconds of a beat, in three bytes.
    private static func data(ofTempo tempo: Double) -> Data {
        let value = min(max(Int(clamped: (60_000_000 / tempo).rounded()), 1), 0xFF_FFFF)
        return Data([16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
    }
}

/// Turns the messages of a track into events, with notes that have a duration.
enum NotePairing {
    static func events(_ items: [StandardMIDIFile.Item], _ division: StandardMIDIFile.Division) -> [TimedEvent] {
        var events: [TimedEvent] = []
        // The notes that sound, for each channel and key, the first to end first.
        var sounding: [Int: (indices: [Int], ended: Int)] = [:]
        func beat(_ item: StandardMIDIFile.Item) -> Double { division.beats(ofTicks: item.tick) }
        func end(_ channel: UInt8, _ key: UInt8, at end: Double) {
            let id = Int(channel) << 7 | Int(key)
            guard let notes = sounding[id], notes.ended < notes.indices.count else { return }
            let index = notes.indices[notes.ended]
            sounding[id]?.ended += 1
            guard case .note(_, _, let velocity, _) = events[index].event else { return }
            let duration = end - events[index].beat
            events[index].event = .note(channel: channel, key: key, velocity: velocity, duration: duration)
        }
        for item in items {
            switch item.event {
            case .channel(let status, let key, let velocity) where status & 0xE0 == 0x80:
                let channel = status & 0x0F
                guard status & 0xF0 == 0x90, velocity > 0 else {
                    end(channel, key, at: beat(item))
                    continue
                }
                sounding[Int(channel) << 7 | Int(key), default: ([], 0)].indices.append(events.count)
                let note = SequenceEvent.note(channel: channel, key: key, velocity: velocity, duration: 0)
                events.append(TimedEvent(beat: beat(item), event: note))
            case .channel(let status, let first, let second):
                events.append(TimedEvent(beat: beat(item), event: .channel(status: status, first, second)))
            case .systemExclusive(let data): events.append(TimedEvent(beat: beat(item), event: .systemExclusive(data)))
            case .meta(MetaType.endOfTrack, _): break
            case .meta(MetaType.tempo, let data):
                let value = data.prefix(3).reduce(0) { $0 << 8 | Int($1) }
                guard data.count == 3, value > 0 else { continue }
                events.append(TimedEvent(beat: beat(item), event: .tempo(60_000_000 / Double(value))))
            case .meta(let type, let data): events.append(TimedEvent(beat: beat(item), event: .meta(type: type, data)))
            }
        }
        // Notes without an end last to the end of the track.
        let last = items.last.map(beat) ?? 0
        for index in sounding.values.flatMap({ $0.indices[$0.ended...] }) {
            guard case .note(let channel, let key, let velocity, _) = events[index].event else { continue }
            let duration = max(0, last - events[index].beat)
            events[index].event = .note(channel: channel, key: key, velocity: velocity, duration: duration)
        }
        return events
    }
}
