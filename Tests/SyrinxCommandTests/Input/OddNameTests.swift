import Foundation
import SyrinxTestSupport
import Testing

@Suite("Names that are not UTF-8")
struct OddNameTests {
    /// Runs shell commands in a folder of their own: `$1` is the command, `$n` a name in Latin-1 without its extension.
    private func shell(_ script: String, in scratch: ScratchDirectory) throws -> ProcessResult {
        let all = "cd '\(scratch.path)' || exit 99\nn=$'caf\\xe9'\n" + script
        return try runProcess("bash", ["-c", all, "bash", Syrinx.path], environment: Syrinx.environment)
    }

    /// A folder with `caf\xe9.ogg` in it, which `rm` empties, because Foundation cannot.
    private func withSound(_ body: (ScratchDirectory) throws -> Void) throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.ogg"), seconds: 0.5)
        defer { _ = try? shell("rm -rf ./*", in: scratch) }
        try #require(try shell("cp a.ogg \"$n.ogg\"", in: scratch).status == 0)
        try body(scratch)
    }

    @Test(
        "Every command opens them",
        arguments: [
            "info --json \"$n.ogg\"", "info \"./$n.ogg\"", "info \"$PWD/$n.ogg\"", "info 'file:'\"$PWD\"'/caf%E9.ogg'",
            "meter --json \"$n.ogg\"", "waveform -o x.dat \"$n.ogg\"", "render \"$n.ogg\" x.wav",
            "play --output file:x.wav --json \"$n.ogg\"",
        ]
    )
    func opens(command: String) throws {
        try withSound { scratch in
            let result = try shell("\"$1\" \(command)", in: scratch)
            #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
            // Text that is reported can be given back.
            for object in result.objects where object["url"] != nil {
                #expect(object["url"] as? String == "file://\(scratch.path)/caf%E9.ogg")
            }
        }
    }

    @Test("Every command writes them")
    func writes() throws {
        try withSound { scratch in
            let script = """
                set -e
                for e in wav flac m4a; do "$1" render a.ogg "$n-render.$e"; done
                for e in dat png; do "$1" waveform -o "$n.$e" a.ogg; done
                mkdir "d$n"
                "$1" waveform -o "d$n/" --output-format json "$n.ogg" a.ogg
                "$1" waveform -o x.dat --cache "c$n" a.ogg
                "$1" waveform -o y.dat --cache "c$n" a.ogg
                cmp x.dat y.dat
                "$1" play --output "file:$n.wav" a.ogg
                "$1" play --output null --record "$n-record.wav" a.ogg
                test -s "d$n/$n.json" -a -s d$n/a.json
                test -n "$(ls "c$n")"
                for f in "$n"-render.* "$n.dat" "$n.png" "$n.wav" "$n-record.wav"; do test -s "$f"; done
                "$1" info "$n.wav" "$n-render.flac" > /dev/null
                """
            let result = try shell(script, in: scratch)
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test("Playlists name them, by their bytes and by escapes, and a folder has them")
    func lists() throws {
        try withSound { scratch in
            let script = """
                printf 'caf\\351.ogg\\n' > a.m3u
                printf '[playlist]\\nFile1=caf\\351.ogg\\n' > b.pls
                printf '<playlist xmlns="http://xspf.org/ns/0/"><trackList><track><location>caf%%E9.ogg</location></track></trackList></playlist>' > c.xspf
                printf 'FILE "caf\\351.ogg" WAVE\\nTRACK 01 AUDIO\\nINDEX 01 00:00:00\\n' > d.cue
                printf 'caf\\351.ogg\\n' > "list$n.m3u"
                mkdir "e$n"; cp "$n.ogg" "e$n/"
                for f in a.m3u b.pls c.xspf d.cue "list$n.m3u" "e$n"; do "$1" play --json --output file:x.wav "$f" || exit 1; done
                """
            let result = try shell(script, in: scratch)
            #expect(result.status == 0, "\(result.errors)")
            let opened = result.objects.filter { $0["event"] as? String == "opened" }.compactMap {
                $0["url"] as? String
            }
            let file = "file://\(scratch.path)/"
            #expect(opened == Array(repeating: file + "caf%E9.ogg", count: 5) + [file + "ecaf%E9/caf%E9.ogg"])
        }
    }

    @Test("An unknown option or a missing value gives a readable message")
    func failures() throws {
        let scratch = try ScratchDirectory()
        let missing = try shell("\"$1\" info --json \"$n.ogg\"", in: scratch)
        #expect(missing.status == 66)
        #expect(missing.errors == "syrinx: file://\(scratch.path)/caf%E9.ogg: there is no such file\n")
        #expect(missing.objects.first?["url"] as? String == "file://\(scratch.path)/caf%E9.ogg")
        let wrong = try shell("\"$1\" info \"--$n\" x", in: scratch)
        #expect(wrong.status == 64 && wrong.errors.contains("caf\\xE9"), "\(wrong.errors)")
    }

    @Test("In a URL they are escapes")
    func web() throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.ogg"), seconds: 0.5)
        server.route("/caf%E9.ogg", .file(Array(try Data(contentsOf: scratch.url("a.ogg"))), type: "audio/ogg"))
        let result = try shell("\"$1\" info \"\(server.url("/"))$n.ogg\"", in: scratch)
        #expect(result.status == 0, "\(result.errors)")
    }
}
