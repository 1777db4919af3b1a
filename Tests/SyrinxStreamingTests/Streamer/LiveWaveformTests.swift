import AVFAudio
import Foundation
import Synchronization
import SyrinxAnalysis
import SyrinxDevice
import SyrinxMediaCodec
import SyrinxStreaming
import SyrinxTestSupport
import Testing

/// Waveforms of what is still on its way from a server.
@Suite("Waveforms of streams")
struct LiveWaveformTests {
    private final class PlainStreamer: Streamer, @unchecked Sendable {
        override func readFormat(for source: MediaInfo) -> AVAudioFormat {
            AVAudioFormat(
                standardFormatWithSampleRate: source.sampleRate,
                channels: AVAudioChannelCount(source.channelCount)
            )!
        }
    }

    private static let settings = PeakBuilder.Settings(
        sampleRate: 44_100,
        channelCount: 2,
        samplesPerPixel: 256,
        rounding: .integer
    )

    /// The waveform of the whole, made of what `ffmpeg` decodes.
    private func whole(_ path: String) throws -> PeakWaveform {
        var builder = PeakBuilder(Self.settings)
        builder.append(try Inputs.decoded(path))
        builder.finish()
        return builder.waveform
    }

    /// Whether `pyramid` shows what it knows as `whole` has it, and nothing else.
    private func shows(_ pyramid: WaveformPyramid, _ whole: PeakWaveform) -> Bool {
        let finest = pyramid.finest
        return (0..<finest.count).allSatisfy { index in
            let start = Int64(index) * 256
            let isKnown = pyramid.knownRanges.contains { $0.contains(start) }
            guard isKnown else { return finest.minimum(index) > finest.maximum(index) }
            return finest.minimum(index) == whole.minimum(index) && finest.maximum(index) == whole.maximum(index)
        }
    }

    @Test("A player draws what it decodes, with a hole where it jumped over something")
    func player() throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.flac", in: scratch, seconds: 60)
        let server = try ScriptedHTTPServer()
        server.route("/in.flac", .file(try Inputs.bytes(path), type: "audio/flac"))
        let builder = Mutex(PyramidBuilder(Self.settings))
        let streamer = PlainStreamer(device: ManualOutput())
        streamer.decodedBufferHandler = { buffer, position in
            builder.withLock { $0.append(buffer, at: position) }
        }
        streamer.url = URL(string: server.url("/in.flac"))
        streamer.play()
        func known() -> [Range<Int64>] { builder.withLock { $0.pyramid.knownRanges } }
        // Nothing is heard: the device is not cranked. What is decoded ahead is bounded, and drawn.
        waitUntil(timeout: 30) { (known().first?.upperBound ?? 0) >= 44_100 }
        try streamer.seek(to: 40)
        waitUntil(timeout: 30) { known().count == 2 && (known().last?.count ?? 0) >= 44_100 }
        streamer.stop()
        let pyramid = builder.withLock { $0.pyramid }
        try #require(pyramid.knownRanges.count == 2, "\(pyramid.knownRanges)")
        let first = pyramid.knownRanges[0]
        let second = pyramid.knownRanges[1]
        // Blocks that were begun in the middle are not known.
        #expect(first.lowerBound == 0 && first.upperBound < 40 * 44_100)
        #expect(second.lowerBound == (40 * 44_100 + 255) / 256 * 256)
        #expect(shows(pyramid, try whole(path)))
        let columns = pyramid.columns(in: 0..<60 * 44_100, width: 60)[0]
        #expect(columns[0].isKnown && columns[40].isKnown)
        #expect(!columns[38].isKnown && !columns[59].isKnown)
    }

    @Test("A download is drawn piece by piece; what has not come is not known")
    func download() throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.flac", in: scratch, seconds: 20)
        let bytes = try Inputs.bytes(path)
        let server = try ScriptedHTTPServer()
        server.route("/in.flac", .file(bytes, type: "audio/flac"))

        /// A waveform that grows as bytes arrive, on the downloader's thread alone.
        struct Growing {
            let parser = Parser()
            var reader: Reader?
            var position: Int64 = 0
            var builder = PyramidBuilder(LiveWaveformTests.settings)
            var extents: [Int64] = []

            mutating func take(_ data: Data) throws {
                try parser.parse(data: data)
                try draw()
                if let end = builder.pyramid.knownRanges.last?.upperBound { extents.append(end) }
            }

            mutating func finish() throws {
                try parser.finish()
                try draw()
                builder.finish()
            }

            private mutating func draw() throws {
                guard parser.dataFormat != nil else { return }
                let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)!
                let reader = try reader ?? Reader(parser: parser, readFormat: format)
                self.reader = reader
                do {
                    while true {
                        let buffer = try reader.read(4096)
                        builder.append(buffer, at: position)
                        position += Int64(buffer.frameLength)
                    }
                } catch ReaderError.notEnoughData, ReaderError.reachedEndOfFile {}
            }
        }

        let growing = Mutex(Growing())
        let failure = Mutex<String?>(nil)
        let isOver = Mutex(false)
        let downloader = Downloader()
        downloader.progressHandler = { data, _ in
            growing.withLock { growing in
                do { try growing.take(data) } catch { failure.withLock { $0 = "\(error)" } }
                // Before the last piece, the end is not known, and says so.
                guard data.count > 0, let end = growing.extents.last, end < 15 * 44_100 else { return }
                let late = growing.builder.pyramid.columns(in: end..<20 * 44_100, width: 10)[0]
                // A column shows up to a point of its neighbours.
                if late.dropFirst().contains(where: \.isKnown) {
                    failure.withLock { $0 = "what has not come is known" }
                }
            }
        }
        downloader.completionHandler = { error in
            growing.withLock { growing in
                do { try growing.finish() } catch { failure.withLock { $0 = "\(error)" } }
            }
            if let error { failure.withLock { $0 = "\(error)" } }
            isOver.withLock { $0 = true }
        }
        downloader.url = URL(string: server.url("/in.flac"))
        downloader.start()
        waitUntil(timeout: 60) { isOver.withLock { $0 } }
        #expect(failure.withLock { $0 } == nil)
        growing.withLock { growing in
            #expect(growing.extents.count > 3 && growing.extents == growing.extents.sorted())
            #expect(growing.extents[growing.extents.count / 2] < 15 * 44_100)
            #expect(growing.builder.pyramid.knownRanges == [0..<20 * 44_100])
        }
        let expected = try whole(path)
        #expect(growing.withLock { $0.builder.pyramid.finest.values } == expected.values)
    }
}
