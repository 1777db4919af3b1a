import Foundation

/// Decides which downloads run: events are method calls, and the results are actions.
///
/// A pure value, without a network, a disk, a thread or a clock.
struct DownloadMachine {
    typealias ID = Download.ID

    /// The actions, to be performed in order.
    enum Action {
        /// Begin to fetch; the reports carry the number of the run.
        case start(ID, run: Int)
        /// Stop fetching; later reports of that run are ignored.
        case stop(ID)
        /// Store the record of the download for later runs.
        case save(ID)
        /// Delete the bytes of the download.
        case erase(ID)
        /// Leave the bytes of the download to the cache.
        case release(ID)
        /// Say that it has changed.
        case tell(Download)
        /// Say that it is no more.
        case tellRemoved(ID)
        /// Call `timerFired(token)` after that many seconds.
        case wait(token: Int, seconds: Double)
    }

    /// The outcome of a run that was not stopped.
    enum Outcome {
        /// All bytes are cached and checked.
        case whole
        /// Some blocks on disk were damaged and have been removed.
        case damaged
        /// The resource has changed on the server; the old bytes have been deleted.
        case changed(SyrinxError)
        /// It could not go on.
        case failed(SyrinxError)
    }

    private struct Item {
        var download: Download
        var run = 0
        /// The number of automatic restarts.
        var restartCount = 0

        var runs: Bool { [.downloading, .waitingForNetwork, .verifying].contains(download.state) }
    }

    /// The number of restarts after which a resource is taken for unstable.
    static let maximumRestarts = 3

    /// The largest number of downloads at a time.
    let limit: Int
    /// The seconds without other network use before downloads resume: a stream with a full window refills it soon.
    let settleTime: Double
    private var items: [Item] = []
    private var isLineTaken = false
    /// Nothing runs: the line is taken, or has been a moment ago.
    private var isHeld = false
    private var token = 0

    init(limit: Int, settleTime: Double) {
        self.limit = max(1, limit)
        self.settleTime = settleTime
    }

    /// All downloads, in the order in which they were added.
    var downloads: [Download] { items.map(\.download) }

    func download(_ id: ID) -> Download? { items.first { $0.download.id == id }?.download }

    // MARK: What is wanted

    /// Restores the downloads of an earlier run without starting them.
    mutating func restore(_ downloads: [Download]) { items += downloads.map { Item(download: $0) } }

    /// Starts the queued downloads.
    mutating func begin() -> [Action] { schedule() }

    /// Adds a download whose record is stored already; a known download is resumed.
    mutating func add(_ download: Download) -> [Action] {
        guard self.download(download.id) == nil else { return resume(download.id) }
        items.append(Item(download: download))
        return [.tell(download)] + schedule()
    }

    mutating func pause(_ id: ID) -> [Action] {
        guard let index = index(id) else { return [] }
        switch items[index].download.state {
        case .paused, .completed, .failed: return []
        case .queued, .downloading, .givingWay, .waitingForNetwork, .verifying:
            let stop: [Action] = items[index].runs ? [.stop(id)] : []
            return stop + move(index, to: .paused) + [.save(id)] + schedule()
        }
    }

    mutating func resume(_ id: ID) -> [Action] {
        guard let index = index(id), [.paused, .failed].contains(items[index].download.state) else { return [] }
        items[index].download.error = nil
        items[index].restartCount = 0
        return move(index, to: .queued) + [.save(id)] + schedule()
    }

    /// - Parameter erases: Whether the bytes are deleted instead of left to the cache.
    mutating func remove(_ id: ID, erases: Bool) -> [Action] {
        guard let index = index(id) else { return [] }
        let stop: [Action] = items[index].runs ? [.stop(id)] : []
        items.remove(at: index)
        return stop + [erases ? .erase(id) : .release(id), .tellRemoved(id)] + schedule()
    }

