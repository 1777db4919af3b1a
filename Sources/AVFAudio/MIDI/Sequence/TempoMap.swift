import Foundation

/// The tempo of a sequence: turns beats into seconds and back.
///
/// Before the first change the tempo is 120 beats per minute.
struct TempoMap: Equatable, Sendable {
    /// A tempo from a beat on.
    struct Segment: Equatable, Sendable, BitwiseCopyable {
        let beat: Double
        let seconds: Double
        let secondsPerBeat: Double
    }

    /// At least one; the first begins at beat 0.
    let segments: [Segment]

    /// The tempo of a sequence without tempo events, in beats per minute.
    static let defaultTempo = 120.0
    /// The tempos that are followed, in beats per minute; others are taken as the nearest of them.
    static let tempos = 0.01...60_000_000.0

    /// - Parameter changes: Tempos in beats per minute, ordered by beat. Of several tempos at the same beat, the last
    ///   is used.
    init(_ changes: [(beat: Double, tempo: Double)] = []) {
        var segments = [Segment(beat: 0, seconds: 0, secondsPerBeat: 60 / Self.defaultTempo)]
        for change in changes where change.beat.isFinite && change.tempo.isFinite {
            let last = segments[segments.count - 1]
            let beat = max(change.beat, last.beat)
            let tempo = min(max(change.tempo, Self.tempos.lowerBound), Self.tempos.upperBound)
            let seconds = last.seconds + (beat - last.beat) * last.secondsPerBeat
            if beat == last.beat { segments.removeLast() }
            segments.append(Segment(beat: beat, seconds: seconds, secondsPerBeat: 60 / tempo))
        }
        self.segments = segments
    }

    /// The map of the tempos in a list of events.
    init(_ events: EventList) {
        self.init(
            events.events.compactMap { item in
                if case .tempo(let tempo) = item.event { (item.beat, tempo) } else { nil }
            }
        )
    }

    /// Returns the seconds from the start to a beat.
    func seconds(forBeats beats: Double) -> Double {
        let segment = segments[lastIndex { $0.beat <= beats }]
        return segment.seconds + (beats - segment.beat) * segment.secondsPerBeat
    }

    /// Returns the beat at a number of seconds from the start.
    func beats(forSeconds seconds: Double) -> Double {
        let segment = segments[lastIndex { $0.seconds <= seconds }]
        return segment.beat + (seconds - segment.seconds) / segment.secondsPerBeat
    }

    /// Returns the index of the last segment that begins by then; 0 before the first.
    private func lastIndex(_ hasBegun: (Segment) -> Bool) -> Int {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = low + (high - low) / 2
            if hasBegun(segments[middle]) { low = middle + 1 } else { high = middle }
        }
        return max(low - 1, 0)
    }
}
