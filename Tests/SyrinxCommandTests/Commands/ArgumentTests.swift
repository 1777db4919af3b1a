import AVFAudio
import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxTerminal
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("Arguments")
struct ArgumentTests {
    @Test(
        "A time is seconds or [hh:]mm:ss[.fff]",
        arguments: [
            ("90", 90), ("90.5", 90.5), ("0", 0), ("1:30", 90), ("01:30.25", 90.25), ("90:00", 5400),
            ("1:02:03.5", 3723.5), ("100:00:00", 360_000),
        ]
    )
    func time(text: String, seconds: Double) {
        #expect(ClockTime(argument: text)?.seconds == seconds)
    }

    @Test(
        "A malformed time is refused",
        arguments: [
            "", "a", "-1", "+1", "1e3", "inf", "nan", "0x10", "1:60", "1:60:00", "1:2:3:4", ":30", "1:", "1.5:30",
            "1..5",
            "1.", ".5", " 1", "99999999999", "1:-5",
        ]
    )
    func noTime(text: String) {
        #expect(ClockTime(argument: text) == nil)
    }

    @Test("Passwords are left out of any text", arguments: redactions)
    func redaction(text: String, redacted: String) {
        #expect(Redaction.redact(text) == redacted)
    }

    static let redactions = [
        ("http://me:secret@host/a?b", "http://host/a?b"),
        ("http://me:se@cret@host/", "http://host/"),
        ("http://me:se/cret@host/", "http://host/"),
        ("a http://x:secret@h b https://y:secret@i", "a http://h b https://i"),
        ("http://me:se<cr>et@host/a", "http://host/a"),
        ("http://me:my \"secret\", it's@host/a b", "http://host/a b"),
        ("http://me:1/b@host/a", "http://host/a"),
        ("http://me.too:1/b@host/a", "http://host/a"),
        ("http://me:p@ss/word@host/a", "http://host/a"),
        ("http://me@x.org:se/cret@host/a", "http://host/a"),
        ("http://me/x:secret@host/a", "http://host/a"),
        ("http://me:a://b@host/a", "http://host/a"),
        ("http:/me:secret@host/a", "http:/host/a"),
        ("http://h.org/http://me:secret@host/a", "http://h.org/http://host/a"),
        (
            "'http://me:my secret@host/a' is bad, and 'ftp://x:y z@h' too",
            "'http://host/a' is bad, and 'ftp://h' too"
        ),
        ("http://127.0.0.1:8080/a@b:c", "http://127.0.0.1:8080/a@b:c"),
        ("http://localhost:8080/@b", "http://localhost:8080/@b"),
        ("http://a.org/x:y@z?a=b:c@d", "http://a.org/x:y@z?a=b:c@d"),
        ("file:///a:b@c", "file:///a:b@c"),
        ("http://[::1]:80/x@y", "http://[::1]:80/x@y"),
        ("http://token@host/", "http://host/"),
        ("http://nas/a@b.mp3", "http://nas/a@b.mp3"),
        ("http://me:a b://c@host/a", "http://host/a"),
        ("no url: here@all", "no url: here@all"),
        ("http://:secret@host", "http://host"),
    ]

    @Test(
        "A password with anything in it is not printed",
        arguments: ["a<xyz>b", "my xyz", "a\"b'xyz"]
    )
    func printedPasswords(password: String) throws {
        for command in [["play", "--json", "--output", "null"], ["info", "--json"]] {
            let arguments = command + ["http://me:\(password)@127.0.0.1:1/a.mp3"]
            let result = try runProcess(Syrinx.path, arguments, environment: Syrinx.environment, timeout: 60)
            let told = result.output + result.errors
            #expect(result.errorLines.count == 1)
            #expect(!told.contains("xyz") && told.contains("//127.0.0.1:1"), "\(told)")
        }
    }

    @Test(
        "A password in what is typed as a path is not printed, and the name of a file stays what it is",
        arguments: [
            ("me:s3cret@host/a.mp3", "host/a.mp3"), ("me:s3 c/r@et@host.org", "host.org"),
            ("/lists/me:s3cret@host/a.mp3", "/lists/host/a.mp3"), ("me:s3cret@[::1]/a", "[::1]/a"),
            ("a@b:c.mp3", "a@b:c.mp3"), ("pulse:@DEFAULT_SINK@", "pulse:@DEFAULT_SINK@"), ("12:30.mp3", "12:30.mp3"),
        ]
    )
    func passwordsInPaths(text: String, name: String) throws {
        #expect(try #require(ListeningInput(argument: text)).name == name)
        #expect(Failure(code: "file.notFound", message: "there is none", name: text).name == name)
    }

