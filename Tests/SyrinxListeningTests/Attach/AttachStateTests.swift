import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxStreaming
import Testing

@testable import SyrinxListening

@Suite("The state of a player for faces in other processes")
struct AttachStateTests {
    private func session(_ count: Int) -> ListeningSession {
        let inputs = (0..<count).compactMap { ListeningInput(argument: "/recordings/\($0).flac") }
        return ListeningSession(inputs: inputs, lifetime: .window)
    }

    /// Sends a message as a line, and returns what the face reads.
    private func passed(_ message: AttachMessage) throws -> AttachMessage {
        try #require(AttachMessage(line: message.line()))
    }

    @Test("A merge patch changes one value into the other")
    func patches() throws {
        func tree(_ text: String) throws -> JSONTree { try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8)) }
        let old = try tree(#"{"a":1,"b":{"c":[1,2],"d":"x","e":true},"f":null,"g":2}"#)
        let new = try tree(#"{"a":1,"b":{"c":[1,3],"d":"x"},"h":{"i":{"j":0}}}"#)
        let patch = try #require(old.patch(to: new))
        #expect(patch == (try tree(#"{"b":{"c":[1,3],"e":null},"f":null,"g":null,"h":{"i":{"j":0}}}"#)))
        var changed = old
        changed.apply(patch)
        #expect(changed == new)
        #expect(new.patch(to: new) == nil)
    }

    @Test("A face that gets changes alone sees the same state as the player")
    func mirror() throws {
        var (session, feed, mirror) = (session(3), StateFeed(), StateMirror())
        let first = mirror.take(try passed(feed.whole(ListeningState(session))))
        #expect(first)
        func send(_ text: String) throws {
            _ = session.handle(.request(.command(try ListeningCommand(text: text))), at: 1)
        }
        func happen(_ event: StreamingEvent) { _ = session.handle(.streaming(event, of: session.openingCount), at: 1) }
        let steps: [() throws -> Void] = [
            { try send("resume") }, { happen(.status(.opening, time: 0)) }, { happen(.status(.playing, time: 0.5)) },
            { happen(.position(12.25)) }, { try send("rate 1.5") }, { try send("volume 40") }, { try send("mono on") },
            { try send("loop-file") }, { try send("remove 2") }, { try send("ab 0:01-0:02") }, { try send("ab off") },
            { _ = session.handle(.request(.setSleep(.time(90))), at: 1) },
            { _ = session.handle(.request(.setSleep(nil)), at: 1) }, { try send("goto 2") },
        ]
        for (number, step) in steps.enumerated() {
            try step()
            let state = ListeningState(session)
            if let message = feed.change(to: state) {
                let hasChanged = mirror.take(try passed(message))
                #expect(hasChanged, "step \(number)")
            }
            #expect(mirror.state == state, "step \(number)")
        }
    }

    @Test("A change is as long as the fields that differ, for a queue of thousands and a recording of many chapters")
    func length() throws {
        var state = ListeningState(session(3_000))
        state.item?.chapters = (0..<1_000).map {
            ListeningState.Chapter(title: "Part \($0)", start: Double($0), end: 1)
        }
        var feed = StateFeed()
        func change() -> String { feed.change(to: state)?.line() ?? "none" }
        let whole = feed.whole(state).line()
        #expect(whole.utf8.count > 20_000)
        state.time = 5
        let moved = change()
        #expect(moved == #"{"change":{"time":5}}"#)
        state.sound.volume = 0.5
        let louder = change()
        #expect(louder == #"{"change":{"sound":{"volume":0.5}}}"#)
        state.item?.received = [[0, 0.5]]
        let more = change()
        #expect(more == #"{"change":{"item":{"received":[[0,0.5]]}}}"#)
        state.item?.duration = nil
        let none = change()
        #expect(none == "none", "it had no duration before")
    }

    @Test("The settings of the sound come back from a state")
    func settings() throws {
        var sound = SoundSettings(
            rate: 1.5,
            pitch: -300,
            volume: 0.25,
            effects: [
                try EffectArgument("reverb:preset=plate,wetDryMix=20"), try EffectArgument("lowpass:frequency=80.5"),
            ],
            adaptive: AdaptiveSound(smartSpeed: .medium, boostsVoice: true, normalization: -18),
            languages: ["de", "en"]
        )
        sound.tone.setBalance(-0.5)
        sound.tone.isMono = true
        sound.tone.setEqualizer(Tone.equalizers[2])
        sound.toggleMute()
        let isBypassed = sound.setBypassed(true, effect: 1)
        #expect(isBypassed)
        let session = ListeningSession(inputs: [], settings: sound, lifetime: .window)
        #expect(ListeningState(session).sound.settings == sound)
    }

    @Test("A face knows all rows of the queue, and asks again for those alone that have changed")
    func queue() throws {
        var (session, feed, mirror) = (session(1_200), QueueFeed(), QueueMirror())
        let first = feed.change(to: session)
        #expect(first == nil, "the first call has nothing to compare with")
        mirror.setCount(session.queue.count)
        /// Answers requests until none is left, and returns the number of rows that were sent.
        func catchUp() -> Int {
            var sent = 0
            while case .rows(let from, let count)? = mirror.next(shown: [700]) {
                let rows = (from..<from + count).map { AttachRow(session, at: $0) }
                sent += rows.count
                mirror.take(AttachMessage.Rows(revision: session.queue.revision, from: from, rows: rows))
            }
            return sent
        }
        func names() -> [String] { mirror.rows.compactMap { $0?.name } }
        let all = catchUp()
        #expect(all == 1_200)
        #expect(names() == session.queue.inputs.map(\.name))
        for (command, most) in [("move 3 5", 3), ("remove 10", 0), ("enqueue /new.flac", 1), ("move 1190 1", 1_190)] {
            _ = session.handle(.request(.command(try ListeningCommand(text: command))), at: 1)
            let change = feed.change(to: session)
            mirror.take(try #require(change, "\(command)"))
            let sent = catchUp()
            #expect(sent <= most, "\(command)")
            #expect(names() == session.queue.inputs.map(\.name), "\(command)")
        }
        let last = feed.change(to: session)
        #expect(last == nil)
    }

    @Test("A face knows all rows after a change in the middle, whether the state comes before or after it")
    func queueOrder() throws {
        for isStateFirst in [false, true] {
            var (session, feed, mirror) = (session(10), QueueFeed(), QueueMirror())
            _ = feed.change(to: session)
            mirror.setCount(session.queue.count)
            func catchUp() {
                while case .rows(let from, let count)? = mirror.next(shown: []) {
                    let rows = (from..<from + count).map { AttachRow(session, at: $0) }
                    mirror.take(AttachMessage.Rows(revision: session.queue.revision, from: from, rows: rows))
                }
            }
            catchUp()
            for text in ["goto 5", "remove 2", "enqueue /new.flac", "move 1 3", "clear"] {
                _ = session.handle(.request(.command(try ListeningCommand(text: text))), at: 1)
                let change = feed.change(to: session)
                if isStateFirst { mirror.setCount(session.queue.count) }
                if let change { mirror.take(change) }
                mirror.setCount(session.queue.count)
                catchUp()
                let names = mirror.rows.map { $0?.name }
                #expect(names == session.queue.inputs.map(\.name), "\(text), \(isStateFirst)")
            }
            #expect(session.queue.count < 9, "the list was emptied")
        }
    }

    @Test("A change that does not fit the rows makes a face ask for all of them")
    func misfit() {
        let session = session(4)
        var mirror = QueueMirror()
        mirror.setCount(4)
        _ = mirror.next(shown: [])
        mirror.take(
            AttachMessage.Rows(revision: 1, from: 0, rows: (0..<4).map { AttachRow(session, at: $0) })
        )
        #expect(mirror.rows.allSatisfy { $0 != nil })
        for (from, removed, inserted, count) in [(3, 2, 0, 3), (-1, 0, 1, 5), (0, 1, 1, 6), (0, 0, -1, 3)] {
            mirror.take(
                AttachMessage.QueueChange(revision: 2, count: count, from: from, removed: removed, inserted: inserted)
            )
            #expect(mirror.rows.count == count && mirror.rows.allSatisfy { $0 == nil })
        }
    }

    @Test("The title of a podcast that becomes known changes the row of its episode")
    func lateShow() throws {
        var (session, feed) = (session(5), QueueFeed())
        _ = feed.change(to: session)
        let facts = EpisodeFacts(podcast: 1, title: "A show")
        _ = session.handle(.episode(session.queue.input(at: 1), facts), at: 1)
        _ = session.handle(.request(.command(try ListeningCommand(text: "enqueue /new.flac"))), at: 1)
        let change = feed.change(to: session)
        #expect(change?.from == 1)
    }

    @Test("Rows with endless texts fit into lines, and a face gets them all")
    func longRows() throws {
        let name = String(repeating: "\u{1}x", count: 20_000)
        let inputs = (0..<300).compactMap { ListeningInput(location: "/recordings/\($0)/\(name).flac") }
        try #require(inputs.count == 300)
        let session = ListeningSession(inputs: inputs, lifetime: .window)
        var (mirror, answers) = (QueueMirror(), 0)
        mirror.setCount(300)
        while answers < 400, case .rows(let from, let count)? = mirror.next(shown: []) {
            var message = AttachMessage.answer(1)
            message.answer?.rows = AttachMessage.Rows(of: session, from: from, count: count)
            let line = message.line()
            #expect(line.utf8.count <= AttachProtocol.longestMessage)
            let rows = try #require(AttachMessage(line: line)?.answer?.rows)
            try #require(!rows.rows.isEmpty)
            mirror.take(rows)
            answers += 1
        }
        #expect(answers > 1 && answers < 100)
        #expect(mirror.rows.allSatisfy { $0?.name.hasPrefix("/recordings/") ?? false })
        let all = AttachMessage.Rows(of: self.session(700), from: 100, count: 900)
        #expect(all.from == 100 && all.rows.count == AttachRequest.mostRows, "short rows come 500 at a time")
        #expect(AttachMessage.Rows(of: self.session(3), from: 7, count: 2).rows.isEmpty)
    }

    @Test("After a discarded answer a face asks for fewer rows, and no longer if one is too long")
    func discarded() {
        var (mirror, counts): (QueueMirror, [Int]) = (QueueMirror(), [])
        mirror.setCount(1_000)
        while counts.count < 50, case .rows(_, let count)? = mirror.next(shown: []) {
            counts.append(count)
            mirror.noteDiscard()
        }
        #expect(counts == [500, 250, 125, 62, 31, 15, 7, 3, 1])
    }

    @Test("Messages of every kind come back from their lines")
    func messages() throws {
        var message = AttachMessage.answer(3) { answer in
            answer.rows = AttachMessage.Rows(revision: 1, from: 2, rows: [AttachRow(session(3), at: 2)])
            answer.picture = AttachMessage.Picture(
                MediaPicture(mimeType: "image/png", width: 0, height: 0, data: [1, 2])
            )
            answer.outputs = [AttachMessage.Output(OutputEntry(name: "null", title: "None"))]
            answer.status = RemoteStatus()
        }
        message.hello = AttachMessage.Hello(version: "1.2.3", process: 4)
        message.levels = [-12.5, -200]
        message.peaks = AttachMessage.Peaks(count: 3, from: 1, values: [-1, 255])
        message.notice = AttachMessage.Notice(.failure, "It failed.", name: "/a.flac")
        message.end = AttachMessage.End(.failure(Failure(code: .noPlayer, message: "it is gone", name: "x")))
        let event = try #require(AttachMessage.event(.retry(attempt: 1, delay: 2, code: "network.lost"), at: 3))
        message.event = event.event
        #expect(try passed(message) == message)
        #expect(AttachMessage(line: "[]") == nil && AttachMessage(line: "{\"levels\":3}") == nil)
    }

    @Test("Bytes that a face does not read are bounded, and come in order")
    func outgoing() {
        var lines = OutgoingLines(limit: 30)
        let accepted = (0..<10).filter { lines.append("line \($0)") }
        #expect(accepted == [0, 1, 2, 3], "each has 7 bytes")
        var sent: [UInt8] = []
        while lines.count > 0 {
            lines.send { bytes in
                sent += bytes.prefix(3)
                return min(3, bytes.count)
            }
        }
        #expect(String(decoding: sent, as: UTF8.self) == "line 0\nline 1\nline 2\nline 3\n")
        let long = String(repeating: "x", count: 100)
        let (first, second) = (lines.append(long), lines.append("y"))
        #expect(first && !second, "an empty queue takes one line of any length")
    }
}
