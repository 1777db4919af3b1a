import SyrinxListening
import SyrinxTerminal

/// The parts of the view and the screen that determine a frame, except for the levels.
///
/// Times and fractions are rounded to seconds and to columns of the seek bar, as they are displayed.
struct FrameInputs: Equatable, Sendable {
    var view: PlayerView
    var messages: [Message]
    var columns: Int
    var rows: Int
    var meterCount: Int
    /// The displayed times in seconds, and the number of played columns of the seek bar.
    var times: [Int]
}

/// The last frame, which is reused if its inputs have not changed.
struct LastFrame: Sendable {
    var inputs: FrameInputs
    var grid: CellGrid
    /// The peaks whose numbers the grid displays.
    var peaks: [Float]
}

extension PlayerScreen {
    /// Returns the inputs of a frame.
    ///
    /// - Parameters:
    ///   - view: The view to draw.
    ///   - messages: The visible messages.
    ///   - columns: The width of the frame.
    ///   - rows: The height of the frame.
    func inputs(_ view: PlayerView, _ messages: [Message], columns: Int, rows: Int) -> FrameInputs {
        var still = view
        let time = draggedTime ?? view.state.time
        let left = (view.state.duration ?? 0) - time
        let width = Double(places.barColumns)
        let fraction = view.state.duration.map { $0 > 0 ? time / $0 : 0 } ?? 0
        var times = [Self.whole(left), Self.whole(left / view.sound.rate), Self.whole(fraction * width)]
        if page == .transcript { times.append(view.currentPassage ?? -1) }
        still.now = 0
        still.state.time = time.rounded(.down)
        still.state.timeSaved = view.state.timeSaved?.rounded(.down)
        still.state.received = view.state.received.compactMap { range in
            guard range.lowerBound.isFinite, range.upperBound.isFinite else { return nil }
            // The columns whose middles have been downloaded.
            let from = (range.lowerBound * width - 0.5).rounded(.up)
            return from...max(from, (range.upperBound * width - 0.5).rounded(.up))
        }
        if case .time(let left) = view.sound.sleep { still.sound.sleep = .time(left.rounded(.down)) }
        still.sound.levels = []
        return FrameInputs(
            view: still,
            messages: messages,
            columns: columns,
            rows: rows,
            meterCount: meters.meters.count,
            times: times
        )
    }

    private static func whole(_ value: Double) -> Int {
        // Bounded: far below what an Int holds.
        value.isFinite ? Int(min(max(value, -1e15), 1e15).rounded(.down)) : -1
    }
}
