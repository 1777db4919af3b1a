import AVFAudio
import Foundation
import SyrinxAnalysis
import SyrinxDevice
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("Loudness that is measured ahead") struct MeasuredAheadTests {
    /// A piece of noise in stereo, and its loudness from its start to its end.
    enum Piece: String, CaseIterable, Sendable {
        case steady = "0.05"
        /// From −40 to −14 dB.
        case swelling = "0.01*pow(10\\,1.3*t/30)"
        /// A step of 15 dB.
        case stepped = "0.02+0.092*gt(t\\,15)"

        func make(_ name: String, in scratch: ScratchDirectory, seconds: Int = 30, channels: Int = 2) throws -> String {
            let path = scratch.file(name)
            let noise = (0..<channels).map { "(\(rawValue))*(2*random(\($0))-1)" }.joined(separator: "|")
            try FFmpeg.make(path, from: "aevalsrc=\(noise):s=44100:d=\(seconds)")
            return path
        }
    }

    static let target = -27.0
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// The loudness of the whole, in LUFS.
    private func loudness(_ channels: [[Float]]) throws -> Double {
        var meter = LoudnessMeter(sampleRate: 44_100, channelCount: channels.count)
        let count = channels[0].count
        let storage = UnsafeMutablePointer<Float>.allocate(capacity: count * channels.count)
        defer { storage.deallocate() }
        var pointers: [UnsafeMutablePointer<Float>] = []
        for (index, channel) in channels.enumerated() {
            (storage + index * count).initialize(from: channel, count: count)
            pointers.append(storage + index * count)
        }
        meter.append(&pointers, frameCount: count)
        return try #require(meter.report.integrated)
    }

    private func isWhole(_ streamer: Streamer) -> Bool {
        streamer.withController { $0.tracks.open.allSatisfy { $0.measuredAhead?.measurement.isWhole == true } }
    }

    /// Plays on a device that keeps time, from when all has been measured.
    private func played(_ item: StreamingItem, seconds: Int) throws -> [[Float]] {
        let rig = Rig()
        rig.streamer.normalization = LoudnessNormalization(target: Self.target)
        rig.streamer.open(item)
        // A pause reads ahead what a server has.
        rig.streamer.play()
        rig.streamer.pause()
        try #require(waitUntil(timeout: 60) { isWhole(rig.streamer) })
        rig.streamer.play()
        var channels: [[Float]] = [[], []]
        let isPlayed = waitUntil(timeout: 60) {
            let block = rig.device.render(frameCount: 512)
            for channel in block.indices { channels[channel] += block[channel] }
            return rig.streamer.status == .ended
        }
        try #require(isPlayed)
        let start = try #require(channels[0].firstIndex { $0 != 0 })
        return channels.map { Array($0[start..<min(start + seconds * 44_100, $0.count)]) }
    }

    /// The gain in dB in each tenth of a second.
    private func gains(_ heard: [Float], _ plain: [Float]) -> [Double] {
        let rms = { (samples: ArraySlice<Float>) in
            10 * log10(samples.reduce(1e-20) { $0 + Double($1) * Double($1) } / Double(samples.count))
        }
        return stride(from: 0, to: min(heard.count, plain.count) - 4_410, by: 4_410).map {
            rms(heard[$0..<$0 + 4_410]) - rms(plain[$0..<$0 + 4_410])
        }
    }

    @Test("A file is played with the gain of all of it from its first sample on", arguments: Piece.allCases)
    func file(_ piece: Piece) throws {
        let path = try piece.make("a.wav", in: scratch)
        let heard = try played(StreamingItem(.url(URL(fileURLWithPath: path))), seconds: 30)
        #expect(abs(try loudness(heard) - Self.target) < 0.2)
        let gains = gains(heard[0], try Inputs.decoded(path)[0])
        #expect((gains.max() ?? 1) - (gains.min() ?? 0) < 0.05, "\(gains)")
    }

    @Test("So is a stream that has arrived whole", arguments: Piece.allCases)
    func arrived(_ piece: Piece) throws {
        let path = try piece.make("a.flac", in: scratch)
        let server = try ScriptedHTTPServer()
        server.route("/a.flac", .file(try Inputs.bytes(path), type: "audio/flac"))
        let item = StreamingItem(.url(try #require(URL(string: server.url("/a.flac")))))
        #expect(abs(try loudness(try played(item, seconds: 30)) - Self.target) < 0.2)
    }

    @Test("A stream that arrives faster than it is played is off by less than 1 LU", arguments: Piece.allCases)
    func arrivingFast(_ piece: Piece) throws {
        let path = try piece.make("a.flac", in: scratch)
        let rig = Rig()
        rig.streamer.normalization = LoudnessNormalization(target: Self.target)
        let server = try serve(path, seconds: 3)
        rig.streamer.open(.url(try #require(URL(string: server.url("/a.flac")))), andPlay: true)
        // Four times as fast as a card would play it.
        let isPlayed = waitUntil(timeout: 120) {
            rig.output += rig.device.render(frameCount: 512).first ?? []
            usleep(2_900)
            return rig.streamer.status == .ended
        }
        #expect(isPlayed)
        let start = try #require(rig.output.firstIndex { $0 != 0 })
        let heard = Array(rig.output[start...])
        let level = try loudness([heard, heard])
        #expect(abs(level - Self.target) < (piece == .steady ? 0.5 : 1), "\(level)")
        try expectSlowGain(heard, path)
    }

    @Test("A stream that is played as fast as it arrives is off by less than 2.5 LU if it swells by 8 dB")
    func arriving() async throws {
        let path = scratch.file("a.flac")
        let noise = (0..<2).map { "0.03*pow(10\\,0.4*t/30)*(2*random(\($0))-1)" }.joined(separator: "|")
        try FFmpeg.make(path, from: "aevalsrc=\(noise):s=44100:d=30")
        let server = try serve(path, seconds: 4)
        let heard = try await written([StreamingItem(.url(try #require(URL(string: server.url("/a.flac")))))])
        let level = try loudness(heard)
        #expect(abs(level - Self.target) < 2.5, "\(level)")
        try expectSlowGain(heard[0], path)
    }

    private func serve(_ path: String, seconds: Double) throws -> ScriptedHTTPServer {
        let bytes = try Inputs.bytes(path)
        let server = try ScriptedHTTPServer()
        server.route("/a.flac", .file(bytes, type: "audio/flac").paced(bytesPerSecond: Double(bytes.count) / seconds))
        return server
    }

    /// From the fifth second on, when the first gain has been found, it moves by no more than 6 dB a second.
    private func expectSlowGain(_ heard: [Float], _ path: String) throws {
        let gains = gains(heard, try Inputs.decoded(path)[0]).dropFirst(50)
        // Over a tenth of a second, with what the measurement of that tenth is off by.
        for (gain, later) in zip(gains, gains.dropFirst()) { #expect(abs(later - gain) < 0.65, "\(gains)") }
    }

    /// Plays into a file, as fast as it goes.
    private func written(_ items: [StreamingItem], channels: Int = 2) async throws -> [[Float]] {
        let path = scratch.file("out.wav")
        let streamer = PlainStreamer(device: WAVFileOutput(path: path))
        streamer.normalization = LoudnessNormalization(target: Self.target)
        let events = streamer.events
        streamer.open(items[0], andPlay: true, followedBy: Array(items.dropFirst()))
        _ = await QueueRun.listen(events, for: items.count)
        streamer.stop()
        return try readWAV(path).channels
    }

    @Test("A file that is written has the gain of all of it, and so has a part of one", arguments: Piece.allCases)
    func writing(_ piece: Piece) async throws {
        let path = try piece.make("a.wav", in: scratch)
        let url = URL(fileURLWithPath: path)
        #expect(abs(try loudness(try await written([StreamingItem(.url(url))])) - Self.target) < 0.1)
        let part = StreamingItem(.url(url), startTime: 12, endTime: 20)
        #expect(abs(try loudness(try await written([part])) - Self.target) < 0.1)
        let track = StreamingItem(.part(.init(start: 5, end: 24), of: url), startTime: 3, endTime: 16)
        #expect(abs(try loudness(try await written([track])) - Self.target) < 0.1)
    }

    /// Plays the first of two items for a second, and waits until the other one has been measured.
    private func playUntilTheNextIsMeasured(_ items: [StreamingItem]) throws -> Rig {
        let rig = Rig()
        rig.streamer.normalization = LoudnessNormalization(target: Self.target)
        rig.streamer.open(items[0], andPlay: true, followedBy: [items[1]])
        #expect(rig.crank { rig.streamer.playedFrameCount > 44_100 })
        try #require(
            waitUntil(timeout: 60) {
                rig.streamer.withController { $0.tracks.open.count > 1 } && isWhole(rig.streamer)
            }
        )
        return rig
    }

    @Test("The next item of a queue is measured before it is heard")
    func queue() throws {
        let first = try Piece.steady.make("a.wav", in: scratch, seconds: 8)
        let second = try Piece.swelling.make("b.wav", in: scratch)
        let items = [first, second].map { StreamingItem(.url(URL(fileURLWithPath: $0))) }
        let rig = try playUntilTheNextIsMeasured(items)
        let before = rig.output.count
        #expect(rig.crank { rig.streamer.status == .ended })
        let heard = Array(rig.output[before...])
        let plain = try Inputs.decoded(second)[0]
        // The last sample of the second piece is the last that is heard.
        let last = try #require(heard.lastIndex { $0 != 0 })
        let end = try #require(plain.lastIndex { $0 != 0 })
        let gains = gains(Array(heard[(last - end)...last]), plain).dropFirst()
        #expect((gains.max() ?? 1) - (gains.min() ?? 0) < 0.05, "\(gains)")
        #expect(abs(try loudness([plain, plain]) + (gains.last ?? 0) - Self.target) < 0.3)
    }

    @Test("Between pieces of one album without loudness tags the gain does not jump")
    func album() throws {
        let paths = try [(0.03, 6), (0.08, 12)].enumerated().map { index, piece in
            let path = scratch.file("\(index).flac")
            let noise = (0..<2).map { "\(piece.0)*(2*random(\($0))-1)" }.joined(separator: "|")
            try FFmpeg.make(path, from: "aevalsrc=\(noise):s=44100:d=\(piece.1)", ["-metadata", "ALBUM=One"])
            return path
        }
        let items = paths.map { StreamingItem(.url(URL(fileURLWithPath: $0))) }
        let rig = try playUntilTheNextIsMeasured(items)
        #expect(rig.crank { rig.streamer.status == .ended })
        let plain = try paths.flatMap { try Inputs.decoded($0)[0] }
        let last = try #require(rig.output.lastIndex { $0 != 0 })
        let end = try #require(plain.lastIndex { $0 != 0 })
        // From the third second on: a joint is at the sixth.
        let gains = gains(Array(rig.output[(last - end)...last]), plain).dropFirst(30)
        for (gain, later) in zip(gains, gains.dropFirst()) { #expect(abs(later - gain) < 0.4, "\(gains)") }
    }

    @Test("A mono piece is measured as it is heard, in both channels")
    func mono() throws {
        let path = try Piece.swelling.make("a.wav", in: scratch, channels: 1)
        let heard = try played(StreamingItem(.url(URL(fileURLWithPath: path))), seconds: 30)
        #expect(abs(try loudness(heard) - Self.target) < 0.2)
    }

    @Test("No peak between samples comes above −1 dB")
    func truePeak() async throws {
        // A quarter of the rate, at 45 degrees: its samples are 3 dB below its peak.
        let path = scratch.file("a.wav")
        try FFmpeg.make(path, from: "aevalsrc=0.8*sin(PI*n/2+PI/4)*gt(mod(t\\,2)\\,1.98):s=44100:d=20", ["-ac", "2"])
        let streamed = scratch.file("out.wav")
        let streamer = PlainStreamer(device: WAVFileOutput(path: streamed))
        streamer.normalization = LoudnessNormalization(target: -5)
        let events = streamer.events
        streamer.open(StreamingItem(.url(URL(fileURLWithPath: path))), andPlay: true)
        _ = await QueueRun.listen(events, for: 1)
        streamer.stop()
        let heard = try readWAV(streamed).channels[0]
        let highest = heard.map(abs).max() ?? 1
        // The peaks between them are 0.891 at most.
        #expect(highest < 0.64 && highest > 0.5, "\(highest)")
    }
}
