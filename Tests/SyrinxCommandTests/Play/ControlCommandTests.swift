import Testing

@testable import syrinx

@Suite("Control commands")
struct ControlCommandTests {
    @Test("The commands of the contract are understood")
    func commands() throws {
        #expect(try ControlCommand(line: #"{"command":"pause"}"#) == .pause)
        #expect(try ControlCommand(line: #" {"command":"resume"} "#) == .resume)
        #expect(try ControlCommand(line: #"{"command":"seek","time":60.5}"#) == .seek(time: 60.5))
        #expect(try ControlCommand(line: #"{"by":-10,"command":"skip"}"#) == .skip(by: -10))
        #expect(try ControlCommand(line: #"{"command":"rate","value":2}"#) == .rate(2))
        #expect(try ControlCommand(line: #"{"command":"pitch","value":300}"#) == .pitch(300))
        #expect(try ControlCommand(line: #"{"command":"volume","value":0.5}"#) == .volume(0.5))
        #expect(try ControlCommand(line: #"{"command":"language","value":"de"}"#) == .language(["de"]))
        #expect(
            try ControlCommand(line: #"{"command":"language","value":"pt-BR, eng"}"#) == .language(["pt-BR", "eng"])
        )
        #expect(try ControlCommand(line: #"{"command":"stop","more":1}"#) == .stop)
        #expect(try ControlCommand(line: #"{"command":"next"}"#) == .next)
        #expect(try ControlCommand(line: #"{"command":"previous"}"#) == .previous)
        #expect(try ControlCommand(line: #"{"command":"goto","index":3}"#) == .goto(index: 3))
        #expect(try ControlCommand(line: #"{"command":"chapter","index":2}"#) == .chapter(index: 2))
        let input = try #require(InputArgument(argument: "http://host/a.mp3"))
        #expect(try ControlCommand(line: #"{"command":"enqueue","url":"http://host/a.mp3"}"#) == .enqueue(input))
    }

    @Test(
        "Anything else is malformed",
        arguments: [
            "", "pause", "{", "[]", "1", "null", "{}", #"{"command":1}"#, #"{"command":"jump"}"#,
            #"{"command":"seek"}"#,
            #"{"command":"seek","time":"1"}"#, #"{"command":"seek","time":-1}"#, #"{"command":"rate","value":0}"#,
            #"{"command":"rate","value":33}"#, #"{"command":"pitch","value":1e9}"#, #"{"command":"volume","value":2}"#,
            #"{"command":"goto"}"#, #"{"command":"goto","index":-1}"#, #"{"command":"goto","index":1.5}"#,
            #"{"command":"goto","index":1e30}"#, #"{"command":"chapter","index":"1"}"#, #"{"command":"enqueue"}"#,
            #"{"command":"enqueue","url":""}"#, #"{"command":"enqueue","url":"-"}"#,
            #"{"command":"enqueue","url":"ftp://host/a"}"#, #"{"command":"seek","time":1e999}"#,
            #"{"command":"pause"} x"#, #"{"command":"language"}"#, #"{"command":"language","value":1}"#,
            #"{"command":"language","value":""}"#, #"{"command":"language","value":"de,"}"#,
            #"{"command":"language","value":"d"}"#, #"{"command":"rate","value":"2"}"#,
        ]
    )
    func malformed(line: String) {
        #expect(throws: ControlCommand.Malformed.self) { try ControlCommand(line: line) }
    }

    @Test("Lines come whole, however they are cut")
    func splitting() {
        let text = Array("one\ntwo\n\n".utf8) + Array(repeating: UInt8(ascii: "x"), count: 20) + Array("\nend".utf8)
        let expected: [LineSplitter.Line] = [.text("one"), .text("two"), .text(""), .tooLong, .text("end")]
        for size in [1, 2, 3, 7, 100] {
            var splitter = LineSplitter(longestLine: 10)
            var lines: [LineSplitter.Line] = []
            for start in stride(from: 0, to: text.count, by: size) {
                lines += splitter.lines(in: Array(text[start..<min(start + size, text.count)]))
            }
            if let rest = splitter.rest() { lines.append(rest) }
            #expect(lines == expected, "pieces of \(size)")
        }
    }
}
