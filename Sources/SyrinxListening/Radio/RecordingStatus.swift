import SyrinxByteStream
package import SyrinxStreaming

/// The status of a recording, as user interfaces show it.
package struct RecordingStatus: Codable, Equatable, Sendable {
    /// The path of the current file; `nil` before the first frame.
    package var file: String?
    /// The number of files.
    package var files: Int
    /// The size of all files, in bytes.
    package var bytes: Int64
    /// The length, in seconds.
    package var seconds: Double

    /// Creates the status of a recording.
    package init(_ progress: RecordingProgress) {
        (file, files, bytes) = (progress.file?.name, progress.fileCount, progress.byteCount)
        seconds = (progress.seconds * 1_000).rounded() / 1_000
    }

    /// The status as a line of text.
    package var text: String { "REC \(ClockTime.text(seconds)), \(Self.size(bytes))" }

    /// The message at the end of a recording.
    package var summary: String {
        guard files > 0 else { return "Nothing was recorded: no frame has arrived." }
        let names = files == 1 ? "1 file" : "\(files) files"
        return "Recorded \(names), \(ClockTime.text(seconds)), \(Self.size(bytes))."
    }

    private static func size(_ bytes: Int64) -> String {
        let size = Double(bytes)
        return size < 1e6
            ? "\(SoundLimits.number((size / 1e3).rounded())) kB"
            : "\(SoundLimits.number((size / 1e5).rounded() / 10)) MB"
    }
}
