import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxStreaming

/// Draws the waveform of the input that plays while its bytes arrive, on a thread of low priority.
///
/// It reads the data that the player has received, and fetches nothing. Any thread may request the peaks.
final class WaveformFollower: Sendable {
    /// The number of peaks: more than the columns of any terminal.
    static let columnCount = 2000
    /// The time in seconds between two attempts to continue where bytes are missing.
    private static let interval = 0.5
    /// The same where nothing has arrived for long.
    private static let longestInterval = 8.0
    /// Seconds between two reports of growth.
    private static let reportInterval = 0.2

    /// One input that is followed.
    private final class Pass: Sendable {
        struct State {
            /// The peaks, 0…1; negative where none is known.
            var peaks = [Float](repeating: -1, count: WaveformFollower.columnCount)
            var stream: (any ByteStream)?
            var isCancelled = false
            /// The place that is heard, as a fraction of the whole.
            var place = 0.0
        }

        let state = Mutex(State())

        func cancel() {
            let stream = state.withLock { state in
                state.isCancelled = true
                return state.stream
            }
            stream?.cancel()
        }
    }

    private let pass = Mutex<Pass?>(nil)
    private let didGrow: @Sendable () -> Void

    /// A follower of nothing, which calls `didGrow` on its thread when peaks have come.
    init(didGrow: @escaping @Sendable () -> Void) { self.didGrow = didGrow }

    deinit { stop() }

    /// The peaks of the input from its start to its end, 0…1; negative where none is known yet.
    var peaks: [Float] { pass.withLock { $0 }?.state.withLock { $0.peaks } ?? [] }

    /// Begins anew with the bytes that `makeStream` gives: again and again until it gives some.
    func follow(_ makeStream: @escaping @Sendable () -> (any ByteStream)?) {
        let new = Pass()
        replace(new)
        let didGrow = didGrow
        // Without a thread the seek bar has no peaks, as before they are known.
        try? SystemThread.start("syrinx.waveform") {
            // Of this thread, and not of the process: see setpriority(2), "C library/kernel differences".
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 15)
            Self.run(new, makeStream, didGrow)
        }
    }

    /// Sets the playback position as a fraction; the waveform is computed there first.
    func note(place: Double) {
        pass.withLock { $0 }?.state.withLock { $0.place = place.isFinite ? min(max(place, 0), 1) : 0 }
    }

    /// Follows nothing any more.
    func stop() { replace(nil) }

    private func replace(_ new: Pass?) {
        let old = pass.withLock { pass in
            defer { pass = new }
            return pass
        }
        old?.cancel()
    }

    private static func run(
        _ pass: Pass,
        _ makeStream: () -> (any ByteStream)?,
        _ didGrow: () -> Void
    ) {
        var pause = interval
        while !pass.state.withLock({ $0.isCancelled }) {
            let known = pass.state.withLock { $0.peaks.count { $0 >= 0 } }
            if let stream = makeStream() {
                let isWanted = pass.state.withLock { state in
                    state.stream = stream
                    return !state.isCancelled
                }
                guard isWanted else { return }
                defer { stream.cancel() }
                guard draw(stream, pass, didGrow) else { return }
            }
            // If no data arrives, as in a pause, check at growing intervals.
            let hasGrown = pass.state.withLock { $0.peaks.count { $0 >= 0 } } > known
            pause = hasGrown ? interval : min(pause * 1.5, longestInterval)
            Thread.sleep(forTimeInterval: pause)
        }
    }

    /// Computes the waveform of the received data, starting at the most important position.
    /// - Returns: Whether there is more to come.
    private static func draw(_ stream: any ByteStream, _ pass: Pass, _ didGrow: () -> Void) -> Bool {
        let reader: MediaReader
        do throws(SyrinxError) { reader = try MediaReader.open(stream) } catch { return error.code == .interrupted }
        let info = reader.info
        let total = info.frameCount ?? info.duration.map { Int64(clamped: ($0 * info.sampleRate).rounded()) }
        guard let total, total > 0 else { return false }
        guard let column = nextColumn(pass, stream) else { return false }
        let start = Int64(clamped: (Double(column) / Double(columnCount) * Double(total)).rounded(.up))
        let step = 4096
        let block = SampleBlock(channelCount: info.channelCount, capacity: step)
        var reportedAt = Date.distantPast
        do throws(SyrinxError) {
            if info.isSeekable, start > 0 { try reader.seek(toFrame: start) }
            while true {
                let position = reader.position
                let count = try reader.read(into: block.channels, frameCount: step)
                if count == 0 {
                    // The length was an estimate that is too long, or the recording is cut off.
                    pass.state.withLock { state in
                        for index in column..<columnCount where state.peaks[index] < 0 { state.peaks[index] = 0 }
                    }
                    break
                }
                guard note(block, count: count, at: position, of: total, in: pass) else { return false }
                if -reportedAt.timeIntervalSinceNow >= reportInterval {
                    didGrow()
                    reportedAt = Date()
                }
            }
            didGrow()
            // The length may have been an estimate that is too long: nothing more comes.
            return start > 0 && nextColumn(pass, stream) != nil
        } catch {
            return error.code == .interrupted
        }
    }

    /// The column to draw next: the first from the place that is heard on, then the first of all; `nil` if all are
    /// known.
    private static func nextColumn(_ pass: Pass, _ stream: any ByteStream) -> Int? {
        let (peaks, place) = pass.state.withLock { ($0.peaks, $0.place) }
        let here = min(Int(place * Double(columnCount)), columnCount - 1)
        let unknown = [peaks[here...].firstIndex { $0 < 0 }, peaks.firstIndex { $0 < 0 }].compactMap(\.self)
        guard let length = stream.length, length > 0 else { return unknown.last }
        return unknown.first { column in
            let offset = Int64(Double(length) * Double(column) / Double(columnCount))
            return stream.firstMissing(from: offset) > offset
        } ?? unknown.last
    }

    /// Adds the peaks of a block.
    /// - Returns: Whether to continue: the recording is still current, and parts of it are unknown.
    private static func note(_ block: SampleBlock, count: Int, at position: Int64, of total: Int64, in pass: Pass)
        -> Bool
    {
        let perColumn = Double(total) / Double(columnCount)
        var peaks: [(column: Int, peak: Float)] = []
        var start = 0
        while start < count {
            let place = Double(position.addingClamped(Int64(start)))
            let column = min(max(Int(clamped: (place / perColumn).rounded(.down)), 0), columnCount - 1)
            let columnEnd = Int64(clamped: (Double(column + 1) * perColumn).rounded(.up))
            let end =
                column == columnCount - 1
                ? count : min(count, max(start + 1, Int(clamped: Double(columnEnd.subtractingClamped(position)))))
            var peak: Float = 0
            for channel in 0..<block.channelCount {
                for frame in start..<end { peak = max(peak, abs(block.channels[channel][frame])) }
            }
            peaks.append((column, min(peak, 1)))
            start = end
        }
        return pass.state.withLock { state in
            for (column, peak) in peaks { state.peaks[column] = max(state.peaks[column], peak) }
            return !state.isCancelled
        }
    }
}
