/// The feeds that are being refreshed, and the results since the first of them was requested.
struct FeedRefreshes: Sendable, Equatable {
    /// The podcasts that are being refreshed.
    private(set) var running: Set<Int64> = []
    private var count = 0
    private var addedCount = 0
    private var failedCount = 0

    /// Notes that feeds are requested; those that are running are left out.
    /// - Returns: The feeds to refresh.
    mutating func start(_ ids: [Int64]) -> [Int64] {
        let wanted = ids.filter { !running.contains($0) }
        guard !wanted.isEmpty else { return [] }
        if running.isEmpty { (count, addedCount, failedCount) = (0, 0, 0) }
        count += wanted.count
        running.formUnion(wanted)
        return wanted
    }

    /// Notes the result of a feed.
    /// - Returns: Whether the feed was running here.
    mutating func finish(_ id: Int64, added: Int, isFailed: Bool) -> Bool {
        guard running.remove(id) != nil else { return false }
        addedCount += max(added, 0)
        if isFailed { failedCount += 1 }
        return true
    }

    /// Returns the message about all results.
    /// - Parameter failure: The failure of the last feed.
    func summary(_ failure: PageState.Failure?) -> String {
        if let failure, count == 1 { return PodcastText.failure(failure, "The podcast could not be refreshed") }
        let news = addedCount == 0 ? "No new episodes." : "\(PodcastText.count(addedCount, "new episode"))."
        return failedCount == 0 ? news : "\(news) \(PodcastText.count(failedCount, "podcast")) could not be refreshed."
    }

    /// The number of refreshed feeds, and of all requested ones; `nil` if no feed is being refreshed.
    var progress: (done: Int, total: Int)? { running.isEmpty ? nil : (count - running.count, count) }
}
