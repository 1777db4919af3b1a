package import SyrinxPlayback

extension ListeningStore.Session {
    /// Returns the inputs of the queue that can be opened, and the index of the input with which playback continues.
    ///
    /// That is the input that was played last, or the next one if it was played to its end.
    ///
    /// - Parameter position: Returns the stored position of an entry.
    /// - Returns: `nil` if the last input of the queue was played to its end, or none can be opened.
    package func rest(_ position: (String) -> StoredPosition?) -> (inputs: [ListeningInput], index: Int)? {
        let current = position(items[index])?.isFinished == true ? index + 1 : index
        var inputs: [ListeningInput] = []
        var first = 0
        for (place, item) in items.enumerated() {
            if place == current { first = inputs.count }
            guard let input = ListeningInput(location: item) else { continue }
            inputs.append(input.retitled(titles?[place]))
        }
        return current < items.count && first < inputs.count ? (inputs, first) : nil
    }
}
