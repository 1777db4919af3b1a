import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// The session, beside a sound server of the test's own.
@Suite struct AudioSessionTests {
    /// Notes the notifications of a session.
    private final class Notes: @unchecked Sendable {
        // Unchecked: the lines are behind a lock, and the tokens are touched by `init` and `deinit` only.
        let all = Mutex<[String]>([])
        private var tokens: [any NSObjectProtocol] = []

        init(_ session: AVAudioSession) {
            add(AVAudioSession.routeChangeNotification, session) { note in
                let reason = note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt ?? 99
                let former =
                    note.userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
                return "route \(reason) from \(former?.outputs.first?.uid ?? "-")"
            }
            add(AVAudioSession.interruptionNotification, session) { note in
                let type = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt ?? 99
                let options = note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt
                return "interruption \(type) \(options.map(String.init) ?? "-")"
            }
        }

        private func add(
            _ name: Notification.Name,
            _ session: AVAudioSession,
            _ text: @escaping @Sendable (Notification) -> String
        ) {
            let token = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
                [weak self] note in
                let line = text(note)
                self?.all.withLock { $0.append(line) }
            }
            tokens.append(token)
        }

        deinit { tokens.forEach { NotificationCenter.default.removeObserver($0) } }

        func wait(_ count: Int) -> [String] {
            waitUntil(timeout: 20) { all.withLock { $0.count >= count } }
            return all.withLock { $0 }
        }
    }

    @Test("The session reports the server's sink, its volume, and each change of it")
    func followsTheServer() throws {
        let server = try PulseServer(sampleRate: 48_000, channelCount: 2, sink: "first")
        let session = AVAudioSession(server: server.server)
        #expect(session.currentRoute.outputs.map(\.uid) == ["first"])
        #expect(session.currentRoute.outputs[0].channels?.map(\.channelNumber) == [1, 2])
        #expect(session.currentRoute.outputs[0].portType == .builtInSpeaker)
        #expect(session.sampleRate == 48_000 && session.outputNumberOfChannels == 2)
        #expect(session.outputVolume == 1 && !session.isInputAvailable && session.availableInputs == nil)
        let notes = Notes(session)
        _ = try server.control("set-sink-volume", "first", "50%")
        #expect(waitUntil(timeout: 20) { abs(session.outputVolume - 0.5) < 0.01 })
        _ = try server.control("set-sink-mute", "first", "1")
        #expect(waitUntil(timeout: 20) { session.outputVolume == 0 })
        // Another sink, which becomes the default, and goes again.
        let module = try server.control("load-module", "module-null-sink", "sink_name=second", "rate=44100")
        _ = try server.control("set-default-sink", "second")
        #expect(notes.wait(1) == ["route 1 from first"])
        #expect(session.sampleRate == 44_100)
        _ = try server.control("unload-module", module.output.trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(notes.wait(2) == ["route 1 from first", "route 2 from second"])
        // Without a server nothing is heard.
        server.kill()
        #expect(notes.wait(4).suffix(2) == ["route 2 from first", "interruption 1 -"])
        #expect(session.currentRoute.outputs.isEmpty && session.sampleRate == 0)
        try server.restart()
        #expect(notes.wait(6).suffix(2) == ["route 1 from -", "interruption 0 1"])
        #expect(session.currentRoute.outputs.map(\.uid) == ["first"])
    }

    @Test("Inputs are the sources that are no monitors")
    func listsInputs() throws {
        let server = try PulseServer()
        _ = try server.control("load-module", "module-null-source", "source_name=mic", "rate=16000", "channels=1")
        _ = try server.control("set-default-source", "mic")
        let session = AVAudioSession(server: server.server)
        #expect(session.availableInputs?.map(\.uid) == ["mic"])
        #expect(session.currentRoute.inputs.map(\.portType) == [.builtInMic])
        #expect(session.isInputAvailable && session.inputNumberOfChannels == 1)
        let notes = Notes(session)
        _ = try server.control("set-default-source", "out.monitor")
        #expect(notes.wait(1) == ["route 1 from out"])
        #expect(!session.isInputAvailable && session.availableInputs?.count == 1)
    }

    @Test("Without a server the session is there, and has no route")
    func withoutAServer() throws {
        let folder = try ScratchDirectory()
        let session = AVAudioSession(server: "unix:\(folder.file("none"))")
        #expect(session.currentRoute.outputs.isEmpty && session.currentRoute.inputs.isEmpty)
        #expect(session.sampleRate == 0 && session.outputVolume == 0 && session.outputLatency == 0)
    }

    @Test("What a program says is remembered")
    func remembersSettings() throws {
        let session = AVAudioSession(server: "unix:/nonexistent")
        #expect(session.category == .soloAmbient && session.mode == .default)
        let notes = Notes(session)
        try session.setActive(true, options: .notifyOthersOnDeactivation)
        try session.setCategory(.playback, mode: .spokenAudio, policy: .longFormAudio, options: [.allowAirPlay])
        #expect(session.category == .playback && session.mode == .spokenAudio)
        #expect(session.routeSharingPolicy == .longFormAudio && session.categoryOptions == .allowAirPlay)
        #expect(notes.wait(1) == ["route 3 from -"])
        try session.setCategory(.playAndRecord)
        #expect(session.mode == .spokenAudio && session.categoryOptions == [])
        try session.setPreferredSampleRate(48_000)
        try session.setPreferredIOBufferDuration(0.005)
        #expect(session.preferredSampleRate == 48_000 && session.preferredIOBufferDuration == 0.005)
        #expect(AVAudioSession.sharedInstance() === AVAudioSession.sharedInstance())
        #expect(session.recordPermission == .granted)
        #expect(!session.allowHapticsAndSystemSoundsDuringRecording)
        try session.setAllowHapticsAndSystemSoundsDuringRecording(true)
        #expect(session.allowHapticsAndSystemSoundsDuringRecording)
    }

    @Test("An input has the sockets of the server's source, and says which one records")
    func listsDataSources() throws {
        var port = AudioPort(
            id: "card",
            description: "Card",
            kind: .microphone,
            sampleRate: 48_000,
            channelCount: 2,
            volume: 1,
            latency: 0
        )
        #expect(AVAudioSessionPortDescription(input: port).dataSources == nil)
        port.dataSources = [
            AudioPort.DataSource(id: "analog-input-mic", description: "Microphone"),
            AudioPort.DataSource(id: "analog-input-linein", description: "Line In"),
        ]
        port.activeDataSource = "analog-input-linein"
        let input = AVAudioSessionPortDescription(input: port)
        #expect(input.dataSources?.map(\.dataSourceName) == ["Microphone", "Line In"])
        #expect(input.dataSources?.map(\.dataSourceID) == [0, 1])
        #expect(input.selectedDataSource?.dataSourceName == "Line In")
        #expect(input.selectedDataSource == AVAudioSessionPortDescription(input: port).dataSources?.last)
        #expect(input.selectedDataSource != input.dataSources?.first)
    }

    @Test("A socket that the server does not have is refused")
    func refusesMissingDataSources() throws {
        let server = try PulseServer()
        _ = try server.control("load-module", "module-null-source", "source_name=mic")
        _ = try server.control("set-default-source", "mic")
        let session = AVAudioSession(server: server.server)
        #expect(session.inputDataSources == nil && session.inputDataSource == nil)
        try session.setInputDataSource(nil)
        var port = AudioPort(
            id: "mic",
            description: "",
            kind: .microphone,
            sampleRate: 48_000,
            channelCount: 2,
            volume: 1,
            latency: 0
        )
        port.dataSources = [AudioPort.DataSource(id: "front", description: "Front")]
        let missing = AVAudioSessionPortDescription(input: port).dataSources?.first
        let error = #expect(throws: DeviceError.self) { try session.setInputDataSource(missing) }
        #expect(error?.code == .deviceUnavailable)
        let none = AVAudioSession(server: "unix:/nonexistent")
        #expect(throws: DeviceError.self) { try none.setInputDataSource(missing) }
    }

    @Test("An application asks its handler before it says that the input is muted")
    func mutingAsksTheHandler() throws {
        let application = AVAudioApplication.shared
        let asked = Mutex<[Bool]>([])
        try application.setInputMuteStateChangeHandler { muted in
            asked.withLock { $0.append(muted) }
            return asked.withLock { $0.count } < 3
        }
        try application.setInputMuted(true)
        #expect(application.isInputMuted)
        try application.setInputMuted(false)
        #expect(throws: CocoaError.self) { try application.setInputMuted(true) }
        #expect(!application.isInputMuted && asked.withLock { $0 } == [true, false, true])
        try application.setInputMuteStateChangeHandler(nil)
        #expect(application.recordPermission == .granted)
    }
}
