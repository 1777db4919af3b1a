import Foundation
import SyrinxStreaming

/// The saved playlists, favorites and radio history of a player.
///
/// The thread of the player uses it. Results come back as events of the player.
struct PlayerLists {
    /// The stored lists; `nil` without storage.
    private let lists: KeptLists?
    /// The way to the addresses that are saved, which have no passwords of the session.
    private let access: InputAccess
    private let post: @Sendable (ListeningPlayer.Event, _ isUrgent: Bool) -> Void
    /// Decides which stations and titles to save.
    private var radio = RadioWatch()

    init(
        _ lists: KeptLists?,
        _ access: InputAccess,
        post: @escaping @Sendable (ListeningPlayer.Event, _ isUrgent: Bool) -> Void
    ) {
        (self.lists, self.access, self.post) = (lists, access, post)
    }

    /// Opens a saved playlist in place of the queue.
    func open(_ name: PlaylistName) {
        guard let lists else { return lackLists() }
        let post = post
        lists.perform { lists throws(Failure) in
            let inputs = try lists.playlists.entries(of: name).map { ListeningInput($0) }
            guard !inputs.isEmpty else {
                throw Failure(code: .badCommand, message: "This playlist is empty.", name: name.text)
            }
            return inputs
        } then: { result in
            switch result {
            case .success(let inputs):
                post(.session(.request(.add(inputs, .replacing(at: 0, isChosen: false)))), true)
            case .failure(let failure): post(.session(.warning(failure)), true)
            }
        }
    }

    /// Saves the queue as a playlist of a new name.
    func save(_ queue: ListeningQueue, as name: PlaylistName) {
        guard let lists else { return lackLists() }
        let (entries, post) = (PlaylistShelf.entries(of: queue, stored: access.stored), post)
        lists.perform { lists throws(Failure) in
            guard !entries.isEmpty else {
                let message = "Standard input cannot be saved in a playlist."
                throw Failure(code: .badCommand, message: message, name: name.text)
            }
            try lists.playlists.store(entries, as: name, replaces: false)
        } then: { result in
            switch result {
            case .success: post(.answer("Saved as the playlist \(name): \(entries.count) entries."), true)
            case .failure(let failure): post(.session(.warning(failure)), true)
            }
        }
    }

    /// Adds the current input to the favorites, or removes it.
    func toggleFavorite(_ session: ListeningSession) {
        guard let lists else { return lackLists() }
        guard let favorite = Favorite(session, access) else { return }
        let (input, post) = (session.queue.current, post)
        lists.perform { lists throws(Failure) in
            try lists.toggle(favorite)
        } then: { result in
            switch result {
            case .success(let isFavorite):
                post(.session(.favorite(isFavorite, of: input)), true)
                let text = isFavorite ? "Added to the favorites" : "Removed from the favorites"
                post(.answer("\(text): \(favorite.name)."), true)
            case .failure(let failure): post(.session(.warning(failure)), true)
            }
        }
    }

    /// Keeps the station and the title that are heard, and finds out whether the current input is a favorite.
    mutating func note(_ event: ListeningEvent, of session: ListeningSession) {
        guard let lists else { return }
        let post = post
        let notes = radio.handle(event, of: session, at: Date().timeIntervalSince1970, key: access.key)
        lists.keep(notes) { failure in post(.session(.warning(failure)), true) }
        guard case .opened = event, let favorite = Favorite(session, access) else { return }
        let input = session.queue.current
        lists.perform { lists throws(Failure) in
            lists.isFavorite(favorite)
        } then: { result in
            if case .success(let isFavorite) = result { post(.session(.favorite(isFavorite, of: input)), true) }
        }
    }

    private func lackLists() {
        let message = "Neither XDG_DATA_HOME nor HOME names a folder for playlists."
        post(.session(.warning(Failure(code: .badCommand, message: message, name: Failure.playlist))), true)
    }
}
