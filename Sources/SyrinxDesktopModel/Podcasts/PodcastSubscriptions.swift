/// The subscriptions that are being added.
struct PodcastSubscriptions: Sendable, Equatable {
    /// The URLs of their feeds, in the order in which they were requested.
    private(set) var running: [String] = []

    /// Notes that a feed is subscribed to, unless it is already.
    /// - Parameter text: The URL as the user typed it.
    /// - Returns: The actions, in order.
    mutating func start(_ text: String) -> [PodcastsState.Action] {
        let address = text.filter { !$0.isWhitespace }
        guard !address.isEmpty, !running.contains(address) else { return [] }
        running.append(address)
        return [.subscribe(address), .update]
    }

    /// Notes that a subscription was added.
    /// - Returns: Whether it was requested here, and not in another window.
    mutating func finish(_ address: String) -> Bool {
        guard running.contains(address) else { return false }
        running.removeAll { $0 == address }
        return true
    }

    /// Notes that a subscription could not be added.
    /// - Returns: The actions, in order.
    mutating func fail(_ address: String, _ failure: PageState.Failure) -> [PodcastsState.Action] {
        guard finish(address) else { return [] }
        return [.toast(PodcastText.failure(failure, "The podcast could not be added")), .update]
    }
}
