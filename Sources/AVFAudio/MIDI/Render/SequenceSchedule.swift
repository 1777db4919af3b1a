import Foundation

/// A track as the compiler of a schedule takes it.
struct ScheduledTrack {
    var events: EventList
    /// The event queue of the destination unit; `nil` for none.
    var destination: UnitEventQueue?
    var offset = 0.0
    /// The part that loops; `nil` for a track that does not.
    var loop: Range<Double>?
    /// The number of times that the loop plays; `nil` for ever.
    var loopPasses: Int?
    var isMuted = false
    var isSoloed = false
    /// Whether its parameter events are followed.
    var followsParameters = true
}

/// The messages of a sequence in the order in which they are sent, and its tempo, in memory that is never changed.
final class SequenceSchedule: @unchecked Sendable {
    // Unchecked: constant after `init`, but the units' queues, which have their own rules.
    let tempo: UnsafeMutablePointer<TempoMap.Segment>
    let tempoCount: Int
    let map: TempoMap
    /// The streams as they begin.
    let streams: [SequenceStream]
    let destinations: [UnitEventQueue]
    /// Long messages, which `ScheduledMessage.index` counts.
    let longMessages: [UnsafeMutableBufferPointer<UInt8>]
    /// User events with the index of their track.
    let userEvents: [(track: Int, data: Data)]
    private let memory: [UnsafeMutablePointer<ScheduledMessage>]

    /// The shortest loop that is played, in beats.
    static let minimumLoopLength = 1.0 / 960

    init(_ tracks: [ScheduledTrack], map: TempoMap) {
        var builder = Builder()
        let hasSolo = tracks.contains { $0.isSoloed }
        for (index, track) in tracks.enumerated() where !track.isMuted && (!hasSolo || track.isSoloed) {
            builder.add(track, index: index)
        }
        builder.finish()
        self.map = map
        tempoCount = map.segments.count
        tempo = .allocate(capacity: map.segments.count)
        for (index, segment) in map.segments.enumerated() { (tempo + index).initialize(to: segment) }
        streams = builder.streams
        destinations = builder.destinations
        longMessages = builder.longMessages
        userEvents = builder.userEvents
        memory = builder.memory
    }

    deinit {
        tempo.deallocate()
        for buffer in memory { buffer.deallocate() }
        for buffer in longMessages { buffer.deallocate() }
    }

    /// Returns the last controllers, programs, pitch bends and channel pressures before a beat, in order of their
    /// beats.
    func state(before beat: Double) -> [ScheduledMessage] {
        guard beat > 0 else { return [] }
        var last: [Int: (beat: Double, order: Int, message: ScheduledMessage)] = [:]
        var order = 0
        for stream in streams {
            for index in 0..<stream.count {
                let message = stream.messages[index]
                let place = message.beat + stream.offset
                guard place < beat else { break }
                guard message.kind == ScheduledMessage.Kind.midi, message.destination >= 0, message.bytes.0 >= 0xB0
                else {
                    continue
                }
                let isController = message.bytes.0 & 0xF0 == 0xB0
                // From 120 on they are commands.
                if isController, message.bytes.1 >= 120 { continue }
                let kind = Int(message.bytes.0) << 7 | (isController ? Int(message.bytes.1) : 0)
                order += 1
                last[Int(message.destination) << 16 | kind] = (place, order, message)
            }
        }
        return last.values.sorted { ($0.beat, $0.order) < ($1.beat, $1.order) }.map(\.message)
    }

    /// Collects the messages of tracks.
    private struct Builder {
        var streams: [SequenceStream] = []
        var destinations: [UnitEventQueue] = []
        var longMessages: [UnsafeMutableBufferPointer<UInt8>] = []
        var userEvents: [(track: Int, data: Data)] = []
        var memory: [UnsafeMutablePointer<ScheduledMessage>] = []
        private var merged: [ScheduledMessage] = []

