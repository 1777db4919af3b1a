package import SyrinxByteStream
import SyrinxMediaCodec

extension Streamer {
    /// Records the current station to files during playback, until `stopRecording()` or another input.
    ///
    /// The files contain the original bytes of the station, split at its titles. The recording begins with the frame
    /// that plays now and ends with the last received frame.
    ///
    /// - Parameters:
    ///   - options: The folder and the size limit.
    ///   - report: Called with the progress about once a second, and at the end, on the thread of the recording.
    /// - Throws: `media.unsupported` if the current input is not a station.
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

    /// Stops the recording, and reports the last progress after closing the files.
    package func stopRecording() { controller.lock.withLock { controller.recording }?.stop() }

    /// Whether a recording is in progress.
    package var isRecording: Bool { controller.lock.withLock { controller.recording?.isRunning ?? false } }
}
