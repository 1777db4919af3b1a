import Foundation
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@Suite("The waveform of what arrives in any order")
struct ArrivalTests {
    struct Format: Sendable, CustomTestStringConvertible {
        var name: String
        var options: [String]
        /// The greatest difference of a sample from what reading through gives.
        var tolerance = 0
        /// Whether the test calls `prefer(time:)`.
        var prefers = true
        var testDescription: String { prefers ? name : "\(name), nothing preferred" }
    }

    static let formats = [
        Format(name: "a.wav", options: []),
        Format(name: "a.flac", options: ["-c:a", "flac"]),
        Format(name: "cbr.mp3", options: ["-c:a", "libmp3lame", "-b:a", "64k"], tolerance: 400),
        Format(name: "vbr.mp3", options: ["-c:a", "libmp3lame", "-q:a", "6"], tolerance: 32_767),
        Format(name: "a.ogg", options: ["-c:a", "libvorbis", "-q:a", "3"], tolerance: 400),
        Format(name: "a.opus", options: ["-c:a", "libopus", "-b:a", "48k"], tolerance: 400),
        Format(name: "a.m4a", options: ["-c:a", "aac", "-b:a", "64k", "-movflags", "+faststart"], tolerance: 3000),
        Format(
            name: "a.m4a",
            options: ["-c:a", "aac", "-b:a", "64k", "-movflags", "+faststart"],
            tolerance: 3000,
            prefers: false
        ),
    ]

    private static let block = 256

