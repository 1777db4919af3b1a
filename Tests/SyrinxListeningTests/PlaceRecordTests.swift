import CoreAudioTypes
import SyrinxPlayback
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@testable import SyrinxListening
@testable import SyrinxMediaCodec

@Suite("Positions that a player keeps")
struct PlaceRecordTests {
    /// A session whose events go to a record, as `ListeningPlayer` hands them over.
    private struct Rig {
        var session: ListeningSession
        var record: PlaceRecord
        let keeper: PlaceKeeper

        init(_ inputs: [ListeningInput], in folder: String) {
            session = ListeningSession(inputs: inputs, lifetime: .window)
            keeper = PlaceKeeper(ListeningStore(folder: folder))
            record = PlaceRecord(keeper, keepsRecordings: true) { $0.identity }
        }

        mutating func take(_ event: SessionEvent) {
            for case .emit(let told) in session.handle(event, at: 1) { record.handle(told, of: session, nil) }
        }

        mutating func happens(_ events: StreamingEvent...) {
            for event in events { take(.streaming(event, of: session.openingCount)) }
        }

        private static let info = MediaInfo(
            format: Container(""),
            codec: "",
            sampleRate: 1,
            channelCount: 2,
            channelLayout: "stereo",
            duration: 60,
            durationIsExact: true,
            isSeekable: true,
            tags: [:],
            chapters: [],
            streamDescription: AudioStreamBasicDescription()
        )

        /// Opens and plays the input whose turn it is.
        mutating func play(at time: Double) {
            happens(.status(.opening, time: 0), .opened(Self.info), .status(.playing, time: time), .position(time))
        }

        /// Plays the current input to its end, behind which the streamer goes over to the next by itself.
        mutating func end() {
            if let next = session.upcoming.first {
                happens(.advancing(to: StreamingItem(next.input.streamingInput, id: next.id)))
            }
            happens(.ended(frameCount: 1, underrunCount: 0, receivedByteCount: 0), .status(.ended, time: 60))
        }

        func position(_ input: ListeningInput) -> StoredPosition? { input.identity.flatMap(keeper.position) }
    }

    private func rig() throws -> (Rig, ListeningInput, ListeningInput) {
        let inputs = ["/a.flac", "/b.flac"].compactMap { ListeningInput(argument: $0) }
        var rig = Rig(inputs, in: try ScratchDirectory().file("state"))
        rig.take(.request(.command(.resume)))
        rig.play(at: 20)
        return (rig, inputs[0], inputs[1])
    }

    @Test("An input that ends counts as played, although the session has gone on to the next by then")
    func ends() throws {
        var (rig, a, b) = try rig()
        rig.end()
        #expect(rig.session.queue.index == 1)
        #expect(rig.position(a)?.isFinished == true && rig.position(b) == nil)
        rig.play(at: 5)
        rig.happens(.status(.paused, time: 7))
        #expect(rig.position(b)?.position == 7 && rig.position(a)?.isFinished == true)
    }

    @Test("An input that begins again does not count as played")
    func beginsAgain() throws {
        var (rig, a, _) = try rig()
        rig.take(.request(.setLoop(.one)))
        rig.end()
        #expect(rig.session.queue.index == 0)
        #expect(rig.position(a)?.isFinished == false && rig.position(a)?.position == 0)
        // The two reports of an end may come in either order.
        rig.play(at: 20)
        rig.happens(.advancing(to: StreamingItem(a.streamingInput, id: try #require(rig.session.upcoming.first).id)))
        rig.happens(.status(.ended, time: 60), .ended(frameCount: 1, underrunCount: 0, receivedByteCount: 0))
        #expect(rig.session.queue.index == 0 && rig.position(a)?.isFinished == false)
    }

    @Test("An input that is opened anew near its end does not count as played, and one that is left there does")
    func openedAnew() throws {
        var (rig, a, b) = try rig()
        rig.happens(.position(55))
        rig.take(.request(.command(.goTo(0))))
        rig.happens(.status(.stopped, time: 55))
        #expect(rig.position(a)?.isFinished == false && rig.position(a)?.position == 55)
        rig.play(at: 56)
        rig.take(.request(.command(.goTo(1))))
        rig.happens(.status(.stopped, time: 57))
        #expect(rig.position(a)?.isFinished == true && rig.position(b) == nil)
    }

    @Test("An input that is played again from its end is kept again")
    func playedAgain() throws {
        var (rig, _, b) = try rig()
        rig.take(.request(.command(.goTo(1))))
        rig.happens(.status(.stopped, time: 20))
        rig.play(at: 5)
        rig.end()
        #expect(rig.session.isIdle && rig.position(b)?.isFinished == true)
        rig.take(.request(.command(.toggle)))
        rig.happens(.status(.playing, time: 0), .position(9), .status(.paused, time: 9))
        #expect(rig.position(b)?.isFinished == false && rig.position(b)?.position == 9)
    }

    @Test("A place is kept only while its input is open")
    func keepPlace() throws {
        var (rig, a, b) = try rig()
        rig.record.keepPlace(in: rig.session, at: 31, isLeaving: false)
        #expect(rig.position(a)?.position == 31)
        rig.take(.request(.command(.goTo(1))))
        rig.happens(.status(.stopped, time: 32), .status(.opening, time: 45))
        // The streamer has the start of the input that is being opened.
        rig.record.keepPlace(in: rig.session, at: 45, isLeaving: true)
        #expect(rig.position(a)?.position == 32 && rig.position(b) == nil)
    }

    @Test("An input that fails before it is open changes no position")
    func failure() throws {
        var (rig, a, b) = try rig()
        rig.take(.request(.command(.goTo(1))))
        rig.happens(.status(.stopped, time: 30), .status(.opening, time: 0))
        rig.happens(.failed(.init(.fileNotFound, "There is no such file.", name: "/b.flac")), .status(.failed, time: 0))
        #expect(rig.position(a)?.position == 30 && rig.position(b) == nil)
    }
}
