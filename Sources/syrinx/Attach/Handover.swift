import Foundation
import SyrinxListening
import SyrinxPlayback
import SyrinxPodcastLibrary
import SyrinxStreaming

/// The queue and the settings that a player with a terminal hands over to a detached one.
struct Handover: Codable, Equatable {
    /// An input of the queue.
    struct Input: Codable, Equatable {
        /// The address, which may contain a password: the document passes through a pipe between the two processes alone.
        var location: String
        var title: String?
        /// The number of the episode in the library, if it is one.
        var episode: Int64?
    }

    var inputs: [Input]
    /// The index of the input that plays.
    var index: Int
    /// The position in it, in seconds.
    var time: Double
    var sound: ListeningState.Sound
    var loop: LoopMode
    /// The part of each input that is played, in seconds.
    var start: Double
    var end: Double?
    /// Whether the player waits for the listener at the end of the queue.
    var staysOpen: Bool
    /// Whether nothing is open.
    var isIdle: Bool

    /// Returns the inputs that can be opened, the index of the one that plays, and the episodes among them.
    func queue() -> (inputs: [ListeningInput], index: Int?, episodes: [EpisodeItem]) {
        var inputs: [ListeningInput] = []
        var episodes: [EpisodeItem] = []
        var first: Int?
        let library = self.inputs.contains { $0.episode != nil } ? try? LibraryOptions.standard.open() : nil
        for (place, kept) in self.inputs.enumerated() {
            if place == index { first = inputs.count }
            if let id = kept.episode, let library, let item = try? EpisodeItem(library.episode(id), of: library) {
                episodes.append(item)
                inputs.append(item.input)
            } else if let input = ListeningInput(location: kept.location) {
                inputs.append(input.retitled(kept.title))
            }
        }
        return (inputs, first.flatMap { $0 < inputs.count ? $0 : nil }, episodes)
    }

    /// Returns whether a player that has taken this over lacks nothing of a later description but the position.
    ///
    /// A player that has an item open can be moved to another item; one without an item cannot without opening it.
    func isCurrent(_ later: Handover) -> Bool {
        var moved = self
        moved.time = later.time
        if !later.isIdle { moved.index = later.index }
        return moved == later
    }
}

extension Handover {
    /// Describes a player.
    /// - Throws: If an input cannot be opened by another process.
    init(_ player: ListeningPlayer) throws(Failure) {
        let session = player.session
        let state = player.state
        var inputs: [Input] = []
        for place in 0..<session.queue.count {
            let input = session.queue.input(at: place)
            guard let (location, title) = input.keptInSession else {
                let message = "standard input cannot be handed over to another process"
                throw Failure(code: .badCommand, message: message, name: Failure.queue)
            }
            inputs.append(Input(location: location, title: title, episode: player.episodes.item(of: input)?.episode.id))
        }
        self.inputs = inputs
        (index, time) = (session.queue.index, state.time)
        (start, end) = (player.setup.span.start, player.setup.span.end)
        (sound, loop) = (state.sound, state.queue.loop)
        (staysOpen, isIdle) = (player.setup.lifetime != .queue, session.isIdle)
    }
}

/// The place at which a player that takes over continues.
struct HandoverPlace {
    /// The index of the input that the other player has opened.
    var opened: Int
    /// The index of the input that plays.
    var index: Int
    /// The position in seconds.
    var time: Double
    /// Whether nothing is open.
    var isIdle: Bool
    /// The part that is repeated.
    var part: RepeatedPart?
    /// The sleep timer.
    var sleep: SleepGoal?

    /// The requests that move the other player to the place, and leave it paused.
    var requests: [AttachRequest] {
        var requests: [AttachRequest] = []
        if !isIdle {
            // Opening another input plays it.
            if index != opened { requests += [.wish(.command(.goTo(index))), .wish(.command(.pause))] }
            requests.append(.wish(.command(.seek(.to(max(0, time))))))
        }
        if let part { requests.append(.wish(.command(.repeatPart(part)))) }
        if let sleep { requests.append(.wish(.setSleep(sleep))) }
        return requests
    }
}
