import SyrinxByteStream
import SyrinxStreaming

/// Records the station that a player plays, and returns to its live sound.
///
/// The thread of the player uses it. Results come back as events of the player.
struct StationControl {
    private let streamer: Streamer
    /// The settings of recordings; `nil` without storage.
    private let settings: RadioSettings?
    private let post: @Sendable (ListeningPlayer.Event, _ isUrgent: Bool) -> Void

    init(
        _ streamer: Streamer,
        _ settings: RadioSettings?,
        post: @escaping @Sendable (ListeningPlayer.Event, _ isUrgent: Bool) -> Void
    ) {
        (self.streamer, self.settings, self.post) = (streamer, settings, post)
    }

    /// Seeks to the live sound of the current station.
    func goLive() {
        do {
            try streamer.goLive()
        } catch {
            warn(Failure(SyrinxError(error, name: Failure.seek), input: Failure.seek))
        }
    }

    /// Starts or stops the recording of the current station.
    ///
    /// - Parameters:
    ///   - isOn: Whether to record; `nil` toggles the recording.
    ///   - session: The session that plays the station.
    func record(_ isOn: Bool?, in session: ListeningSession) {
        let isRunning = streamer.isRecording
        guard isOn ?? !isRunning else { return streamer.stopRecording() }
        guard !isRunning else { return }
        guard let settings, let folder = settings.folder else {
            let message = "There is no folder for recordings: set record-folder in config.toml."
            return warn(Failure(code: .badCommand, message: message, name: Failure.recording))
        }
        let (input, post) = (session.queue.current, post)
        let station = Station(session.item, input, address: input.name)
        let options = RecordingOptions(folder: folder, station: station.name, maximumByteCount: settings.limit)
        do throws(SyrinxError) {
            try streamer.startRecording(options) { post(.session(.recording($0)), $0.isOver) }
            post(.answer("Records \(station.name) to \(folder.name)."), true)
        } catch {
            warn(Failure(error, name: Failure.recording))
        }
    }

    private func warn(_ failure: Failure) { post(.session(.warning(failure)), true) }
}

extension Failure {
    /// The name in messages about recordings of stations.
    package static let recording = "record"
}
