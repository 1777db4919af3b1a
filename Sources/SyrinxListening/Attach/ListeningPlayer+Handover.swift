/// Taking over the queue of another player.
extension ListeningPlayer {
    /// Takes the episodes among the inputs of a queue that is taken over, and the position of the first input in seconds.
    ///
    /// Call it before `begin()`.
    package func takeOver(_ episodes: [EpisodeItem], startingAt time: Double) {
        for item in episodes { note(item) }
        places.set(time, of: session.queue.current)
    }
}
