import Foundation

/// A fact about the radio that is heard, to be kept.
package enum RadioNote: Equatable, Sendable {
    /// A station is heard, or states its name.
    case station(Station)
    /// A title begins to be heard.
    case title(HeardTitle)
}

/// Decides which stations and titles are kept.
///
/// Pure: it takes the events of a session, and returns notes.
struct RadioWatch: Sendable {
    private var station: Station?
    private var title: String?

    /// Returns the notes for an event of the current input.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - session: The session with the input.
    ///   - date: The present, in seconds since 1970.
    ///   - key: Returns the address under which an input is kept; `nil` keeps nothing.
    mutating func handle(
        _ event: ListeningEvent,
        of session: ListeningSession,
        at date: Double,
        key: (ListeningInput) -> String?
    ) -> [RadioNote] {
        switch event {
        case .opened: (station, title) = (nil, nil)
        case .metadata, .state(.playing, _): break
        default: return []
        }
        let input = session.queue.current
        guard session.item.isStation, let address = key(input) else { return [] }
        var notes: [RadioNote] = []
        let heard = Station(session.item, input, address: address, at: date)
        if station.map({ ($0.address, $0.name, $0.picture) == (heard.address, heard.name, heard.picture) }) != true {
            station = heard
            notes.append(.station(heard))
        }
        let told = session.item.programme(of: input)
        guard let told, told != title else { return notes }
        title = told
        let place = HeardTitle(date: date, title: told, station: heard.name, address: input.name)
        return notes + [.title(place)]
    }
}

extension Station {
    /// Creates the station that an item plays.
    init(_ item: CurrentItem, _ input: ListeningInput, address: String, at date: Double? = nil) {
        let stated = item.tags["station"] ?? input.title
        let host = input.url.host() ?? ""
        let name = stated.flatMap { $0.isEmpty ? nil : $0 } ?? (host.isEmpty ? input.shortName : host)
        self.init(address: address, name: name, picture: item.tags["stationPicture"], heard: date)
    }
}

extension CurrentItem {
    /// The title of the broadcast's present programme; `nil` if there is none.
    ///
    /// The name of the station is no title, though a playlist may give it as one.
    func programme(of input: ListeningInput) -> String? {
        guard let title = tags["title"], !title.isEmpty, title != tags["station"], title != input.title else {
            return nil
        }
        guard let artist = tags["artist"], !artist.isEmpty else { return title }
        return "\(artist) - \(title)"
    }
}
