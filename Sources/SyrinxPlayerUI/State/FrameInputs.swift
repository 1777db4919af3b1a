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

/// The last frame, which is reused while its inputs have not changed.
struct FrameCache: Sendable {
    /// The state of a frame.
    private struct Frame {
        var inputs: FrameInputs
        var grid: CellGrid
        /// The peaks whose numbers the grid displays.
        var peaks: [Float]
    }

    private var last: Frame?
    /// Whether the screen's own state has changed since the last frame.
    var isStale = true

    /// The last frame; `nil` before the first.
    var grid: CellGrid? { last?.grid }

    /// The messages on the last frame; `nil` if it must be redrawn.
    var messages: [Message]? { isStale ? nil : last?.inputs.messages }

    /// Returns whether the last frame shows these inputs.
    func shows(_ inputs: FrameInputs) -> Bool { !isStale && last?.inputs == inputs }

    /// Takes a new frame.
    mutating func keep(_ grid: CellGrid, _ inputs: FrameInputs, _ meters: MeterBank) {
        last = Frame(inputs: inputs, grid: grid, peaks: meters.peaks)
        isStale = false
    }

    /// Redraws the meters of the last frame; `nil` if there is none.
    mutating func redraw(_ meters: MeterBank, in area: CellArea, _ styles: Styles) -> CellGrid? {
        guard var frame = last else { return nil }
        // The only owner of a grid changes it in place.
        last = nil
        meters.draw(in: area, over: frame.peaks, styles, &frame.grid)
        frame.peaks = meters.peaks
        last = frame
        return frame.grid
    }
}

extension FrameInputs {
    /// Creates the inputs of a frame.
    ///
    /// - Parameters:
    ///   - view: The view to draw.
    ///   - messages: The visible messages.
    ///   - columns: The width of the frame.
    ///   - rows: The height of the frame.
    ///   - time: The displayed time, in seconds.
    ///   - barColumns: The width of the seek bar.
    ///   - meterCount: The number of level meters.
    ///   - page: The page that is open.
    init(
        _ view: PlayerView,
        _ messages: [Message],
        columns: Int,
        rows: Int,
        time: Double,
        barColumns: Int,
        meterCount: Int,
        page: PlayerPage
    ) {
        var still = view
        let left = (view.state.duration ?? 0) - time
        let width = Double(barColumns)
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
        (self.view, self.messages, self.times) = (still, messages, times)
        (self.columns, self.rows, self.meterCount) = (columns, rows, meterCount)
    }

    private static func whole(_ value: Double) -> Int {
        // Bounded: far below what an Int holds.
        value.isFinite ? Int(min(max(value, -1e15), 1e15).rounded(.down)) : -1
    }
}
