import Foundation
package import SyrinxListening
package import SyrinxPlayback

/// The recordings to continue, offered by the start page, latest first, from the positions and queue of all players.
package struct StartList: Sendable, Equatable {
    /// The input to open.
    package enum Target: Sendable, Equatable {
        /// A queue, starting at one of its items.
        case queue([ListeningInput], index: Int)
        /// A podcast episode from the library.
        case episode(Int64)
    }

    /// A recording that can be continued.
    package struct Entry: Sendable, Equatable {
        /// The input to open.
        package var target: Target
        /// The title of the episode or radio station, or the file name.
        package var title: String
        /// The podcast title of an episode.
        package var show = ""
        /// The playback position, in seconds.
        package var position = 0.0
        /// The duration in seconds; `nil` if it is unknown.
        package var duration: Double?
        /// The time of the last playback, in seconds since 1970.
        package var date = 0.0

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

        /// The first input to play; `nil` for an episode.
        package var input: ListeningInput? {
            if case .queue(let inputs, let index) = target { inputs[index] } else { nil }
        }

        /// The played fraction, 0…1; `nil` if nothing was played or the duration is unknown.
        package var share: Double? {
            duration.flatMap { $0 > 0 && position > 0 ? (position / $0).clamped(to: 0...1) : nil }
        }

        /// Returns the position at which playback resumes, which is slightly earlier after a long pause.
        /// - Parameter now: The current time, in seconds since 1970.
        package func start(now: Double) -> Double {
            ResumeRule().position(resuming: position, afterPause: now - date)
        }

        /// Returns the text below the title: artist or podcast, position in the queue, and remaining time.
        /// - Parameter tags: The tags of the recording that have been read.
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

    /// The maximum number of entries.
    package static let maximumCount = 8
    /// The maximum number of radio stations among them.
    package static let maximumStationCount = 3

    package private(set) var entries: [Entry] = []

    /// Creates an empty list.
    package init() {}

    /// Creates the list.
    /// - Parameters:
    ///   - session: The queue that was played last.
    ///   - positions: All positions, latest first.
    ///   - episodes: Episodes in progress, in any order.
    ///   - stations: Radio stations with their titles, latest first.
    ///   - isThere: Returns whether an input still exists; called only until the list is full.
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

    /// Returns the last queue, starting at the item to continue; `nil` if it was played to its end.
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
