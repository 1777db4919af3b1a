/// Takes over the queue of another player.
extension ListeningPlayer {
    /// Sets the episodes among the inputs, and the position of the first input in seconds.
    ///
    /// Call it before `begin()`.
    package func takeOver(_ episodes: [EpisodeItem], startingAt time: Double) {
        for item in episodes { note(item) }
        places.set(time, of: session.queue.current)
    }
}
