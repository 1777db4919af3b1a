package import SyrinxByteStream
import SyrinxMediaCodec

extension Streamer {
    /// Records the station that plays to files, beside playback, until it is stopped or another input plays.
    ///
    /// The files have the bytes of the station as it sends them, cut at its titles. They begin with the frame that is
    /// heard, and reach up to the last one that has arrived.
    ///
    /// - Parameters:
    ///   - options: The folder and the limit.
    ///   - report: Receives the progress about once a second, and the end, on a thread of the recording.
    /// - Throws: `media.unsupported` if no station plays.
    package func startRecording(
        _ options: RecordingOptions,
        _ report: @escaping @Sendable (RecordingProgress) -> Void
    ) throws(SyrinxError) {
        controller.lock.lock()
        defer { controller.lock.unlock() }
        guard controller.recording?.isRunning != true else { return }
        guard let pump = controller.tracks.current.pump, let stream = pump.networkStream, stream.isBroadcast else {
            let message = "Only a station can be recorded: a broadcast by Icecast or Shoutcast."
            throw SyrinxError(.unsupported, message, name: options.station)
        }
        let start = pump.follower?.mark(at: controller.heardTime)?.offset ?? 0
        let head = pump.follower?.head(at: start)
        controller.recording = BroadcastRecording(stream, from: start, head: head, options, report)
    }

    /// Ends the recording; its last progress is reported when the files are closed.
    package func stopRecording() { controller.lock.withLock { controller.recording }?.stop() }

    /// Whether a recording runs.
    package var isRecording: Bool { controller.lock.withLock { controller.recording?.isRunning ?? false } }
}
