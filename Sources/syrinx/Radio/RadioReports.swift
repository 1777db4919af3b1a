import Foundation
import SyrinxByteStream
import SyrinxListening

/// A station as it is listed.
struct StationReport: ListedReport, Equatable {
    /// The place in the list, from 0 on.
    var index: Int
    var name: String
    /// The address, without a password.
    var url: String
    @NullEncoded var picture: String?
    /// The time at which it was last heard, in ISO 8601.
    @NullEncoded var heard: String?

    init(_ station: Station, index: Int) {
        (self.index, name, url) = (index, station.name, Redaction.redact(name: station.address))
        picture = station.picture.map { Redaction.redact(name: $0) }
        heard = station.heard.map { Date(timeIntervalSince1970: $0).ISO8601Format() }
    }

    var text: String { "\(String(index + 1).leftPadded(to: 3, with: " "))  \(name)  \(url)" }
}

/// A title that was heard, as it is listed.
struct TitleReport: ListedReport, Equatable {
    /// In ISO 8601.
    var heard: String
    var title: String
    var station: String
    /// The address of the station, without a password.
    var url: String

    init(_ title: HeardTitle) {
        heard = Date(timeIntervalSince1970: title.date).ISO8601Format()
        (self.title, station, url) = (title.title, title.station, title.address)
    }

    var text: String { "\(heard.prefix(16).replacing("T", with: " "))  \(title)  (\(station))" }
}