        mutating func add(_ track: ScheduledTrack, index: Int) {
            let destination = Int32(clamping: self.index(of: track.destination))
            var messages: [ScheduledMessage] = []
            var loopEnds: [ScheduledMessage] = []
            for timed in track.events.events {
                append(timed, track, index, destination, to: &messages, &loopEnds)
            }
            Self.sort(&messages)
            let passes = track.loopPasses ?? Int.max
            guard let loop = track.loop, loop.upperBound - loop.lowerBound >= SequenceSchedule.minimumLoopLength,
                passes > 1
            else {
                for var message in messages {
                    message.beat += track.offset
                    merged.append(message)
                }
                return
            }
            var body = messages.filter { loop.contains($0.beat) } + loopEnds
            for index in body.indices { body[index].beat -= loop.lowerBound }
            Self.sort(&body)
            let all = store(messages)
            let inside = store(body)
            streams.append(
                SequenceStream(
                    messages: all,
                    count: messages.count,
                    loop: inside,
                    loopCount: body.count,
                    loopStart: loop.lowerBound,
                    loopLength: loop.upperBound - loop.lowerBound,
                    passes: passes,
                    headCount: messages.firstIndex { $0.beat >= loop.lowerBound } ?? messages.count,
                    offset: track.offset
                )
            )
        }

        /// Adds the stream of all tracks that do not loop.
        mutating func finish() {
            Self.sort(&merged)
            let all = store(merged)
            streams.append(SequenceStream(messages: all, count: merged.count, loop: all, loopCount: 0))
        }

        private mutating func index(of queue: UnitEventQueue?) -> Int {
            guard let queue else { return -1 }
            if let index = destinations.firstIndex(where: { $0 === queue }) { return index }
            destinations.append(queue)
            return destinations.count - 1
        }

        private mutating func append(
            _ timed: TimedEvent,
            _ track: ScheduledTrack,
            _ index: Int,
            _ destination: Int32,
            to messages: inout [ScheduledMessage],
            _ loopEnds: inout [ScheduledMessage]
        ) {
            func message(_ status: UInt8, _ first: UInt8, _ second: UInt8, rank: UInt8) -> ScheduledMessage {
                ScheduledMessage(
                    beat: timed.beat,
                    rank: rank,
                    kind: ScheduledMessage.Kind.midi,
                    byteCount: UInt8(1 + SequenceEvent.dataCount(status: status)),
                    bytes: (status, first & 0x7F, second & 0x7F),
                    destination: destination
                )
            }
            func note(_ channel: UInt8, _ key: UInt8, _ velocity: UInt8, _ duration: Double) {
                messages.append(message(0x90 | channel & 0x0F, key, max(velocity, 1), rank: 2))
                var end = message(0x80 | channel & 0x0F, key, 0, rank: duration > 0 ? 0 : 3)
                end.beat += max(duration, 0)
                messages.append(end)
                // A loop ends the notes that sound at its end.
                if let loop = track.loop, timed.beat < loop.upperBound, end.beat >= loop.upperBound {
                    end.beat = loop.upperBound
                    end.rank = 0
                    loopEnds.append(end)
                }
            }
            var other = message(0, 0, 0, rank: 1)
            switch timed.event {
            case .note(let channel, let key, let velocity, let duration): note(channel, key, velocity, duration)
            case .extendedNote(let key, let velocity, _, let group, let duration):
                let (key, velocity) = (
                    UInt8(clamped: Double(key).rounded()), UInt8(clamped: Double(velocity).rounded())
                )
                note(UInt8(group & 0x0F), min(key, 127), min(velocity, 127), duration)
            case .channel(let status, let first, let second): messages.append(message(status, first, second, rank: 1))
            case .systemExclusive(let data):
                guard let long = UInt32(exactly: longMessages.count), !data.isEmpty else { return }
                let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: data.count)
                _ = buffer.initialize(from: data)
                longMessages.append(buffer)
                (other.kind, other.index) = (ScheduledMessage.Kind.long, long)
                messages.append(other)
            case .parameter(let id, _, _, let value):
                guard track.followsParameters else { return }
                (other.kind, other.index, other.value) = (ScheduledMessage.Kind.parameter, id, value)
                messages.append(other)
            case .user(let data):
                guard let place = UInt32(exactly: userEvents.count) else { return }
                userEvents.append((index, data))
                (other.kind, other.index) = (ScheduledMessage.Kind.user, place)
                messages.append(other)
            case .meta, .tempo: break
            }
        }

        private mutating func store(_ messages: [ScheduledMessage]) -> UnsafePointer<ScheduledMessage> {
            let start = UnsafeMutablePointer<ScheduledMessage>.allocate(capacity: max(messages.count, 1))
            for (index, message) in messages.enumerated() { (start + index).initialize(to: message) }
            memory.append(start)
            return UnsafePointer(start)
        }

        private static func sort(_ messages: inout [ScheduledMessage]) {
            messages = messages.enumerated()
                .sorted {
                    ($0.element.beat, $0.element.rank, $0.offset) < ($1.element.beat, $1.element.rank, $1.offset)
                }
                .map(\.element)
        }
    }
}
