import AVFAudio
import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxDevice
import SyrinxPlayback
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@testable import SyrinxListening

@Suite("Lists that a player keeps") struct PlayerListsTests {
    /// A player whose events the test hands over, as the loop of a face does.
    private final class Face {
        private final class Mailbox: Sendable {
            let events = Mutex<[ListeningPlayer.Event]>([])
        }

        let player: ListeningPlayer
        let lists: KeptLists
        var answers: [String] = []
        var warnings: [Failure] = []
        private let mailbox = Mailbox()

        init(_ folder: ScratchDirectory, _ inputs: [ListeningInput], _ access: InputAccess = InputAccess()) {
            lists = KeptLists(
                PlaylistShelf(folder: folder.file("playlists")),
                RadioStore(data: folder.file("data"), state: folder.file("state"))
            )
            var setup = ListeningPlayer.Setup(keeper: PlaceKeeper(nil, lists: lists)) { 0 }
            setup.lifetime = .window
            setup.inputs = inputs
            setup.access = access
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

        /// Carries out a command as text, and handles the events up to its result.
        func send(_ text: String, until condition: (() -> Bool)? = nil) throws {
            let count = answers.count + warnings.count
            player.carryOut(try ListeningCommand(text: text))
            #expect(
                waitUntil {
                    let events = mailbox.events.withLock { events in
                        defer { events = [] }
                        return events
                    }
                    for event in events { player.handle(event) }
                    return condition?() ?? (answers.count + warnings.count > count)
                },
                "\(text)"
            )
        }
    }

    private func inputs(_ names: String...) throws -> [ListeningInput] {
        try names.map { try #require(ListeningInput(argument: $0)) }
    }

    @Test("The queue is saved as a playlist and opened again")
    func playlists() throws {
        let folder = try ScratchDirectory()
        let face = Face(folder, try inputs("/music/a.flac", "/music/b.flac"))
        try face.send("save-playlist evening mix")
        #expect(face.answers == ["Saved as the playlist evening mix: 2 entries."])
        try face.send("save-playlist evening mix")
        #expect(face.warnings.count == 1, "nothing is replaced")
        try face.send("save-playlist a/b")
        try face.send("open-playlist morning")
        #expect(face.warnings.map(\.code) == [.badCommand, .badCommand, .fileNotFound])
        let other = Face(folder, try inputs("/music/c.flac"))
        try other.send("open-playlist evening mix") { other.player.session.queue.count == 2 }
        #expect(other.player.session.queue.inputs.map(\.name) == ["/music/a.flac", "/music/b.flac"])
        #expect(other.warnings.isEmpty)
        other.player.stop()
    }

    @Test("A playlist has no password that is kept until the end of the program")
    func passwords() throws {
        var access = InputAccess()
        access.stored = { URL(string: $0.absoluteString.replacingOccurrences(of: "user:secret@", with: "")) ?? $0 }
        let face = Face(try ScratchDirectory(), try inputs("https://user:secret@music.example/a.flac"), access)
        try face.send("save-playlist web")
        try face.send("favorite")
        for name in [try PlaylistName("web"), .favorites] {
            let entries = try face.lists.playlists.entries(of: name)
            #expect(entries.map(\.url.absoluteString) == ["https://music.example/a.flac"])
        }
        #expect(face.player.state.item?.isFavorite == true)
    }

    @Test("An item becomes a favorite, and stops being one")
    func favorites() throws {
        let folder = try ScratchDirectory()
        let face = Face(folder, try inputs("/music/a.flac"))
        try face.send("favorite")
        #expect(face.answers == ["Added to the favorites: a.flac."])
        #expect(face.player.state.item?.isFavorite == true)
        #expect(try face.lists.playlists.entries(of: .favorites).map(\.url.path) == ["/music/a.flac"])
        try face.send("favorite")
        #expect(face.player.state.item?.isFavorite == false)
        #expect(try face.lists.playlists.entries(of: .favorites).isEmpty)
        let empty = Face(folder, [])
        try empty.send("favorite")
        try empty.send("save-playlist none")
        #expect(empty.warnings.count == 2 && empty.answers.isEmpty)
    }
}
