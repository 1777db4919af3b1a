import Foundation
package import SyrinxListening
package import SyrinxPlayback

/// The recordings that the start page offers to continue, the last first: of the positions and the queue that all players share.
package struct StartList: Sendable, Equatable {
    /// The input that is opened.
    package enum Target: Sendable, Equatable {
        /// A queue, at one of its inputs.
        case queue([ListeningInput], index: Int)
        /// An episode of the library of podcasts.
        case episode(Int64)
    }

    /// Something that can be continued.
    package struct Entry: Sendable, Equatable {
        /// The input that is opened.
        package var target: Target
        /// The title: of an episode or a station, or the name of the file.
        package var title: String
        /// The podcast of an episode.
        package var show = ""
        /// The position at which it was left, in seconds.
        package var position = 0.0
        /// The length in seconds, if it is known.
        package var duration: Double?
        /// The moment at which it was left, in seconds since 1970.
        package var date = 0.0

        /// Creates an entry.
        package init(
            _ target: Target,
            title: String,
            show: String = "",
            position: Double = 0,
            duration: Double? = nil,
            date: Double = 0
        ) {
            (self.target, self.title, self.show) = (target, title, show)
            (self.position, self.duration, self.date) = (position, duration, date)
        }

        /// The input that plays first; `nil` for an episode.
        package var input: ListeningInput? {
            if case .queue(let inputs, let index) = target { inputs[index] } else { nil }
        }

        /// The share that has been heard, 0…1; `nil` if nothing has, or the length is not known.
        package var share: Double? {
            duration.flatMap { $0 > 0 && position > 0 ? (position / $0).clamped(to: 0...1) : nil }
        }

        /// The position at which it continues, which is a little earlier after a longer pause.
        /// - Parameter now: The present, in seconds since 1970.
        package func start(now: Double) -> Double {
            ResumeRule().position(resuming: position, afterPause: now - date)
        }

        /// Returns the text below the title: the performer or the podcast, the place in a queue, and the time that is left.
        /// - Parameter tags: The tags of the recording, as far as they have been read.
        package func detail(_ tags: ListeningTags = ListeningTags()) -> String {
            var parts = [show.isEmpty ? tags.artist ?? tags.album ?? "" : show]
            if case .queue(let inputs, let index) = target, inputs.count > 1 {
                parts.append("\(index + 1) of \(inputs.count)")
            }
            if position > 0, let duration, duration > position {
                parts.append("\(TimeText.clock(duration - position)) left")
            }
            return parts.filter { !$0.isEmpty }.joined(separator: " · ")
        }
    }

    /// The greatest number of entries.
    package static let maximumCount = 8
    /// The greatest number of stations among them.
    package static let maximumStationCount = 3

    /// The entries.
    package private(set) var entries: [Entry] = []

    /// Creates an empty list.
    package init() {}

    /// Creates the list.
    /// - Parameters:
    ///   - session: The queue that was played last.
    ///   - positions: All positions, the last one first.
    ///   - episodes: Episodes that have been begun, in any order.
    ///   - stations: Broadcasts with their titles, the last one first.
    ///   - isThere: Returns whether an input can still be opened; it is asked of as many as are listed, and of those that are gone.
    package init(
        session: ListeningStore.Session?,
        positions: [StoredPosition],
        episodes: [Entry],
        stations: [(input: ListeningInput, title: String)],
        isThere: (ListeningInput) -> Bool
    ) {
        let titles = Dictionary(stations.map { ($0.input.shownURL, $0.title) }) { first, _ in first }
        let last = session.flatMap { Self.rest(of: $0, positions, titles) }.flatMap { entry in
            entry.input.map(isThere) == true ? entry : nil
        }
        var listed = Set([last?.input?.shownURL].compactMap(\.self))
        var begun = episodes
        for stored in positions where ResumeRule().resumes(stored) {
            guard begun.count < Self.maximumCount + episodes.count else { break }
            guard let input = ListeningInput(location: stored.item), listed.insert(input.shownURL).inserted,
                isThere(input)
            else { continue }
            let (position, duration) = (stored.position, stored.duration)
            begun.append(
                Entry(
                    .queue([input], index: 0),
                    title: input.shortName,
                    position: position,
                    duration: duration,
                    date: stored.date
                )
            )
        }
        if let last { begun.append(last) }
        begun.sort { $0.date > $1.date }
        let others = stations.filter { listed.insert($0.input.shownURL).inserted }.prefix(Self.maximumStationCount)
        entries = Array(begun.prefix(Self.maximumCount - others.count))
        entries += others.map { Entry(.queue([$0.input], index: 0), title: $0.title) }
    }

    /// The queue that was played last, at the input that continues; `nil` if it has been heard to its end.
    private static func rest(
        of session: ListeningStore.Session,
        _ positions: [StoredPosition],
        _ titles: [String: String]
    ) -> Entry? {
        func position(of item: String) -> StoredPosition? { positions.first { $0.item == item } }
        guard let (inputs, index) = session.rest(position) else { return nil }
        let current = inputs[index]
        let stored = current.identity.flatMap(position).flatMap { $0.isFinished ? nil : $0 }
        return Entry(
            .queue(inputs, index: index),
            title: titles[current.shownURL] ?? current.shortName,
            position: stored?.position ?? 0,
            duration: stored?.duration,
            date: max(session.date, position(of: session.items[session.index])?.date ?? 0, stored?.date ?? 0)
        )
    }
}
