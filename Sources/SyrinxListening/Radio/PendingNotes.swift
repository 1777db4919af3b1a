/// The stations and titles that are not written yet, oldest first.
///
/// A value without side effects. A station may change its title many times a second, so only the latest notes are kept.
struct PendingNotes: Sendable {
    /// The maximum number of notes; the oldest are dropped.
    static let maximumCount = 20

    /// The stations, each once, with the facts that it has stated last.
    private(set) var stations: [Station] = []
    /// The titles, each once for a station, in the order in which they began.
    private(set) var titles: [HeardTitle] = []

    /// Whether nothing is to be written.
    var isEmpty: Bool { stations.isEmpty && titles.isEmpty }

    /// Adds a note.
    mutating func add(_ note: RadioNote) {
        switch note {
        case .station(let station):
            stations.removeAll { $0.address == station.address }
            stations = (stations + [station]).suffix(Self.maximumCount)
        case .title(let title):
            guard !titles.contains(where: { ($0.address, $0.title) == (title.address, title.title) }) else { return }
            titles = (titles + [title]).suffix(Self.maximumCount)
        }
    }
}
