import Foundation
import SyrinxListening

/// Forwards the frames of a source, and displays the progress on a terminal.
final class Progress: FrameSource {
    /// The time between updates of the bar, in seconds; short enough to look continuous.
    private static let interval = 0.1

    private let source: any FrameSource
    private let total: Int64?
    private let console: Console
    private let clock: ProcessClock
    private let draws: Bool
    private let verb: String
    private var done: Int64 = 0
    private var nextDraw = 0.0

    var sampleRate: Double { source.sampleRate }
    var channelCount: Int { source.channelCount }

    /// Creates a progress bar for `source`, which has `total` frames if that is known; `isQuiet` disables the bar.
    init(
        context: CommandContext,
        total: Int64?,
        source: any FrameSource,
        verb: String = "rendering",
        isQuiet: Bool = false
    ) {
        self.verb = verb
        self.source = source
        self.total = total
        console = context.console
        clock = context.clock
        draws = !isQuiet && Terminal.allowsDrawing(environment: ProcessInfo.processInfo.environment)
        nextDraw = context.clock.now + Self.interval
    }

    func read(into block: SampleBlock) throws(Failure) -> Int {
        let count = try source.read(into: block)
        done += Int64(count)
        if draws, clock.now >= nextDraw {
            nextDraw = clock.now + Self.interval
            guard Terminal.isInForeground(STDERR_FILENO) else { return count }
            let width = Terminal.size.width - 1
            let bar = ProgressBar.text(done: done, total: total, sampleRate: sampleRate, width: width, verb: verb)
            console.show(status: [bar])
        }
        return count
    }

    /// Removes the bar.
    func finish() {
        if draws { console.show(status: []) }
    }
}

/// Formats a progress bar.
enum ProgressBar {
    /// Returns the bar for a terminal of `width` columns.
    static func text(
        done: Int64,
        total: Int64?,
        sampleRate: Double,
        width: Int,
        verb: String = "rendering"
    ) -> String {
        let time = ClockTime.text(Double(done) / sampleRate)
        guard let total, total > 0 else { return "\(verb) \(time)".cut(to: width) }
        let fraction = min(max(Double(done) / Double(total), 0), 1)
        let percent = "\(Int(fraction * 100)) %".leftPadded(to: 5, with: " ")
        let length = ClockTime.text(Double(total) / sampleRate)
        let tail = "\(percent)  \(time) / \(length)"
        let room = min(width - tail.count - 5 - verb.count, 60)
        guard room >= 5 else { return tail.cut(to: width) }
        let cells = Int(fraction * Double(room))
        let bar = String(repeating: "=", count: cells) + String(repeating: " ", count: room - cells)
        return "\(verb)  [\(bar)] \(tail)".cut(to: width)
    }
}
