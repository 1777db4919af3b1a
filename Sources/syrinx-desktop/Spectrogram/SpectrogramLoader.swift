import Foundation
import Synchronization
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxStreaming

/// Computes the tiles of a spectrogram that the view wants, on a queue of its own.
@MainActor
final class SpectrogramLoader {
    /// Takes a tile: its columns, and whether nothing more of it can come.
    var onTile: ((SpectrogramTiles.Key, SpectrogramTiles.Columns, Bool) -> Void)?
    /// The frequencies of the rows, once the recording has been opened.
    private(set) var scale: SpectrogramScale?
    private var worker: Worker?
    /// The number of the recording: a tile of a former one may still be on its way to the main actor.
    private var recording = 0
    private static let queue = DispatchQueue(label: "syrinx.spectrogram", qos: .utility)

    /// Begins with the recording of a streamer, which has been opened; nothing is computed until tiles are wanted.
    /// - Parameter sampleRate: Frames per second.
    func load(_ streamer: Streamer, sampleRate: Double) {
        cancel()
        guard let stream = streamer.makeArrivedStream() else { return }
        let scale = SpectrogramScale(rowCount: SpectrogramTextures.rowCount, top: min(sampleRate / 2, 20_000))
        self.scale = scale
        worker = Worker(stream, scale.edges) { [weak self, recording] key, columns in
            guard let self, self.recording == recording else { return }
            // Columns behind the end are silent, and not missing.
            self.onTile?(key, columns, !columns.contains { $0 == nil })
        }
    }

    /// Wants tiles, the most urgent first, in place of those wanted before.
    func want(_ keys: [SpectrogramTiles.Key]) { worker?.want(keys, on: Self.queue) }

    /// Ends the work.
    func cancel() {
        worker?.cancel()
        worker = nil
        scale = nil
        recording += 1
    }

    /// The work for one recording.
    private final class Worker: Sendable {
        private struct State {
            var wanted: [SpectrogramTiles.Key] = []
            var current: SpectrogramTiles.Key?
            var isRunning = false
            var isCancelled = false
        }

        private let state = Mutex(State())
        private let stream: any ByteStream
        private let edges: [Double]
        private let tell: @MainActor (SpectrogramTiles.Key, SpectrogramTiles.Columns) -> Void
        /// The reader is made and used on the queue alone.
        private nonisolated(unsafe) var reader: SpectrogramReader?

        init(
            _ stream: any ByteStream,
            _ edges: [Double],
            _ tell: @escaping @MainActor (SpectrogramTiles.Key, SpectrogramTiles.Columns) -> Void
        ) {
            (self.stream, self.edges, self.tell) = (stream, edges, tell)
        }

        func want(_ keys: [SpectrogramTiles.Key], on queue: DispatchQueue) {
            let starts = state.withLock { state in
                state.wanted = keys.filter { $0 != state.current }
                guard !state.wanted.isEmpty, !state.isRunning, !state.isCancelled else { return false }
                state.isRunning = true
                return true
            }
            if starts { queue.async { self.run() } }
        }

        func cancel() {
            state.withLock { state in
                state.isCancelled = true
                state.wanted = []
            }
            stream.cancel()
        }

        private var next: SpectrogramTiles.Key? {
            state.withLock { state in
                state.current = state.isCancelled || state.wanted.isEmpty ? nil : state.wanted.removeFirst()
                state.isRunning = state.current != nil
                return state.current
            }
        }

        private func run() {
            while let key = next {
                if reader == nil { reader = try? SpectrogramReader(stream) }
                let columns =
                    reader?.columns(
                        from: key.start,
                        secondsPerColumn: key.secondsPerColumn,
                        count: SpectrogramTiles.columnCount,
                        edges: edges,
                        while: { !state.withLock { $0.isCancelled } }
                    ) ?? Array(repeating: nil, count: SpectrogramTiles.columnCount)
                guard columns.count == SpectrogramTiles.columnCount else { continue }
                let tell = tell
                Task { @MainActor in tell(key, columns) }
            }
        }
    }
}
