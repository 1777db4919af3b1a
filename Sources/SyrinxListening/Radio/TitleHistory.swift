/// A title that was heard on a station.
package struct HeardTitle: Codable, Equatable, Sendable {
    /// The time at which it began to be heard, in seconds since 1970.
    package var date: Double
    /// The title, as the station writes it: often `artist - title`.
    package var title: String
    /// The name of the station.
    package var station: String
    /// The address of the station, without a password.
    package var address: String

    /// The maximum length of a kept text, in characters.
    static let maximumLength = 300

    /// Creates a title; longer texts are cut.
    package init(date: Double, title: String, station: String, address: String) {
        self.date = date
        self.title = String(title.prefix(Self.maximumLength))
        self.station = String(station.prefix(Self.maximumLength))
        self.address = address
    }
}

/// The titles that were heard on stations, oldest first.
package struct TitleHistory: Codable, Equatable, Sendable {
    /// The maximum number of titles; the oldest are dropped.
    package static let maximumCount = 1_000
    /// Stations repeat a title after a break or a new connection, which is no new title within this many seconds.
    static let repetition = 600.0

    /// The titles, oldest first.
    package private(set) var titles: [HeardTitle] = []

    /// Creates a history without titles.
    package init() {}

    /// Adds a title, unless it is the last one of its station and was heard within ten minutes.
    ///
    /// - Returns: Whether it was added.
    package mutating func note(_ title: HeardTitle) -> Bool {
        guard title.date.isFinite, !title.title.isEmpty else { return false }
        let last = titles.last { $0.address == title.address }
        if let last, last.title == title.title, abs(title.date - last.date) < Self.repetition { return false }
        titles.append(title)
        if titles.count > Self.maximumCount { titles.removeFirst(titles.count - Self.maximumCount) }
        return true
    }
}
