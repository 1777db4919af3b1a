/// A station of the user: its name, its address and its picture.
package struct Station: Codable, Equatable, Sendable {
    /// The address of the stream, by which it is opened; it may contain a password.
    package var address: String
    /// The name for people.
    package var name: String
    /// The address of the picture; `nil` if the station states none.
    package var picture: String?
    /// The time at which it was last heard, in seconds since 1970; `nil` if it never was.
    package var heard: Double?

    /// Creates a station; longer texts are cut.
    package init(address: String, name: String, picture: String? = nil, heard: Double? = nil) {
        self.address = address
        self.name = String(name.prefix(HeardTitle.maximumLength))
        self.picture = picture
        self.heard = heard
    }

    /// The input that plays the station; `nil` if its address is malformed.
    package var input: ListeningInput? {
        ListeningInput(location: address).flatMap { $0.isWeb ? $0.retitled(name) : nil }
    }
}

/// Stations in an order, each once.
package struct StationList: Codable, Equatable, Sendable {
    /// The maximum number of favorites.
    package static let mostFavorites = 1_000
    /// The maximum number of stations that were heard last.
    package static let mostRecent = 50

    /// The stations.
    package private(set) var stations: [Station] = []

    /// Creates a list without stations.
    package init() {}

    /// Returns the station of an address.
    package func station(at address: String) -> Station? { stations.first { $0.address == address } }

    /// Adds a station at the end, or removes the one of the same address.
    ///
    /// - Returns: Whether the list has it afterwards; `nil` if the list is full.
    package mutating func toggle(_ station: Station) -> Bool? {
        if remove(at: station.address) { return false }
        return add(station) ? true : nil
    }

    /// Adds a station at the end, or replaces the one of the same address.
    ///
    /// - Returns: Whether there was space for it.
    package mutating func add(_ station: Station) -> Bool {
        if let place = stations.firstIndex(where: { $0.address == station.address }) {
            stations[place] = station
            return true
        }
        guard stations.count < Self.mostFavorites else { return false }
        stations.append(station)
        return true
    }

    /// Removes the station of an address.
    ///
    /// - Returns: Whether there was one.
    package mutating func remove(at address: String) -> Bool {
        let count = stations.count
        stations.removeAll { $0.address == address }
        return stations.count < count
    }

    /// Moves a station that is heard to the start; the list keeps the last 50.
    ///
    /// A station that is known by its address alone keeps the name and the picture that it had.
    package mutating func noteHeard(_ station: Station) {
        var station = station
        if let known = self.station(at: station.address) {
            if station.name.isEmpty { station.name = known.name }
            station.picture = station.picture ?? known.picture
        }
        _ = remove(at: station.address)
        stations.insert(station, at: 0)
        if stations.count > Self.mostRecent { stations.removeLast(stations.count - Self.mostRecent) }
    }

    /// Updates the name and the picture of a station, if the list has it.
    ///
    /// - Returns: Whether that changed the list.
    package mutating func noteFacts(_ station: Station) -> Bool {
        guard let place = stations.firstIndex(where: { $0.address == station.address }) else { return false }
        let former = stations[place]
        if !station.name.isEmpty { stations[place].name = station.name }
        if let picture = station.picture { stations[place].picture = picture }
        return stations[place] != former
    }
}