    /// The end of this run of the program.
    mutating func close() -> [Action] {
        isHeld = true
        token += 1
        return items.indices.filter { items[$0].runs }.flatMap { index in
            items[index].run += 1
            return [.stop(items[index].download.id)] + move(index, to: .queued)
        }
    }

    // MARK: The line

    /// A stream needs the line, or none does.
    mutating func lineChanged(isTaken: Bool) -> [Action] {
        guard isTaken != isLineTaken else { return [] }
        isLineTaken = isTaken
        token += 1
        guard isTaken else { return [.wait(token: token, seconds: settleTime)] }
        isHeld = true
        // What is being checked needs no line.
        let waiting = items.indices.filter { items[$0].runs && items[$0].download.state != .verifying }
        return waiting.flatMap { index in
            items[index].run += 1
            return [.stop(items[index].download.id)] + move(index, to: .givingWay)
        }
    }

    mutating func timerFired(_ token: Int) -> [Action] {
        guard token == self.token, !isLineTaken, isHeld else { return [] }
        isHeld = false
        return schedule()
    }

    // MARK: What the runs tell

    mutating func progressed(_ id: ID, run: Int, received: Int64, length: Int64?) -> [Action] {
        guard let index = index(id, run) else { return [] }
        let known = items[index].download
        guard known.receivedByteCount != received || known.length != length else { return [] }
        items[index].download.receivedByteCount = received
        items[index].download.length = length
        return [.tell(items[index].download)]
    }

    mutating func networkChanged(_ id: ID, run: Int, isThere: Bool) -> [Action] {
        guard let index = index(id, run) else { return [] }
        return move(index, to: isThere ? .downloading : .waitingForNetwork)
    }

    mutating func verifies(_ id: ID, run: Int) -> [Action] {
        guard let index = index(id, run) else { return [] }
        return move(index, to: .verifying)
    }

    mutating func ended(_ id: ID, run: Int, _ outcome: Outcome) -> [Action] {
        guard let index = index(id, run) else { return [] }
        items[index].run += 1
        switch outcome {
        case .whole:
            return move(index, to: .completed) + [.save(id)] + schedule()
        case .failed(let error):
            return fail(index, error)
        case .damaged:
            let error = SyrinxError(
                .cannotBeKept,
                "The disk returns damaged data.",
                name: items[index].download.url.absoluteString
            )
            return restart(index, orFail: error)
        case .changed(let error):
            items[index].download.receivedByteCount = 0
            items[index].download.length = nil
            return restart(index, orFail: error)
        }
    }

    private mutating func restart(_ index: Int, orFail error: SyrinxError) -> [Action] {
        items[index].restartCount += 1
        guard items[index].restartCount <= Self.maximumRestarts else { return fail(index, error) }
        return move(index, to: isHeld ? .givingWay : .queued) + schedule()
    }

    private mutating func fail(_ index: Int, _ error: SyrinxError) -> [Action] {
        items[index].download.error = error
        return move(index, to: .failed) + [.save(items[index].download.id)] + schedule()
    }

    // MARK: Whose turn it is

    private mutating func schedule() -> [Action] {
        guard !isHeld else { return [] }
        var actions: [Action] = []
        var room = limit - items.count(where: \.runs)
        for index in items.indices where room > 0 && [.queued, .givingWay].contains(items[index].download.state) {
            room -= 1
            items[index].run += 1
            let id = items[index].download.id
            actions += move(index, to: .downloading) + [.start(id, run: items[index].run)]
        }
        return actions
    }

    private mutating func move(_ index: Int, to state: Download.State) -> [Action] {
        guard items[index].download.state != state else { return [] }
        items[index].download.state = state
        return [.tell(items[index].download)]
    }

    private func index(_ id: ID) -> Int? { items.firstIndex { $0.download.id == id } }

    /// Returns the index of a download if `run` is its current run.
    private func index(_ id: ID, _ run: Int) -> Int? {
        index(id).flatMap { items[$0].run == run && items[$0].runs ? $0 : nil }
    }
}
