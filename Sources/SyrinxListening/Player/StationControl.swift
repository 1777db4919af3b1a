import SyrinxByteStream
import SyrinxStreaming

/// Actions for stations: recording, and the return to the live sound.
extension ListeningPlayer {
    /// Seeks to the live sound of the current station.
    func goLive() {
        do {
            try streamer.goLive()
        } catch {
            handle(.warning(Failure(SyrinxError(error, name: Failure.seek), input: Failure.seek)))
        }
    }

    /// Starts or stops the recording of the current station.
    /// - Parameter isOn: Whether to record; `nil` toggles the recording.
    func record(_ isOn: Bool?) {
        let isRunning = streamer.isRecording
        guard isOn ?? !isRunning else { return streamer.stopRecording() }
        guard !isRunning else { return }
        guard let settings = setup.keeper.lists?.settings, let folder = settings.folder else {
            let message = "There is no folder for recordings: set record-folder in config.toml."
            return handle(.warning(Failure(code: .badCommand, message: message, name: Failure.recording)))
        }
        let (input, post) = (session.queue.current, post)
        let station = Station(session.item, input, address: input.name)
        let options = RecordingOptions(folder: folder, station: station.name, maximumByteCount: settings.limit)
        do throws(SyrinxError) {
            try streamer.startRecording(options) { post(.session(.recording($0)), $0.isOver) }
            onNotice(.answer("Records \(station.name) to \(folder.name)."))
        } catch {
            handle(.warning(Failure(error, name: Failure.recording)))
        }
    }
}

extension Failure {
    /// The name in messages about recordings of stations.
    package static let recording = "record"
}
