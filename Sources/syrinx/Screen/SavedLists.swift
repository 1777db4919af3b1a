import Dispatch
import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening
import SyrinxPlayerUI

/// The stations, playlists and titles on the screen, read and changed on a background thread.
///
/// Any thread may use it.
final class SavedLists: Sendable {
    /// The maximum number of visible titles.
    private static let mostTitles = 100

    private let lists = KeptLists.user(keepsHistory: false)
    private let shown = Mutex(SavedView())
    private let queue = DispatchQueue(label: "syrinx.saved")
    private let report: @Sendable (String, _ isFailure: Bool) -> Void
    private let didChange: @Sendable () -> Void

    /// Creates empty lists, which are read later.
    /// - Parameters:
    ///   - report: Receives answers and failures, on any thread.
    ///   - didChange: Called after a change of the view, on any thread.
    init(report: @escaping @Sendable (String, _ isFailure: Bool) -> Void, didChange: @escaping @Sendable () -> Void) {
        (self.report, self.didChange) = (report, didChange)
    }

    /// The entries for people.
    var view: SavedView { shown.withLock { $0 } }

    /// Performs an action on the lists.
    /// - Returns: Whether the action concerns the lists.
    func carryOut(_ action: PlayerAction) -> Bool {
        switch action {
        case .listSaved: change { (_) throws(Failure) in nil }
        case .renamePlaylist(let name, let new):
            change { lists throws(Failure) in
                try lists.playlists.rename(try PlaylistName(name), to: try PlaylistName(new))
                return "Renamed to \(new)."
            }
        case .deletePlaylist(let name):
            change { lists throws(Failure) in
                try lists.playlists.delete(try PlaylistName(name))
                return "Deleted the playlist \(name)."
            }
        case .removeStation(let address):
            change { lists throws(Failure) in
                _ = try lists.radio.changeFavorites { list throws(Failure) in list.remove(at: address) }
                return "Removed from the favorites."
            }
        default: return false
        }
        return true
    }

    private func change(_ body: @escaping @Sendable (KeptLists) throws(Failure) -> String?) {
        guard let lists else { return report("There is no home folder for playlists and stations.", true) }
        shown.withLock { $0.isReading = true }
        queue.async { [self] in
            do throws(Failure) {
                if let answer = try body(lists) { report(answer, false) }
            } catch {
                report(error.message.asSentence, true)
            }
            let entries = Self.entries(lists)
            shown.withLock { $0 = SavedView(entries: entries) }
            didChange()
        }
    }

    private static func entries(_ lists: KeptLists) -> [SavedView.Entry] {
        let favorites = (try? lists.radio.favorites())?.stations ?? []
        let known = Set(favorites.map(\.address))
        let recent = lists.radio.recent().stations.filter { !known.contains($0.address) }
        let stations = favorites.map { ($0, true) } + recent.map { ($0, false) }
        let titles = (try? lists.radio.titles())?.titles.suffix(mostTitles).reversed() ?? []
        let clock = DateFormatter()
        (clock.dateStyle, clock.timeStyle) = (.short, .short)
        return stations.map { station, isFavorite in
            SavedView.Entry(
                .station(station.address, isFavorite: isFavorite),
                title: station.name,
                detail: Redaction.redact(name: station.address)
            )
        }
            + lists.playlists.summaries().map { summary in
                let count = summary.count.map { $0 == 1 ? "1 entry" : "\($0) entries" } ?? ""
                return SavedView.Entry(.playlist(summary.name.text), title: summary.name.text, detail: count)
            }
            + titles.map { title in
                let time = clock.string(from: Date(timeIntervalSince1970: title.date))
                return SavedView.Entry(.title, title: title.title, detail: "\(title.station)  \(time)")
            }
    }
}
