import Foundation
import Testing

@testable import SyrinxListening
@testable import syrinx

@Suite("Events")
struct EventEncoderTests {
    private func line(_ event: ListeningEvent) throws -> String { try EventEncoder().line(for: event, at: 1.5) }

    @Test("Every event has the fields of the contract, and null where there is nothing to say")
    func lines() throws {
        let opened = OpenedFields(
            url: "http://h/a.mp3",
            container: "mp3",
            codec: "mp3",
            sampleRate: 44_100,
            channels: 2,
            duration: nil,
            frames: nil,
            seekable: true,
            contentLength: nil
        )
        #expect(
            try line(.opened(opened)) == """
                {"at":1.5,"channels":2,"codec":"mp3","container":"mp3","contentLength":null,"duration":null,\
                "event":"opened","frames":null,"sampleRate":44100,"seekable":true,"url":"http://h/a.mp3"}
                """
        )
        #expect(try line(.state(.playing, time: 2)) == #"{"at":1.5,"event":"state","state":"playing","time":2}"#)
        #expect(try line(.position(time: 0.25)) == #"{"at":1.5,"event":"position","time":0.25}"#)
        #expect(
            try line(.duration(seconds: 3, isExact: true))
                == #"{"at":1.5,"duration":3,"event":"duration","exact":true}"#
        )
        #expect(
            try line(.download(received: 7, total: nil, ranges: [0..<3, 5..<9]))
                == #"{"at":1.5,"event":"download","ranges":[[0,3],[5,9]],"received":7,"total":null}"#
        )
        #expect(
            try line(.retry(attempt: 2, delay: 0.5, code: "http.503"))
                == #"{"at":1.5,"attempt":2,"code":"http.503","delay":0.5,"event":"retry"}"#
        )
        #expect(
            try line(.chapter(index: 1, title: nil, start: 20, end: 40.5))
                == #"{"at":1.5,"end":40.5,"event":"chapter","index":1,"start":20,"title":null}"#
        )
        #expect(
            try line(.settings(rate: 1.5, pitch: -300, volume: 0.5))
                == #"{"at":1.5,"balance":0,"effects":[],"equalizer":"flat","event":"settings","mono":false,"pitch":-300,"rate":1.5,"volume":0.5}"#
        )
        #expect(
            try line(.error(Failure(code: "http.404", message: "it is \"gone\"", name: "http://h/")))
                == #"{"at":1.5,"code":"http.404","event":"error","message":"it is \"gone\"","url":"http://h/"}"#
        )
        #expect(
            try line(.ended(frames: 1, underruns: 2, bytesReceived: 3))
                == #"{"at":1.5,"bytesReceived":3,"event":"ended","frames":1,"underruns":2}"#
        )
    }

    @Test("A tag cannot pass itself off as the event, nor break the line")
    func metadata() throws {
        let text = try line(.metadata(["title": "a\nb", "event": "ended", "at": "0"]))
        #expect(text == #"{"at":1.5,"event":"metadata","title":"a\nb"}"#)
    }

    @Test("A number that is not finite is encoded as null")
    func notFinite() throws {
        #expect(try line(.position(time: .nan)) == #"{"at":1.5,"event":"position","time":null}"#)
        #expect(try line(.position(time: .infinity)).contains("null"))
    }
}
