import Dispatch
import Synchronization
package import SyrinxByteStream
package import SyrinxMediaCodec

/// Reads the tags of the files of a queue, and the covers for visible rows, on a thread of low priority.
///
/// Thread-safe.
package final class TagReader<Cover: Sendable>: Sendable {
    /// The result of reading a file.
    package struct Reading: Sendable {
        /// The file.
        package var path: FilePath
        /// The tags, empty if the file cannot be read.
        package var tags: ListeningTags
        /// Whether the cover was requested, because the row was visible.
        package var hasReadCover: Bool
        /// The cover, if the file has one.
        package var cover: Cover?
    }

    private struct State {
        var order = TagOrder<FilePath>()
        var isRunning = false
    }

    /// The time between two reports, short enough to fill rows soon, and long enough not to redraw the list for each
    /// file.
    private let interval = DispatchTimeInterval.milliseconds(200)
    /// The maximum number of files in a report.
    private let maximumCount = 500

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "syrinx.tags", qos: .utility)
    private let makeCover: @Sendable (MediaPicture) -> Cover?
    private let report: @Sendable ([Reading]) -> Void

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - makeCover: Converts a picture to a cover, on the reader's thread.
    ///   - report: Receives the results, on the reader's thread.
    package init(
        makeCover: @escaping @Sendable (MediaPicture) -> Cover?,
        report: @escaping @Sendable ([Reading]) -> Void
    ) {
        (self.makeCover, self.report) = (makeCover, report)
    }

    /// Reads the files of visible rows first, with their covers.
    ///
    /// - Parameter paths: The files in reading order; they replace those of the last call.
    package func readSeen(_ paths: [FilePath]) { change { $0.setSeen(paths) } }

    /// Reads the tags of other files of the queue.
    ///
    /// - Parameter paths: The files in reading order; they replace those of the last call. An empty list stops reading.
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
            // Visible rows do not wait for other files.
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

    /// The cover of the last folder, because consecutive files usually belong to one album.
    private typealias FolderPicture = (folder: FilePath, picture: MediaPicture?)

    private func read(_ path: FilePath, withCover: Bool, _ last: inout FolderPicture?) -> Reading {
        var reading = Reading(path: path, tags: ListeningTags(), hasReadCover: withCover)
        // Reading a pipe could block all following files.
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
