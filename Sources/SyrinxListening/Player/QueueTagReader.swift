import SyrinxByteStream

/// Reads the tags of a player's queue.
struct QueueTagReader {
    private let reader: TagReader<Never>
    /// The visible rows and the revision of the queue for which tags were last requested.
    private var last: (shown: [Int], revision: Int) = ([], -1)

    /// - Parameter take: Receives tags on another thread.
    init(_ take: @escaping @Sendable ([FilePath: ListeningTags]) -> Void) {
        reader = TagReader(makeCover: { _ in nil }) { found in
            take(Dictionary(found.map { ($0.path, $0.tags) }) { $1 })
        }
    }

    /// Requests the missing tags of the queue of `session`, those of the visible rows first.
    mutating func read(_ session: inout ListeningSession, shown: [Int]) {
        let queue = session.queue
        guard last != (shown, queue.revision) else { return }
        last = (shown, queue.revision)
        let inputs = shown.lazy.filter { $0 < queue.count }.map(queue.input(at:))
        reader.readSeen(inputs.compactMap(\.file).filter { !queue.knows($0) })
        reader.readOthers(session.filesToRead())
    }

    /// Stops reading.
    func stop() {
        reader.readSeen([])
        reader.readOthers([])
    }
}
