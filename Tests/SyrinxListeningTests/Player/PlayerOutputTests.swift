import AVFAudio
import Synchronization
import SyrinxDevice
import SyrinxPlayback
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@testable import SyrinxListening

@Suite("Output of a player") struct PlayerOutputTests {
    @Test("A name is that of a device, and not of a file")
    func names() throws {
        #expect(try PlayerOutput.device(named: "auto") == nil)
        #expect(try PlayerOutput.device(named: "pulse:out")?.name == "pulse:out")
        #expect(try PlayerOutput.device(named: "alsa:null")?.name == "alsa:null")
        #expect(try PlayerOutput.device(named: "null") is NullOutput)
        let file = #expect(throws: Failure.self) { try PlayerOutput.device(named: "file:/tmp/a.wav") }
        #expect(file?.code == .badCommand && file?.message.contains("--output") == true)
        for name in ["", "speakers", "auto:1", "pulse out"] {
            let unknown = #expect(throws: Failure.self) { try PlayerOutput.device(named: name) }
            #expect(unknown?.code == .deviceNotFound && unknown?.message.contains("syrinx devices") == true)
        }
    }

    @Test("The list of outputs begins with the default output")
    func list() {
        #expect(OutputEntry.all([]) == [OutputEntry(name: "auto", title: "Default")])
    }

    /// A player whose events the test hands over, as the loop of a face does.
    private final class Face {
        private final class Mailbox: Sendable {
            let events = Mutex<[ListeningPlayer.Event]>([])
        }

        let player: ListeningPlayer
        let keeper: PlaceKeeper
        var answers: [String] = []
        var warnings: [Failure] = []
        private let mailbox = Mailbox()

        init(_ folder: String, _ make: @escaping @Sendable (String) throws(Failure) -> (any OutputDevice)?) {
            keeper = PlaceKeeper(ListeningStore(folder: folder))
            var setup = ListeningPlayer.Setup(keeper: keeper) { 0 }
            setup.lifetime = .listener
            setup.output.name = "first"
            setup.output.make = make
            player = ListeningPlayer(setup, on: TimePitchStreamer(device: ManualOutput())) { [mailbox] event, _ in
                mailbox.events.withLock { $0.append(event) }
            }
            player.onNotice = { [unowned self] notice in
                switch notice {
                case .answer(let text): answers.append(text)
                case .event(.warning(let failure)): warnings.append(failure)
                default: break
                }
            }
        }

        /// Carries out a command, and handles the events up to its result.
        func choose(_ name: String) {
            let count = answers.count + warnings.count
            player.carryOut(.output(name))
            _ = waitUntil {
                let events = mailbox.events.withLock { events in
                    defer { events = [] }
                    return events
                }
                for event in events { player.handle(event) }
                return answers.count + warnings.count > count
            }
        }
    }

    @Test("A command changes the output of the streamer, and the choice is kept")
    func command() throws {
        let folder = try ScratchDirectory().file("state")
        let other = ManualOutput()
        let face = Face(folder) { name throws(Failure) in
            switch name {
            case "other": return other
            case "null": return NullOutput()
            default: throw Failure(code: .badCommand, message: "it is recorded", name: Failure.control)
            }
        }
        face.choose("first")
        #expect(face.answers == ["The output is already first."])
        face.choose("other")
        #expect(face.player.outputName == "other" && face.player.streamer.engine.outputDevice === other)
        #expect(face.answers.last == "The output is now other.")
        #expect(face.keeper.output == "other")
        // A refusal is a warning, and leaves everything as it is.
        face.choose("recorded")
        #expect(face.warnings.map(\.message) == ["it is recorded"])
        #expect(face.player.outputName == "other" && face.player.streamer.engine.outputDevice === other)
        // An output without sound holds for this player alone.
        face.choose("null")
        #expect(face.player.outputName == "null" && face.keeper.output == "other")
    }
}
