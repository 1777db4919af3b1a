import Foundation
import Synchronization
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxStreaming

/// Computes the requested tiles of a spectrogram on its own queue.
@MainActor
final class SpectrogramLoader {
    /// Receives a tile: its columns, and whether the tile is complete.
    var onTile: ((SpectrogramTiles.Key, SpectrogramTiles.Columns, Bool) -> Void)?
    /// The frequencies of the rows, once the recording has been opened.
    private(set) var scale: SpectrogramScale?
    private var worker: Worker?
    /// The number of the recording, to detect tiles of a previous recording that arrive late.
    private var recording = 0
    private static let queue = DispatchQueue(label: "syrinx.spectrogram", qos: .utility)

    /// Starts with the open recording of a streamer; tiles are computed only when they are requested.
    /// - Parameter sampleRate: Frames per second.
    func load(_ streamer: Streamer, sampleRate: Double) {
        cancel()
        guard let stream = streamer.makeArrivedStream() else { return }
        let scale = SpectrogramScale(rowCount: SpectrogramTextures.rowCount, top: min(sampleRate / 2, 20_000))
        self.scale = scale
        worker = Worker(stream, scale.edges) { [weak self, recording] key, columns in
            guard let self, self.recording == recording else { return }
            // Columns after the end are silent, not missing.
            self.onTile?(key, columns, !columns.contains { $0 == nil })
        }
    }

    /// Requests tiles, the most urgent first; they replace the previous requests.
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
