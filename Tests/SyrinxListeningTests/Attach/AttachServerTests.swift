import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxListening

@Suite("The socket for faces in other processes")
struct AttachServerTests {
    /// A player that answers each request with the number of requests so far.
    private final class Player: Sendable {
        struct State {
            var server: AttachServer?
            var joined = 0
            var left = 0
            /// The faces that were dropped because they did not read.
            var slow: [AttachServer.Face] = []
            var calls: [AttachRequest] = []
        }

        let state = Mutex(State())

        init(_ folder: AttachFolder) throws {
            let server = try AttachServer(in: folder) { [self] in handle($0) }
            state.withLock { $0.server = server }
        }

        private func handle(_ event: AttachServer.Event) {
            switch event {
            case .joined: state.withLock { $0.joined += 1 }
            case .left(let face, let departure):
                state.withLock { state in
                    state.left += 1
                    if departure == .tooSlow { state.slow.append(face) }
                }
            case .called(let face, let call):
                let (server, count) = state.withLock { state in
                    state.calls.append(call.request)
                    return (state.server, state.calls.count)
                }
                var message = AttachMessage.answer(call.id)
                message.levels = [Float(count)]
                server?.answer(message, to: face)
            }
        }

        var server: AttachServer? { state.withLock { $0.server } }
        func stop() { server?.stop(AttachMessage()) }
    }

    private struct Place {
        let scratch: ScratchDirectory
        let environment: [String: String]

        init() throws {
            scratch = try ScratchDirectory()
            environment = ["XDG_RUNTIME_DIR": scratch.path]
        }

        func folder() throws -> AttachFolder { try AttachFolder(creates: true, environment: environment) }
        func connect() throws -> AttachConnection { try AttachConnection(environment: environment) }
        func raw() throws -> Int32 {
            try AttachFolder(creates: false, environment: environment).makeConnection()
        }
    }

