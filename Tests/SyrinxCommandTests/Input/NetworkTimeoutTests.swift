import ArgumentParser
import Foundation
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@testable import syrinx

/// The time that commands wait for a network that is gone.
@Suite("--network-timeout") struct NetworkTimeoutTests {
    /// The behaviour of the connection after half of the file.
    enum Line: CaseIterable { case silent, dead }

    /// A server of half a WAV file of ten seconds, whose line is as told from then on.
    private func server(_ line: Line) throws -> ScriptedHTTPServer {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 10)
        let bytes = Array(try #require(FileManager.default.contents(atPath: scratch.file("a.wav"))))
        let server = try ScriptedHTTPServer()
        let half = ScriptedResponse.file(bytes).cut(after: Int64(bytes.count / 2), line == .silent ? .hang : .reset)
        server.route("/a.wav") { _, index in index == 0 || line == .silent ? half : .drop }
        return server
    }

    @Test("Whatever reads from a network that is gone gives up in time, with exit code 75", arguments: Line.allCases)
    func givesUp(line: Line) throws {
        let scratch = try ScratchDirectory()
        let outputs: [[String]] = [
            ["play", "--output", "file:\(scratch.file("out.wav"))"], ["play", "--output", "null", "--rate", "16"],
            ["render"], ["meter"], ["waveform", "-o", scratch.file("a.dat")], ["info", "--scan"],
        ]
        for command in outputs {
            let server = try server(line)
            defer { server.stop() }
            let input = server.url("/a.wav")
            let target = command[0] == "render" ? [scratch.file("r.flac")] : []
            let arguments = command + ["--network-timeout", "0.5", input] + target
            let result = try runProcess(Syrinx.path, arguments, environment: Syrinx.environment, timeout: 60)
            #expect(result.status == 75, "\(arguments): \(result.errors)")
            #expect(
                result.errorLines.last?.contains("no data arrived from 127.0.0.1 for 0.5 s") == true,
                "\(result.errors)"
            )
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.file("r.flac")))
    }

    @Test("A server that never answers is given up, too", arguments: ["info", "meter", "play"])
    func givesUpOpening(command: String) throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/a", .hang)
        let output = command == "play" ? ["--output", "null"] : []
        let arguments = [command] + output + ["--network-timeout", "0.5", server.url("/a")]
        let result = try runProcess(Syrinx.path, arguments, environment: Syrinx.environment, timeout: 60)
        #expect(result.status == 75, "\(result.errors)")
        #expect(result.errorLines.count == 1)
    }

    @Test("A listener's network is waited for an hour, and a station's without end; a script's for half a minute")
    func defaults() throws {
        let options = try NetworkOptions.parse([])
        let heard = options.options(isHeard: true)
        #expect(heard.maximumOutage == 3_600 && heard.maximumBroadcastOutage == .infinity)
        let written = options.options(isHeard: false)
        #expect(written.maximumOutage == 30 && written.maximumBroadcastOutage == 30)
        let told = try NetworkOptions.parse(["--network-timeout", "7.5"])
        for isHeard in [true, false] {
            let network = told.options(isHeard: isHeard)
            #expect(network.maximumOutage == 7.5 && network.maximumBroadcastOutage == 7.5)
        }
    }

    @Test("A time that is none is a wrong command line", arguments: ["0", "-1", "nan", "inf", "x", "1e12"])
    func wrongTimes(text: String) throws {
        for command in [["play"], ["info"], ["meter"], ["waveform", "-o", "a.dat"], ["render"]] {
            let arguments = command + ["--network-timeout", text, "a.wav"] + (command == ["render"] ? ["b.wav"] : [])
            #expect(try runProcess(Syrinx.path, arguments, environment: Syrinx.environment).status == 64)
        }
    }
}
