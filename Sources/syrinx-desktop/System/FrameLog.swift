import Foundation
import SyrinxGTK

/// The log of frames that `Benchmarks/measure` reads: written if `SYRINX_FRAME_LOG` names a file, for measurements
/// only.
///
/// A line for each frame has the time at which it is presented and that of its start, in seconds of the monotonic
/// clock. The milliseconds of processor time of the main thread follow, and the position that is drawn.
@MainActor
final class FrameLog {
    private let file: UnsafeMutablePointer<FILE>
    private var startTime = 0.0
    private var position: Double?
    /// The first window has it.
    private static var isOpen = false

    /// Creates the log; `nil` if none is asked for, or if there is one.
    init?() {
        guard !Self.isOpen, let path = ProcessInfo.processInfo.environment["SYRINX_FRAME_LOG"],
            let file = fopen(path, "w")
        else {
            return nil
        }
        self.file = file
        Self.isOpen = true
    }

    /// Records the position that the frame draws.
    func draw(_ position: Double) { self.position = position }

    /// Logs the frames of the window that a widget is in; called once it is shown.
    func follow(_ widget: Widget) {
        widget.onFrames(
            start: { [weak self] in self?.startTime = Self.processorTime() },
            end: { [weak self] presentation, start in self?.end(presentation, start) }
        )
    }

    /// Notes an event beside the frames.
    func note(_ text: String) { write("# \(ProcessInfo.processInfo.systemUptime) \(text)\n") }

    private func end(_ presentation: Double, _ start: Double) {
        let milliseconds = (Self.processorTime() - startTime) * 1000
        write("\(presentation) \(start) \(milliseconds) \(position.map { "\($0)" } ?? "-")\n")
        position = nil
    }

    private func write(_ line: String) {
        fputs(line, file)
        fflush(file)
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