    @Test("A face without a player learns that there is none, also beside a stale socket")
    func noPlayer() throws {
        let place = try Place()
        func code() -> ErrorCode? {
            do throws(Failure) {
                _ = try AttachConnection(environment: place.environment)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code() == .noPlayer)
        let listener = try place.folder().makeListener()
        close(listener)
        #expect(code() == .noPlayer, "a socket to which no process listens")
        let player = try Player(place.folder())
        #expect(code() == nil, "it is no obstacle to the next player")
        player.stop()
        #expect(code() == .noPlayer)
    }

    @Test("The folder and the socket are the user's alone")
    func modes() throws {
        let place = try Place()
        mkdir(place.scratch.file("syrinx"), 0o777)
        chmod(place.scratch.file("syrinx"), 0o777)
        let player = try Player(place.folder())
        defer { player.stop() }
        for (name, mode) in [("syrinx", UInt32(0o700)), ("syrinx/player.sock", 0o600), ("syrinx/player.lock", 0o600)] {
            var status = stat()
            #expect(stat(place.scratch.file(name), &status) == 0)
            #expect(status.st_mode & 0o777 == mode, "\(name)")
        }
    }

    @Test("A link in place of the folder is refused, and without the variable the cache folder is used")
    func folders() throws {
        let place = try Place()
        let target = try ScratchDirectory()
        symlink(target.path, place.scratch.file("syrinx"))
        #expect(throws: Failure.self) { _ = try place.folder() }
        let folder = try AttachFolder(creates: true, environment: ["HOME": target.path])
        #expect(folder.path == target.file(".cache/syrinx/run"))
    }

    @Test("A second player is refused, until the first has ended")
    func lock() throws {
        let place = try Place()
        let player = try Player(place.folder())
        do throws(Failure) {
            _ = try AttachServer(in: try AttachFolder(creates: true, environment: place.environment)) { _ in }
            Issue.record("there are two")
        } catch {
            #expect(error.code == .playerRuns)
            #expect(error.message.contains("syrinx attach") && error.message.contains("syrinx queue add"))
        }
        player.stop()
        try Player(place.folder()).stop()
    }

    @Test("Requests of two faces are answered, each in its order, and a malformed line changes nothing")
    func order() throws {
        let place = try Place()
        let player = try Player(place.folder())
        defer { player.stop() }
        let (first, second) = (try place.connect(), try place.connect())
        for round in 1...20 {
            #expect(first.ask(.rows(from: round, count: 1)) != nil)
            #expect(second.ask(.status) != nil)
        }
        let calls = player.state.withLock { $0.calls }
        #expect(calls.count == 40)
        #expect(calls.filter { $0 != .status } == (1...20).map { .rows(from: $0, count: 1) })

        let raw = try place.raw()
        defer { close(raw) }
        let lines = AttachRequestTests.malformedLines(10_000).map { $0.filter { $0 != "\n" && $0 != "\r\n" } }
        let isSent = Mutex(false)
        Thread.detachNewThread {
            let text = (lines + [#"{"id":9,"request":"status"}"#]).joined(separator: "\n") + "\n"
            Descriptor.writeAll(Array(text.utf8), to: raw)
            isSent.withLock { $0 = true }
        }
        var splitter = LineSplitter(longestLine: 1 << 20)
        var (refusals, isAnswered) = (0, false)
        while !isAnswered, let bytes = Descriptor.readSome(from: raw, limit: 65_536), !bytes.isEmpty {
            for case .text(let text) in splitter.lines(in: bytes) {
                let answer = AttachMessage(line: text)?.answer
                if answer?.error != nil { refusals += 1 }
                if answer?.id == 9, answer?.error == nil { isAnswered = true }
            }
        }
        #expect(isAnswered && isSent.withLock { $0 })
        #expect(refusals == lines.count { !$0.allSatisfy(\.isWhitespace) })
        #expect(player.state.withLock { $0.calls.count } == 41)
    }

    @Test("A line that is too long is refused, and the next one is read")
    func longLine() throws {
        let place = try Place()
        let player = try Player(place.folder())
        defer { player.stop() }
        let raw = try place.raw()
        defer { close(raw) }
        let long = String(repeating: "x", count: AttachProtocol.longestRequest + 1)
        Descriptor.writeAll(Array((long + "\n" + #"{"id":1,"request":"status"}"# + "\n").utf8), to: raw)
        var splitter = LineSplitter(longestLine: 1 << 20)
        var answers: [AttachMessage.Answer] = []
        while answers.count < 2, let bytes = Descriptor.readSome(from: raw, limit: 4096), !bytes.isEmpty {
            for case .text(let text) in splitter.lines(in: bytes) {
                if let answer = AttachMessage(line: text)?.answer { answers.append(answer) }
            }
        }
        #expect(answers.map(\.id) == [nil, 1])
        #expect(answers.first?.error?.message.contains("65536") ?? false)
    }

    @Test("A face that does not read is dropped, and another one gets everything")
    func slowFace() throws {
        let place = try Place()
        let player = try Player(place.folder())
        defer { player.stop() }
        let slow = try place.raw()
        defer { close(slow) }
        let fast = try place.connect()
        let seen = Mutex(0)
        try fast.start { message in if message?.notice != nil { seen.withLock { $0 += 1 } } }
        try #require(waitUntil { player.state.withLock { $0.joined } == 2 })
        let server = try #require(player.server)
        let text = String(repeating: "x", count: 100_000)
        for count in 1...300 {
            server.send(.notice(.note, text), to: [1, 2])
            // The fast one is given its time.
            #expect(waitUntil { seen.withLock { $0 } >= count - 5 })
        }
        #expect(waitUntil { seen.withLock { $0 } == 300 })
        #expect(waitUntil { player.state.withLock { $0.left } == 1 })
        #expect(player.state.withLock { $0.slow } == [1], "it has not hung up")
        fast.stop()
        #expect(waitUntil { player.state.withLock { $0.left } == 2 })
        #expect(player.state.withLock { $0.slow } == [1], "a closed connection was not too slow")
    }

    @Test("Faces that do not read delay the end of the player by less than a second together")
    func slowEnd() throws {
        let place = try Place()
        let player = try Player(place.folder())
        let faces = try (0..<12).map { _ in try place.raw() }
        defer { for face in faces { close(face) } }
        try #require(waitUntil { player.state.withLock { $0.joined } == faces.count })
        // More than the buffer of a socket.
        let text = String(repeating: "x", count: 2 << 20)
        player.server?.send(.notice(.note, text), to: 1...faces.count)
        let start = ContinuousClock.now
        player.stop()
        #expect(ContinuousClock.now - start < .milliseconds(900))
        // The lock is free, so the server has finished rather than given up.
        try Player(place.folder()).stop()
    }

    @Test("Answers after the end write to no descriptor")
    func lateAnswers() throws {
        let place = try Place()
        let player = try Player(place.folder())
        player.stop()
        // The numbers of the server's descriptors are used again.
        var pairs: [Int32] = []
        defer { for descriptor in pairs { close(descriptor) } }
        for _ in 0..<16 {
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
            pairs += ends
        }
        for _ in 0..<8 { player.server?.answer(nil, to: 1) }
        for descriptor in pairs {
            #expect(!Descriptor.wait(for: POLLIN, on: descriptor, milliseconds: 0), "\(descriptor)")
        }
    }

    @Test("A face that asks faster than the player answers is read no further")
    func flood() throws {
        let place = try Place()
        let called = Mutex<[AttachServer.Face]>([])
        let server = try AttachServer(in: place.folder()) { event in
            if case .called(let face, _) = event { called.withLock { $0.append(face) } }
        }
        defer { server.stop(AttachMessage()) }
        let connection = try place.connect()
        let isSent = Mutex(false)
        Thread.detachNewThread {
            for _ in 0..<20_000 { connection.send(.status) }
            isSent.withLock { $0 = true }
        }
        try #require(waitUntil { called.withLock { $0.count } >= 32 })
        usleep(100_000)
        // Requests of bytes that have been read already are passed on.
        #expect(called.withLock { $0.count } < 2_000 && !isSent.withLock { $0 })
        var answered = 0
        #expect(
            waitUntil(timeout: 60) {
                let faces = called.withLock { $0 }
                for face in faces[answered...] { server.answer(nil, to: face) }
                answered = faces.count
                return answered == 20_000
            }
        )
    }

    @Test("A face that has sent its requests and closed its side gets the answers")
    func halfClosed() throws {
        let place = try Place()
        let player = try Player(place.folder())
        defer { player.stop() }
        let raw = try place.raw()
        defer { close(raw) }
        Descriptor.writeAll(Array(#"{"id":1,"request":"status"}"#.utf8) + [10], to: raw)
        shutdown(raw, Int32(SHUT_WR))
        var bytes: [UInt8] = []
        while let more = Descriptor.readSome(from: raw, limit: 4096), !more.isEmpty { bytes += more }
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""id":1"#))
    }

    @Test("A face learns that a line was too long, and reads the next one")
    func longMessage() throws {
        let place = try Place()
        let player = try Player(place.folder())
        defer { player.stop() }
        let seen = Mutex<[Bool]>([])
        let connection = try place.connect()
        try connection.start { message in
            if let message { seen.withLock { $0.append(message.isDiscarded) } }
        }
        try #require(waitUntil { player.state.withLock { $0.joined } == 1 })
        let server = try #require(player.server)
        let text = String(repeating: "x", count: AttachProtocol.longestMessage)
        server.send(.notice(.note, text), to: 1)
        server.send(.notice(.note, "short"), to: 1)
        #expect(waitUntil { seen.withLock { $0 } == [true, false] })
        connection.stop()
    }
}