    /// A sound that swells, so that no two places look alike.
    private static func recording(_ format: Format, seconds: Int = 60) throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        let sound = "(0.1+0.8*t/\(seconds))*sin(2*PI*440*t)*(0.6+0.4*sin(7*t))+0.05*(random(0)-0.5)"
        let source = "aevalsrc='\(sound)':s=44100:d=\(seconds)"
        try FFmpeg.make(scratch.file(format.name), from: source, format.options)
        return [UInt8](try Data(contentsOf: scratch.url(format.name)))
    }

    private static func whole(_ bytes: [UInt8]) async throws -> PeakWaveform {
        var pyramid: WaveformPyramid?
        let analyzer = RecordingAnalyzer()
        for try await update in analyzer.waveform(of: MemoryByteStream(bytes, name: "whole")) {
            take(update, into: &pyramid)
        }
        analyzer.cancel()
        return try #require(pyramid).finest
    }

    private static func take(_ update: WaveformUpdate, into pyramid: inout WaveformPyramid?) {
        switch update {
        case .opened(let info):
            pyramid = WaveformPyramid(sampleRate: Int(info.sampleRate), samplesPerPixel: block, channelCount: 1)
        case .blocks(let blocks, let index, let last): pyramid?.insert(blocks, at: index, lastFrameCount: last)
        case .ended: break
        }
    }

    /// Plays a second at the start and three from a far place, and returns the frame of that place.
    private static func play(_ stream: SparseStream, share: Double) throws -> Int64 {
        let reader = try MediaReader.open(stream)
        _ = RecordingScan.read(reader, frames: 0..<44_100) { _, _, _ in }
        let total = try #require(reader.info.duration) * reader.info.sampleRate
        let target = Int64(total * share)
        try reader.seek(toFrame: target)
        _ = RecordingScan.read(reader, frames: target..<target + 132_300) { _, _, _ in }
        return target
    }

    @Test("What lies behind a far seek is analysed, and the rest when it comes", arguments: formats)
    func farSeek(_ format: Format) async throws {
        let bytes = try Self.recording(format)
        let whole = try await Self.whole(bytes)
        let stream = SparseStream(bytes)
        let target = try Self.play(stream.makePlayersStream(), share: 0.6)
        #expect(stream.heldCount < bytes.count / 2)
        let analyzer = RecordingAnalyzer()
        // What goes wrong here waits for ever.
        let watchdog = Task {
            try await Task.sleep(for: .seconds(60))
            analyzer.cancel()
        }
        defer { watchdog.cancel() }
        var pyramid: WaveformPyramid?
        var hasArrived = false
        for try await update in analyzer.waveform(arrivingIn: stream) {
            Self.take(update, into: &pyramid)
            let time = Double(target) / Double(pyramid?.sampleRate ?? 1)
            if format.prefers { analyzer.prefer(time: time) }
            guard !hasArrived, let known = pyramid?.knownRanges else { continue }
            let far = known.first { $0.upperBound > target + 44_100 && $0.lowerBound < target + 88_200 }
            guard known.first?.lowerBound == 0, known.count >= 2, far != nil else { continue }
            // The gap is not silence: nothing in it is known.
            let gap = try #require(pyramid).columns(in: 500_000..<1_000_000, width: 50)[0]
            #expect(gap.allSatisfy { !$0.isKnown })
            hasArrived = true
            stream.arriveWhole()
        }
        #expect(hasArrived)
        let made = try #require(pyramid)
        #expect(made.knownRanges.count == 1)
        #expect(abs(made.finest.count - whole.count) <= 8)
        let count = min(made.finest.count, whole.count) - 8
        let worst = (0..<count).map { index in
            abs(Int(made.finest.maximum(index)) - Int(whole.maximum(index)))
        }.max()
        #expect(try #require(worst) <= format.tolerance)
        // Of a variable rate the place is nominal.
        guard format.tolerance < 32_767 else { return }
        for index in stride(from: 1000, to: count, by: 173) {
            let (one, two) = (Double(made.finest.maximum(index)), Double(whole.maximum(index)))
            #expect(abs(one - two) <= max(0.15 * two, 1500), "block \(index)")
        }
    }

    @Test("A recording that is at hand is read once, from the start")
    func local() async throws {
        let bytes = try Self.recording(Self.formats[1], seconds: 20)
        let whole = try await Self.whole(bytes)
        var pyramid: WaveformPyramid?
        var outcome: RecordingScan.Outcome?
        let stream = MemoryByteStream(bytes, name: "local")
        let analyzer = RecordingAnalyzer()
        defer { analyzer.cancel() }
        for try await update in analyzer.waveform(arrivingIn: stream) {
            Self.take(update, into: &pyramid)
            if case .ended(let end) = update { outcome = end }
        }
        #expect(pyramid?.finest == whole)
        #expect(pyramid?.knownRanges == [0..<882_000])
        #expect(outcome?.failure == nil)
    }

    @Test("The waveform goes on where the bytes stalled")
    func stall() async throws {
        let bytes = try Self.recording(Self.formats[2], seconds: 30)
        let whole = try await Self.whole(bytes)
        let stream = SparseStream(bytes)
        stream.arrive(0..<40_000)
        var pyramid: WaveformPyramid?
        var held = 40_000
        let analyzer = RecordingAnalyzer()
        defer { analyzer.cancel() }
        for try await update in analyzer.waveform(arrivingIn: stream) {
            Self.take(update, into: &pyramid)
            held += 9000
            stream.arrive(0..<held)
        }
        #expect(pyramid?.finest == whole)
        #expect(pyramid?.knownRanges.count == 1)
    }

    @Test("A recording that is cut off ends where it is cut off")
    func cutOff() async throws {
        let bytes = try Self.recording(Self.formats[1], seconds: 20)
        let stream = MemoryByteStream(Array(bytes.prefix(bytes.count / 2)), name: "cut off")
        var pyramid: WaveformPyramid?
        var outcome: RecordingScan.Outcome?
        let analyzer = RecordingAnalyzer()
        defer { analyzer.cancel() }
        for try await update in analyzer.waveform(arrivingIn: stream) {
            Self.take(update, into: &pyramid)
            if case .ended(let end) = update { outcome = end }
        }
        let known = try #require(pyramid?.knownRanges.last?.upperBound)
        #expect((5 * 44_100..<15 * 44_100).contains(known))
        #expect(outcome?.failure?.code == .truncated)
    }

    @Test("A request that is cancelled ends while it waits for bytes")
    func cancelled() async throws {
        let bytes = try Self.recording(Self.formats[0], seconds: 10)
        let stream = SparseStream(bytes)
        stream.arrive(0..<100_000)
        let analyzer = RecordingAnalyzer()
        var updates = analyzer.waveform(arrivingIn: stream).makeAsyncIterator()
        #expect(try await updates.next() != nil)
        analyzer.cancel()
        await #expect(throws: CancellationError.self) { while try await updates.next() != nil {} }
    }
}
