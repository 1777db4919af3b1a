import Dispatch
import Synchronization
package import SyrinxByteStream
package import SyrinxMediaCodec

/// Reads the tags of files of a queue on a thread of low priority, and the covers of those whose rows are seen.
///
/// Thread-safe.
package final class TagReader<Cover: Sendable>: Sendable {
    /// The result of reading a file.
    package struct Reading: Sendable {
        /// The file.
        package var path: FilePath
        /// The tags, empty if the file cannot be read.
        package var tags: ListeningTags
        /// Whether the cover was asked for, because the row was seen.
        package var hasReadCover: Bool
        /// The cover, if the file has one.
        package var cover: Cover?
    }

    private struct State {
        var order = TagOrder<FilePath>()
        var isRunning = false
    }

    /// Seconds between two reports: rows fill soon, and a list of thousands is not drawn for each of them.
    private let interval = DispatchTimeInterval.milliseconds(200)
    /// The most files of one report.
    private let maximumCount = 500

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "syrinx.tags", qos: .utility)
    private let makeCover: @Sendable (MediaPicture) -> Cover?
    private let report: @Sendable ([Reading]) -> Void

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - makeCover: Makes the cover of a picture, on the reader's thread.
    ///   - report: Takes what has been read, on the reader's thread.
    package init(
        makeCover: @escaping @Sendable (MediaPicture) -> Cover?,
        report: @escaping @Sendable ([Reading]) -> Void
    ) {
        (self.makeCover, self.report) = (makeCover, report)
    }

    /// Reads files whose rows are seen before all others, with their covers.
    ///
    /// - Parameter paths: The files in the order in which they are to be read, in place of those of the last call.
    package func readSeen(_ paths: [FilePath]) { change { $0.setSeen(paths) } }

    /// Reads the tags of other files of the queue.
    ///
    /// - Parameter paths: The files in the order in which they are to be read, in place of those of the last call; none ends it.
    package func readOthers(_ paths: [FilePath]) { change { $0.setOthers(paths) } }

    private func change(_ change: (inout TagOrder<FilePath>) -> Void) {
        let begins = state.withLock { state in
            change(&state.order)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if begins { queue.async { [weak self] in self?.run() } }
    }

    private func run() {
        var found: [Reading] = []
        var folder: FolderPicture?
        var deadline = DispatchTime.now() + interval
        while let (path, isSeen) = next() {
            // The rows that are seen do not wait for others.
            let isFilled = !isSeen && found.last?.hasReadCover == true
            if isFilled || found.count >= maximumCount || DispatchTime.now() >= deadline {
                deliver(found)
                found = []
                deadline = DispatchTime.now() + interval
            }
            found.append(read(path, withCover: isSeen, &folder))
        }
        deliver(found)
    }

    private func deliver(_ found: [Reading]) {
        state.withLock { $0.order.willReport() }
        if !found.isEmpty { report(found) }
    }

    private func next() -> (key: FilePath, isSeen: Bool)? {
        state.withLock { state in
            let next = state.order.next()
            if next == nil { state.isRunning = false }
            return next
        }
    }

    /// The cover in the folder that was looked into last: the files of an album follow each other.
    private typealias FolderPicture = (folder: FilePath, picture: MediaPicture?)

    private func read(_ path: FilePath, withCover: Bool, _ last: inout FolderPicture?) -> Reading {
        var reading = Reading(path: path, tags: ListeningTags(), hasReadCover: withCover)
        // A pipe would hold up all files behind it.
        guard path.isPlainFile, let stream = try? FileByteStream(path: path),
            let file = try? MediaDemuxer.open(stream)
        else { return reading }
        reading.tags = ListeningTags(file.info)
        guard withCover else { return reading }
        if file.artwork == nil, last?.folder != path.folder {
            last = (path.folder, FolderCover.picture(beside: path))
        }
        reading.cover = (file.artwork ?? last?.picture).flatMap(makeCover)
        return reading
    }
}
