import Foundation
import SyrinxPlayback
import SyrinxStreaming
import Testing

@testable import SyrinxListening

@Suite("Requests of faces in other processes")
struct AttachRequestTests {
    private func input(_ text: String) throws -> ListeningInput { try #require(ListeningInput(location: text)) }

    @Test("A request that is written is read as the same request")
    func roundTrip() throws {
        let file = try input("file:///music/a%20b.flac"), stream = try input("https://example.org/live")
        let requests: [AttachRequest] = [
            .wish(.command(.pause)), .wish(.command(.seek(.by(-30)))), .wish(.command(.goTo(2))),
            .wish(.command(.volume(.to(0.5)))), .wish(.command(.repeatPart(RepeatedPart(start: 1, end: 2.5)))),
            .wish(.play("/music/a b.flac")), .wish(.setLoop(.all)), .wish(.setShuffled(true)), .wish(.undoQueueChange),
            .wish(.setSmartSpeed(.medium)), .wish(.setSleep(.time(90))), .wish(.setSleep(.endOfChapter)),
            .wish(.setSleep(nil)), .wish(.setBypass(effect: 1, true)),
            .episode(7, isNow: false, start: 12.5), .episode(7, isNow: true, start: nil),
            .open([file, stream], .now, start: 3), .open([file], .at(4), start: nil),
            .open([file], .replacing(at: 0, isChosen: false), start: nil), .open([file], .lastNow, start: nil),
            .rows(from: 10, count: 20), .picture, .outputs, .status,
            .watch(AttachWatch(levels: true, peaks: false, queue: true)), .hangUp(.pause), .hangUp(nil), .leave,
        ]
        for (id, request) in requests.enumerated() {
            let line = AttachCall(id: id, request).line
            #expect(try AttachCall(line: line) == AttachCall(id: id, request), "\(line)")
            #expect(!line.contains("\n"))
        }
    }

    @Test("A request may have a command in JSON or in text, and no number")
    func commands() throws {
        #expect(
            try AttachCall(line: #"{"id":3,"command":"goto","index":2}"#)
                == AttachCall(id: 3, .wish(.command(.goTo(2))))
        )
        #expect(try AttachCall(line: #"{"line":"goto 3"}"#) == AttachCall(id: nil, .wish(.command(.goTo(2)))))
        #expect(
            try AttachCall(line: #"{"request":"queue","from":0,"count":100000}"#).request
                == .rows(from: 0, count: AttachRequest.mostRows)
        )
    }

    @Test("A request with a wrong value is refused with its number and a sentence")
    func refusals() {
        let lines = [
            #"{"id":1,"command":"rate","value":99}"#: "rate", #"{"id":1,"line":"sek 3"}"#: "seek",
            #"{"id":1,"request":"dance"}"#: "dance", #"{"id":1,"request":"queue","from":-1,"count":3}"#: "from",
            #"{"id":1,"request":"queue","from":1e300,"count":3}"#: "from",
            #"{"id":1,"request":"open","inputs":["relative.flac"]}"#: "absolute",
            #"{"id":1,"request":"open","inputs":[]}"#: "inputs", #"{"id":1,"request":"sleep","value":-5}"#: "value",
            #"{"id":1,"request":"episode","episode":1.5}"#: "episode",
            #"{"id":1,"request":"open","inputs":["/a"],"placement":"under"}"#: "placement",
            #"{"id":1,"request":"open","inputs":["/a"],"start":-1}"#: "start",
            #"{"id":1,"request":"on-hangup","value":"dance"}"#: "pause, end, play", #"{"id":1}"#: "request",
        ]
        for (line, word) in lines {
            let error = #expect(throws: AttachCall.Malformed.self) { try AttachCall(line: line) }
            #expect(error?.id == 1, "\(line)")
            #expect(error?.message.contains(word) ?? false, "\(line): \(error?.message ?? "")")
        }
    }

    /// Lines that are no requests: random bytes, parts of requests, and requests with wrong types.
    static func malformedLines(_ count: Int) -> [String] {
        var state: UInt64 = 47
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(limit, 1)
        }
        let whole = [
            #"{"id":1,"command":"seek","time":60.5}"#, #"{"id":2,"line":"goto 3"}"#, #"{"id":3,"request":"leave"}"#,
            #"{"id":4,"request":"open","inputs":["/a.flac"],"placement":"now"}"#,
        ]
        let wrong = [
            #"{"id":"x","command":"pause"}"#, #"{"command":["stop"]}"#, #"["stop"]"#, "7", "null", "true", #""stop""#,
            #"{"request":null}"#, #"{"line":""}"#, #"{"command":"stop ","x":1}"#, #"{"id":1e99,"command":"stop"}"#,
            String(repeating: "[", count: 5000), String(repeating: #"{"a":"#, count: 2000), #"{"line":"\u0000stop"}"#,
        ]
        return (0..<count).map { index in
            switch index % 3 {
            case 0:
                let bytes = (0..<(1 + random(80))).map { _ in UInt8(truncatingIfNeeded: 32 + random(224)) }
                return String(decoding: bytes, as: UTF8.self)
            case 1:
                let line = whole[random(whole.count)]
                return String(line.prefix(1 + random(line.count - 1)))
            default: return wrong[random(wrong.count)]
            }
        }
    }

    @Test("10,000 malformed lines are no requests")
    func malformed() {
        for line in Self.malformedLines(10_000) {
            #expect(throws: AttachCall.Malformed.self, "\(line.prefix(100))") { try AttachCall(line: line) }
        }
    }
}
