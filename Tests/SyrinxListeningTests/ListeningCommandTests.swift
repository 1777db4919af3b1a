import SyrinxListening
import Testing

@Suite("Commands of a listener") struct ListeningCommandTests {
    /// Every command, in JSON where `--control` has it, and in text.
    private static let known: [(json: String?, text: String, command: ListeningCommand)] = [
        (#"{"command":"pause"}"#, "pause", .pause),
        (#" {"command":"resume"} "#, "resume", .resume),
        (#"{"command":"toggle"}"#, "toggle", .toggle),
        (#"{"command":"stop","more":1}"#, "stop", .stop),
        (#"{"command":"next"}"#, "next", .next(isWeak: false)),
        (#"{"command":"next","mode":"weak"}"#, "next weak", .next(isWeak: true)),
        (#"{"command":"previous"}"#, "previous", .previous(isWeak: false)),
        (#"{"command":"first"}"#, "first", .first),
        (#"{"command":"last"}"#, "last", .last),
        (#"{"command":"goto","index":3}"#, "goto 4", .goTo(3)),
        (#"{"command":"reload"}"#, "reload", .reload),
        (#"{"command":"seek","time":60.5}"#, "seek 60.5", .seek(.to(60.5))),
        (#"{"by":-10,"command":"skip"}"#, "seek -10", .seek(.by(-10))),
        (#"{"command":"skip","by":30}"#, "seek +30", .seek(.by(30))),
        (#"{"command":"skip-forward"}"#, "skip-forward", .skipForward),
        (#"{"command":"skip-back"}"#, "skip-back", .skipBack),
        (#"{"command":"ab","from":60,"to":90}"#, "ab 60-90", .repeatPart(RepeatedPart(start: 60, end: 90))),
        (#"{"command":"ab"}"#, "ab off", .repeatPart(nil)),
        (#"{"command":"ab-loop"}"#, "ab-loop", .cyclePart),
        (#"{"command":"chapter","index":2}"#, "chapter 3", .chapter(2)),
        (#"{"command":"next-chapter"}"#, "next-chapter", .nextChapter),
        (#"{"command":"previous-chapter"}"#, "previous-chapter", .previousChapter),
        (#"{"command":"rate","value":2}"#, "rate 2", .rate(.to(2))),
        (nil, "rate +0.1", .rate(.by(0.1))),
        (nil, "rate -0.1", .rate(.by(-0.1))),
        (#"{"command":"multiply-rate","value":0.5}"#, "multiply-rate 0.5", .multiplyRate(0.5)),
        (#"{"command":"pitch","value":-300}"#, "pitch -300", .pitch(.to(-300))),
        (#"{"command":"add-pitch","by":100}"#, "add-pitch 100", .pitch(.by(100))),
        (#"{"command":"volume","value":0.55}"#, "volume 55", .volume(.to(0.55))),
        (nil, "volume -5", .volume(.by(-0.05))),
        (nil, "volume +7", .volume(.by(0.07))),
        (#"{"command":"mute"}"#, "mute", .mute),
        (#"{"command":"balance","value":-0.5}"#, "balance -0.5", .balance(.to(-0.5))),
        (#"{"command":"add-balance","by":-0.1}"#, "add-balance -0.1", .balance(.by(-0.1))),
        (#"{"command":"mono","value":true}"#, "mono on", .mono(true)),
        (#"{"command":"mono","value":false}"#, "mono off", .mono(false)),
        (#"{"command":"mono"}"#, "mono", .mono(nil)),
        (#"{"command":"equalizer","preset":"speech"}"#, "equalizer speech", .equalizer("speech")),
        (#"{"command":"equalizer"}"#, "equalizer", .equalizer(nil)),
        (#"{"command":"smart-speed"}"#, "smart-speed", .smartSpeed),
        (#"{"command":"voice-boost"}"#, "voice-boost", .voiceBoost),
        (#"{"command":"normalize"}"#, "normalize", .normalize),
        (#"{"command":"forget-settings"}"#, "forget-settings", .forgetSettings),
        (
            #"{"command":"add-effect","effect":"reverb:preset=plate,wetDryMix=20"}"#,
            "add-effect reverb:preset=plate,wetDryMix=20",
            .addEffect("reverb:preset=plate,wetDryMix=20")
        ),
        (#"{"command":"remove-effect","index":1}"#, "remove-effect 2", .removeEffect(1)),
        (#"{"command":"move-effect","index":2,"to":0}"#, "move-effect 3 1", .moveEffect(from: 2, to: 0)),
        (#"{"command":"audio-track","index":1}"#, "audio-track 2", .audioTrack(1)),
        (#"{"command":"audio-track"}"#, "audio-track", .audioTrack(nil)),
        (
            #"{"command":"effect","index":0,"set":{"wetDryMix":40.5,"preset":"plate"}}"#,
            "effect 1 preset=plate wetDryMix=40.5",
            .effect(0, ["preset": .name("plate"), "wetDryMix": .number(40.5)])
        ),
        (#"{"command":"output","name":"pulse:a b"}"#, "output pulse:a b", .output("pulse:a b")),
        (#"{"command":"output","name":"auto"}"#, "output auto", .output("auto")),
        (#"{"command":"enqueue","url":"/a  b.mp3"}"#, "enqueue /a  b.mp3", .enqueue("/a  b.mp3")),
        (#"{"command":"remove","index":0}"#, "remove 1", .remove(0)),
        (#"{"command":"move","index":3,"to":0}"#, "move 4 1", .move(from: 3, to: 0)),
        (#"{"command":"clear"}"#, "clear", .clear),
        (#"{"command":"shuffle"}"#, "shuffle", .shuffle),
        (#"{"command":"loop-file"}"#, "loop-file", .loop),
        (#"{"command":"open-playlist","name":"a  b"}"#, "open-playlist a  b", .openPlaylist("a  b")),
        (#"{"command":"save-playlist","name":"a b"}"#, "save-playlist a b", .savePlaylist("a b")),
        (#"{"command":"favorite"}"#, "favorite", .favorite),
        (#"{"command":"live"}"#, "live", .live),
        (#"{"command":"record"}"#, "record", .record(nil)),
        (#"{"command":"record","value":true}"#, "record on", .record(true)),
        (#"{"command":"record","value":false}"#, "record off", .record(false)),
    ]

    @Test("Both encodings name the same commands, and what is written is read again")
    func encodings() throws {
        for (json, text, command) in Self.known {
            if let json { #expect(try ListeningCommand(json: json) == command, "\(json)") }
            #expect(try ListeningCommand(text: text) == command, "\(text)")
            #expect(command.text == text)
        }
        let language = try ListeningCommand(json: #"{"command":"language","value":"pt-BR, eng"}"#)
        #expect(language.text == "language pt-BR,eng")
        #expect(try ListeningCommand(text: language.text) == language)
        #expect(try ListeningCommand(text: "seek 1:30.5") == .seek(.to(90.5)))
        #expect(try ListeningCommand(text: "skip -10") == .seek(.by(-10)))
        #expect(try ListeningCommand(words: ["enqueue", "a b"]) == .enqueue("a b"))
    }

    @Test("Every command of the table is one of these")
    func table() {
        let names = Set(Self.known.map { $0.text.prefix { $0 != " " } }.map(String.init))
        for row in CommandTable.rows where !["skip", "language"].contains(row.name) {
            #expect(names.contains(row.name), "\(row.name)")
            #expect(!row.help.isEmpty)
        }
        #expect(Set(CommandTable.rows.map(\.name)).count == CommandTable.rows.count)
    }

    @Test(
        "Other JSON is malformed",
        arguments: [
            "", "pause", "{", "[]", "1", "null", "{}", #"{"command":1}"#, #"{"command":"jump"}"#,
            #"{"command":"seek"}"#,
            #"{"command":"seek","time":"1"}"#, #"{"command":"seek","time":-1}"#, #"{"command":"rate","value":0}"#,
            #"{"command":"rate","value":33}"#, #"{"command":"pitch","value":1e9}"#, #"{"command":"volume","value":2}"#,
            #"{"command":"goto"}"#, #"{"command":"goto","index":-1}"#, #"{"command":"goto","index":1.5}"#,
            #"{"command":"goto","index":1e30}"#, #"{"command":"chapter","index":"1"}"#, #"{"command":"enqueue"}"#,
            #"{"command":"enqueue","url":""}"#, #"{"command":"seek","time":1e999}"#, #"{"command":"pause"} x"#,
            #"{"command":"language"}"#, #"{"command":"language","value":1}"#, #"{"command":"language","value":""}"#,
            #"{"command":"language","value":"de,"}"#, #"{"command":"language","value":"d"}"#,
            #"{"command":"rate","value":"2"}"#, #"{"command":"mono","value":1}"#, #"{"command":"next","mode":"x"}"#,
            #"{"command":"ab","from":9,"to":3}"#, #"{"command":"ab","from":9}"#,
            #"{"command":"effect","index":0,"set":{}}"#,
            #"{"command":"effect","index":0,"set":{"a":[]}}"#, #"{"command":"move","index":0}"#,
            #"{"command":"output"}"#, #"{"command":"output","name":""}"#, #"{"command":"output","name":1}"#,
        ]
    )
    func malformedJSON(line: String) {
        #expect(throws: CommandError.self) { try ListeningCommand(json: line) }
    }

    @Test(
        "Other words are no command",
        arguments: [
            "", "dance", "pause 3", "seek", "seek soon", "rate fast", "rate 100", "rate nan", "rate +nan", "goto 0",
            "goto -1",
            "goto x", "mono yes", "balance 2", "balance left", "skip-forward 3", "ab", "ab 9", "ab 9-3", "remove",
            "move 1",
            "move 1 x", "clear 1", "effect 1", "effect 1 wet", "volume 101", "volume 5 5", "next strong", "language d",
            "enqueue", "output", "open-playlist", "save-playlist", "favorite x",
        ]
    )
    func malformedText(line: String) {
        #expect(throws: CommandError.self) { try ListeningCommand(text: line) }
    }

    @Test("A message has the units of its encoding")
    func messages() {
        #expect(throws: CommandError("volume 150 % is outside 0 … 100 %")) { try ListeningCommand(text: "volume 150") }
        #expect(throws: CommandError(#""value" of "volume" is 1.5, outside 0 … 1: 0.8 is 80 %"#)) {
            try ListeningCommand(json: #"{"command":"volume","value":1.5}"#)
        }
        #expect(throws: CommandError("the syntax is move PLACE PLACE")) { try ListeningCommand(text: "move 1") }
    }

    @Test("A step is added to the present value")
    func steps() {
        #expect(ListeningCommand.Change.to(2).applied(to: 1) == 2)
        #expect(ListeningCommand.Change.by(0.5).applied(to: 1) == 1.5)
    }
}
