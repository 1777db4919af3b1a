import Testing

@testable import syrinx

@Suite("The words of syrinx control") struct ControlWordsTests {
    private func words(_ line: String) throws -> ControlWords {
        try ControlWords(line.split(separator: " ").map(String.init), directory: "/music")
    }

    @Test(
        "Words become the command of --control with the same meaning",
        arguments: [
            ("pause", ControlCommand.pause), ("toggle", .toggle), ("seek 1:30.5", .seek(time: 90.5)),
            ("skip -10", .skip(by: -10)), ("forward", .forward), ("back", .back),
            ("ab 1:00-1:30", .part(RepeatedPart(start: 60, end: 90))), ("ab off", .part(nil)),
            ("mono on", .mono(true)), ("mono off", .mono(false)), ("balance -0.5", .balance(-0.5)),
            ("equalizer Speech", .equalizer("speech")),
            ("rate 1.5", .rate(1.5)), ("pitch -300", .pitch(-300)), ("volume 0.25", .volume(0.25)),
            ("goto 3", .goto(index: 3)),
            ("chapter 0", .chapter(index: 0)), ("next", .next), ("stop", .stop),
            ("remove 2", .remove(index: 2)), ("move 4 1", .move(index: 4, to: 1)), ("clear", .clear),
            (
                "effect 1 preset=plate wetDryMix=40",
                .effect(index: 1, set: ["preset": .name("plate"), "wetDryMix": .number(40)])
            ),
        ]
    )
    func commands(_ line: String, _ expected: ControlCommand) throws {
        guard case .command(let json) = try words(line) else {
            Issue.record("no command")
            return
        }
        #expect(try ControlCommand(line: json) == expected)
    }

    @Test("A relative path is one in the folder of the caller; a URL stays as it is")
    func paths() throws {
        for (input, url) in [
            ("a b.flac", "/music/a b.flac"), ("/a.flac", "/a.flac"),
            ("http://localhost/a.mp3", "http://localhost/a.mp3"),
        ] {
            let words = try ControlWords(["enqueue", input], directory: "/music")
            guard case .command(let json) = words, case .enqueue(let argument) = try ControlCommand(line: json) else {
                Issue.record("no command")
                continue
            }
            #expect(argument == InputArgument(argument: url))
        }
    }

    @Test(
        "Words that are no command are refused",
        arguments: [
            "", "status now", "dance", "pause 3", "seek", "seek soon", "rate fast", "rate 100", "rate nan", "goto -1",
            "goto x",
            "mono", "mono yes", "balance 2", "balance left", "equalizer", "equalizer loud", "forward 3", "ab 9",
            "ab 9-3",
            "remove", "move 1", "move 1 x", "clear 1", "effect 0", "effect 0 wet", "enqueue ftp://a/b",
        ]
    )
    func refuses(_ line: String) {
        #expect(throws: ControlCommand.Malformed.self) { try words(line) }
    }
}
