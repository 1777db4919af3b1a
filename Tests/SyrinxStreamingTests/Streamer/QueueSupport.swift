import AVFAudio
import Foundation
import SyrinxDevice
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// A chirp that was cut in two at frames that nothing else ends at.
struct Cut {
    let scratch: ScratchDirectory
    let whole: String
    let parts: [String]
    let counts: [Int]

    init(_ ending: String, at frame: Int = 61_234, of count: Int = 110_250, _ arguments: [String] = []) throws {
        scratch = try ScratchDirectory()
        whole = try Inputs.make("whole.\(ending)", in: scratch, seconds: Double(count) / 44_100, arguments: arguments)
        let ranges = ["end_sample=\(frame)", "start_sample=\(frame)"]
        parts = [scratch.file("0.\(ending)"), scratch.file("1.\(ending)")]
        counts = [frame, count - frame]
        for (range, part) in zip(ranges, parts) {
            try FFmpeg.run(["-i", whole, "-af", "atrim=\(range)"] + arguments + [part])
        }
    }

    func items(_ paths: [String]) -> [StreamingItem] { paths.map { StreamingItem(.url(URL(fileURLWithPath: $0))) } }
}

struct QueueRun {
    var events: [StreamingEvent] = []
    var channels: [[Float]] = []
    var frames: [Int64] {
        events.compactMap { if case .ended(let count, _, _) = $0 { count } else { nil } }
    }
    /// The events, without progress.
    var told: [String] {
        events.compactMap { event in
            switch event {
            case .status(let status, _): "\(status)"
            case .advancing(let item): "advancing \(item.input.name.split(separator: "/").last ?? "")"
            case .opened: "opened"
            case .ended: "totals"
            case .failed(let error): "error \(error.code)"
            case .warning(let error): "warning \(error.code)"
            default: nil
            }
        }
    }

    /// Collects all events until the last status of so many inputs.
    static func listen(_ events: AsyncStream<StreamingEvent>, for count: Int) async -> QueueRun {
        var run = QueueRun()
        var left = count
        for await event in events {
            run.events.append(event)
            if case .status(let status, _) = event, [.ended, .failed, .stopped].contains(status) { left -= 1 }
            if left == 0 { break }
        }
        return run
    }

    /// Returns the events of two inputs, `0` and `1` of this ending, of which the second follows the first.
    static func joined(_ ending: String) -> [String] {
        [
            "opening", "opened", "buffering", "playing", "advancing 1.\(ending)", "totals", "ended", "opening",
            "opened",
            "playing", "totals", "ended",
        ]
    }
}

/// Plays in one format, whatever the input is.
final class FixedStreamer: TimePitchStreamer, @unchecked Sendable {
    // Unchecked: its own state is constant.
    private let format: AVAudioFormat

    init(_ format: AVAudioFormat, device: any OutputDevice) {
        self.format = format
        super.init(device: device)
    }

    override func readFormat(for source: MediaInfo) -> AVAudioFormat { format }
}
