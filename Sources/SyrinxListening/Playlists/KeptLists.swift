import Dispatch
import Foundation
import Synchronization
package import SyrinxStreaming

/// The lists that a listener keeps: playlists, favorites, stations and titles, changed on a thread of their own.
///
/// Any thread may use it.
package final class KeptLists: Sendable {
    package let playlists: PlaylistShelf
    package let radio: RadioStore
    /// The settings of stations.
    package let settings: RadioSettings
    /// Whether stations and titles that are heard are kept.
    private let keepsHistory: Bool
    /// The minimum time between two writes of stations and titles, in seconds.
    private let interval: Double
    private let queue = DispatchQueue(label: "syrinx.lists")
    private let pending = Mutex(Pending())

    /// The notes that are not written yet.
    private struct Pending {
        var notes = PendingNotes()
        var isScheduled = false
        /// The earliest time of the next write.
        var due = DispatchTime.now()
    }

    /// Creates the lists in two stores.
    ///
    /// - Parameters:
    ///   - playlists: The playlists.
    ///   - radio: The stations and titles.
    ///   - settings: The settings of stations.
    ///   - keepsHistory: Whether stations and titles that are heard are kept.
    ///   - interval: The minimum time between two writes of them, in seconds.
    package init(
        _ playlists: PlaylistShelf,
        _ radio: RadioStore,
        _ settings: RadioSettings = RadioSettings(environment: [:]),
        keepsHistory: Bool = true,
        interval: Double = 5
    ) {
        (self.playlists, self.radio, self.settings, self.keepsHistory) = (playlists, radio, settings, keepsHistory)
        self.interval = interval
    }

    /// Returns the lists of the user; `nil` if there is no home folder.
    package static func user(keepsHistory: Bool = true) -> KeptLists? {
        guard let playlists = PlaylistShelf.user(), let radio = RadioStore.user() else { return nil }
        let environment = ProcessInfo.processInfo.environment
        let settings = RadioSettings(settings: SettingsFile.text(environment: environment), environment: environment)
        return KeptLists(playlists, radio, settings, keepsHistory: keepsHistory)
    }

    /// Keeps stations and titles that are heard: at once, or together with others a few seconds after the last write.
    ///
    /// - Parameters:
    ///   - notes: The stations and titles.
    ///   - fail: Receives a failure, on the lists' thread.
    func keep(_ notes: [RadioNote], fail: @escaping @Sendable (Failure) -> Void) {
        guard keepsHistory, !notes.isEmpty else { return }
        let due: DispatchTime? = pending.withLock { pending in
            for note in notes { pending.notes.add(note) }
            guard !pending.isScheduled else { return nil }
            pending.isScheduled = true
            return pending.due
        }
        guard let due else { return }
        queue.asyncAfter(deadline: due) { [self] in write(fail) }
    }

    /// Writes the notes so far, on the lists' thread.
    private func write(_ fail: (Failure) -> Void = { _ in }) {
        let notes = pending.withLock { pending in
            let notes = pending.notes
            pending = Pending(due: .now() + interval)
            return notes
        }
        do throws(Failure) { try radio.keep(notes.stations) } catch { fail(error) }
        do throws(Failure) { try radio.keep(notes.titles) } catch { fail(error) }
    }

    /// Calls `body` on the lists' thread with the result of a change or a reading.
    func perform<Result: Sendable>(
        _ change: @escaping @Sendable (KeptLists) throws(Failure) -> Result,
        then body: @escaping @Sendable (Swift.Result<Result, Failure>) -> Void
    ) {
        queue.async { [self] in
            do throws(Failure) { body(.success(try change(self))) } catch { body(.failure(error)) }
        }
    }

    /// Waits until all changes are done.
    func drain() { queue.sync { write() } }

    /// Returns whether an input is a favorite.
    func isFavorite(_ favorite: Favorite) -> Bool {
        switch favorite {
        case .station(let station):
            do throws(Failure) { return try radio.favorites().station(at: station.address) != nil } catch {
                return false
            }
        case .recording(let entry): return playlists.has(entry, in: .favorites)
        }
    }

    /// Adds an input to the favorites, or removes it.
    ///
    /// - Returns: Whether it is a favorite afterwards.
    package func toggle(_ favorite: Favorite) throws(Failure) -> Bool {
        switch favorite {
        case .station(let station): try radio.toggle(station)
        case .recording(let entry): try playlists.toggle(entry, in: .favorites)
        }
    }
}

/// An input as the favorites have it.
package enum Favorite: Equatable, Sendable {
    /// A station, in the list of stations.
    case station(Station)
    /// Another input, in the playlist `Favorites`.
    case recording(Playlist.Entry)

    /// Creates the favorite of the item that a session plays; `nil` if nothing plays, or standard input.
    /// - Parameter access: The way to the address under which the input is kept.
    init?(_ session: ListeningSession, _ access: InputAccess) {
        let (input, item) = (session.queue.current, session.item)
        if item.isStation, let address = access.key(input) {
            self = .station(Station(item, input, address: address))
        } else {
            let tags = session.queue.tags(at: session.queue.index)
            let own = ListeningTags(
                title: item.tags["title"] ?? tags.title,
                artist: item.tags["artist"] ?? tags.artist,
                duration: item.progress.duration ?? tags.duration
            )
            guard let entry = Playlist.Entry(input, own, stored: access.stored) else { return nil }
            self = .recording(entry)
        }
    }

    /// The name for people.
    var name: String {
        switch self {
        case .station(let station): station.name
        case .recording(let entry): entry.title ?? entry.url.lastPathComponent
        }
    }
}