    @Test(
        "No command prints a password that was typed without a scheme",
        arguments: [
            ["play", "--json", "--output", "null"], ["info", "--json"], ["analyze"], ["podcast", "show"], [],
        ]
    )
    func printedBarePasswords(command: [String]) throws {
        let scratch = try ScratchDirectory()
        let environment = Syrinx.environment.merging(["XDG_DATA_HOME": scratch.path]) { $1 }
        let result = try runProcess(Syrinx.path, command + ["me:s3cret@127.0.0.1:1/a.mp3"], environment: environment)
        #expect(result.status != 0)
        #expect(!(result.output + result.errors).contains("s3cret"), "\(result.output)\(result.errors)")
    }

    @Test("An output is one of the kinds of the contract")
    func outputs() {
        for text in ["auto", "null", "pulse", "pulse:a:b", "alsa", "alsa:hw:0,0", "file:/tmp/a:b.wav"] {
            #expect(OutputArgument(argument: text)?.text == text)
        }
        for text in ["", "auto:x", "null:", "pulse:", "file", "file:", "jack"] {
            #expect(OutputArgument(argument: text) == nil, "\(text)")
        }
    }

    @Test(
        "A code leads to the exit status of the contract",
        arguments: [
            ("file.notFound", 66), ("http.404", 66), ("http.410", 66), ("file.permissionDenied", 77), ("http.401", 77),
            ("http.403", 77), ("network.timeout", 75), ("network.refused", 69), ("network.hostNotFound", 69),
            ("http.503", 69), ("http.418", 69), ("device.notFound", 69), ("file.readFailed", 74),
            ("file.writeFailed", 74), ("device.writeFailed", 74), ("media.truncated", 74), ("media.notAudio", 65),
            ("media.empty", 65), ("http.emptyBody", 65), ("file.isDirectory", 65), ("usage.badURL", 64),
        ]
    )
    func exitStatus(code: String, status: Int32) {
        #expect(ExitStatus(code: ErrorCode(rawValue: code)).rawValue == status)
    }

    @Test("A failure is one line without control characters or passwords")
    func failureLine() {
        let failure = Failure(code: "http.404", message: "gone\nfrom http://a:b@c/\u{1B}[2J", name: "x\ny")
        #expect(failure.line == "syrinx: x y: gone from http://c/ [2J")
    }

    @Test(
        "Characters that nobody sees hide no password",
        arguments: [
            "http://us\u{200B}er:pw@h/", "http\u{200B}://user:pw@h/", "http:\u{200B}//user:pw@h/",
            "http:/\u{200B}/user:pw@h/",
            "http\u{200B}:/user:pw@h/", "ht\u{2060}tp:user:pw@h/", "http://user:\u{200D}pw@h/",
            "http://user:pw@\u{200D}h/",
            "http://user:pw@\u{301}h/", "http:\u{200D}//user:pw@h/", "http://user:pw\u{202E}@h/",
            "http://user:pw@\u{AD}h/",
            "http://\u{FEFF}user:pw@h/", "http\u{1}://user:pw@h/", "http:/\u{301}/user:pw@h/",
        ]
    )
    func hiddenPasswords(url: String) {
        let failure = Failure(code: "usage.badURL", message: "\(url) is no URL.", name: url)
        for text in [failure.name, failure.message, failure.line, failure.warningLine] {
            #expect(!text.contains("pw"), "\(text.debugDescription)")
        }
    }

    @Test("The name of a failure stays what it is, where it holds no password")
    func exactNames() {
        for name in ["a\u{202E}b\u{1B}c.wav", "caf\u{E9}\u{200B}.wav", "http://h/a\u{200D}b?c=d"] {
            let failure = Failure(code: "file.notFound", message: "There is none.", name: name)
            #expect(failure.name.unicodeScalars.elementsEqual(name.unicodeScalars))
            #expect(failure.line == PrintableText.line(failure.line))
        }
    }

    @Test("The ranges of commands are those of the unit that plays")
    func ranges() {
        #expect(SoundLimits.rate == AVAudioUnitTimePitch.rateRange)
        #expect(SoundLimits.pitch == AVAudioUnitTimePitch.pitchRange)
    }
}
