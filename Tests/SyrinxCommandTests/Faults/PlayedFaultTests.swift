import Foundation
import SyrinxTestSupport
import Testing

/// Plays `PlayedFault.all`.
@Suite("Playback faults") struct PlayedFaultTests {
    /// More at a time would be more memory than time saved.
    private static let turnstile = Turnstile(8)
    private static let listener = "listener:hush-hush"
    /// The secrets that must not be printed: the passwords, and headers made of them.
    private static let secrets =
        ["hush", "whisper"] + [listener, "edge:whisper"].map { Data($0.utf8).base64EncodedString() }
    /// Two runs of the same differ by 2 MiB; the buffers for what comes from the network, which the clean sounds do not fill,
    /// hold 7 (`HTTPByteStream.Options`); headers and bodies without end are 16 and more.
    private static let memoryMargin = 14 << 20

    @Test("Each fault has its documented samples, events and exit code", arguments: PlayedFault.all)
    func comesOfItWhatIsSaid(_ fault: PlayedFault) async throws {
        await Self.turnstile.enter()
        do {
            try await play(fault)
        } catch {
            await Self.turnstile.leave()
            throw error
        }
        await Self.turnstile.leave()
    }

    private func play(_ fault: PlayedFault) async throws {
        let clean = try await fault.sound.clean
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/a") { request, index in
            request.method == "GET" ? fault.answer(clean.bytes, request, index) : .status(405)
        }
        let url = fault.address ?? "http://\(Self.listener)@127.0.0.1:\(server.port)/a"
        let run = try await PlayedRun(url, fault.arguments, environment: fault.environment)
        #expect(run.status == fault.outcome.exit, "it ended with \(run.status ?? -1): \(run.errors)")
        check(run.samples, fault, clean.samples)
        check(run, fault)
        if fault.address == nil { check(server.requests, fault) }
        #expect(run.peak < clean.peak + Self.memoryMargin, "\(run.peak >> 10) KiB, of \(clean.peak >> 10)")
    }

    // MARK: Samples

    private func check(_ samples: [[Float]], _ fault: PlayedFault, _ clean: [[Float]]) {
        let count = samples.first?.count ?? 0
        let isPrefix = count <= clean[0].count && zip(samples, clean).allSatisfy { $0 == Array($1[..<count]) }
        switch fault.outcome {
        case .whole: #expect(isPrefix && count == clean[0].count, "\(count) frames of \(clean[0].count)")
        case .first(let wanted): #expect(isPrefix && count == wanted, "\(count) frames")
        case .prefix(let least, _, _):
            #expect(isPrefix && count >= least && (count > 0) == (least > 0), "\(count) frames")
        case .spliced(let frames):
            let other = clean.map { Array($0.reversed()) }
            let joint = zip(samples.first ?? [], clean[0]).prefix { $0 == $1 }.count
            let isRight =
                count == other[0].count && zip(samples, other).allSatisfy { Array($0[joint...]) == Array($1[joint...]) }
            #expect(frames.contains(joint) && isRight, "\(count) frames, joined at \(joint)")
        case .mostly(let share):
            let right = Set(Self.blocks(samples.first ?? [])).intersection(Self.blocks(clean[0])).count
            #expect(Double(right) >= share * Double(clean[0].count / Self.blockSize), "\(right) blocks")
        }
    }

    private static let blockSize = 576

    private static func blocks(_ samples: [Float]) -> [[Float]] {
        stride(from: 0, to: samples.count - blockSize, by: blockSize).map { Array(samples[$0..<($0 + blockSize)]) }
    }

    // MARK: Events

    private func check(_ run: PlayedRun, _ fault: PlayedFault) {
        let shown = run.output + run.errors
        for secret in Self.secrets { #expect(!shown.contains(secret), "a password is shown: \(shown)") }
        let states = run.events.compactMap { $0["event"] as? String == "state" ? $0["state"] as? String : nil }
        #expect(Self.withoutWaits(states) == fault.states, "\(states)")
        let told = run.events.compactMap(Self.short)
        #expect(Self.matches(told, fault.told), "\(told)")
        // The last word comes before the last state, and after all else.
        let last = run.events.suffix(2).map { $0["event"] as? String }
        #expect(last == [fault.outcome.exit == 0 ? "ended" : "error", "state"], "\(run.events.suffix(3))")
        let ended = run.events.last { $0["event"] as? String == "ended" }
        if let ended {
            #expect(ended["frames"] as? Int == run.samples.first?.count)
            #expect(ended["underruns"] as? Int == 0)
        }
        // Of what is a warning or an error, a line.
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == told.count { $0.hasPrefix("warning") || $0.hasPrefix("error") }, "\(run.errors)")
        #expect(lines.allSatisfy { $0.hasPrefix("syrinx: ") })
    }

    /// Returns the short form of an event in the entries; `nil` for states, progress and what is known of the input.
    private static func short(_ event: [String: Any]) -> String? {
        let kind = event["event"] as? String ?? "?"
        switch kind {
        case "state", "position", "download", "duration", "opened": return nil
        case "metadata": return "metadata \(event["title"] as? String ?? event["station"] as? String ?? "?")"
        case "ended": return kind
        default: return "\(kind) \(event["code"] as? String ?? "?")"
        }
    }

    /// Without the waits after the first sound: how often a file waits for data, the load decides.
    private static func withoutWaits(_ states: [String]) -> [String] {
        guard let first = states.firstIndex(of: "playing") else { return states }
        return states[...first] + states[first...].filter { $0 != "buffering" && $0 != "playing" }
    }

    private static func matches(_ told: [String], _ expected: [String]) -> Bool {
        var rest = told[...]
        for one in expected {
            guard one.hasSuffix("*") else {
                guard rest.popFirst() == one else { return false }
                continue
            }
            guard rest.first == String(one.dropLast()) else { return false }
            rest = rest.drop { $0 == one.dropLast() }
        }
        return rest.isEmpty
    }

    // MARK: What is asked

    private func check(_ requests: [ScriptedRequest], _ fault: PlayedFault) {
        if let expected = fault.requests { #expect(requests.map(PlayedFault.asked) == expected) }
        #expect(requests.allSatisfy { $0.method == "GET" })
        // A body that the server compresses unasked is asked for once more, to be decoded.
        #expect(fault.number == 12 || requests.allSatisfy { $0.headers["accept-encoding"] == "identity" })
        let authorization = "Basic " + Data(Self.listener.utf8).base64EncodedString()
        #expect(requests.first?.headers["authorization"] == authorization)
        // Retries have their end, and so have redirects.
        #expect(requests.count <= 21)
    }

    // MARK: All of them

    @Test("Each of the 40 is played, or is named with the suite that has it")
    func isComplete() {
        let played = Set(PlayedFault.all.map(\.number))
        #expect(played.union(PlayedFault.elsewhere.keys) == Set(1...40))
        #expect(played.isDisjoint(with: PlayedFault.elsewhere.keys))
        #expect(Set(PlayedFault.all.map(\.testDescription)).count == PlayedFault.all.count)
    }
}
