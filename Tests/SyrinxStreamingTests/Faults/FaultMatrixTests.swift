import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// The hindrances of a stream: nine, singly and together.
struct Hindrance: Sendable, CustomTestStringConvertible {
    /// The connection is cut after every so many bytes, a twelfth of the whole.
    var isCut = false
    /// The decoder gets a byte at a time.
    var isByteByByte = false
    /// The server does not say how long it is.
    var isOfUnknownLength = false
    /// The server knows no ranges.
    var isWithoutRanges = false

    static let all: [Hindrance] = [
        Hindrance(isCut: true), Hindrance(isByteByByte: true), Hindrance(isOfUnknownLength: true),
        Hindrance(isWithoutRanges: true), Hindrance(isCut: true, isByteByByte: true),
        Hindrance(isCut: true, isOfUnknownLength: true), Hindrance(isByteByByte: true, isOfUnknownLength: true),
        Hindrance(isCut: true, isWithoutRanges: true),
        Hindrance(isCut: true, isByteByByte: true, isOfUnknownLength: true, isWithoutRanges: true),
    ]

    var testDescription: String {
        [
            isCut ? "cut again and again" : nil, isByteByByte ? "byte by byte" : nil,
            isOfUnknownLength ? "of unknown length" : nil, isWithoutRanges ? "without ranges" : nil,
        ].compactMap { $0 }.joined(separator: ", ")
    }

    /// Returns the answer to the request of that number.
    func answer(_ bytes: [UInt8], _ request: ScriptedRequest, _ index: Int) -> ScriptedResponse {
        var answer = ScriptedResponse.file(bytes)
        if isWithoutRanges { answer = answer.withoutRanges() }
        if isOfUnknownLength, isWithoutRanges {
            // Where the end of the connection is the end of the file, a cut is one too: chunks tell them apart.
            answer = answer.chunked()
        } else if isOfUnknownLength {
            let start = request.range.flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) } ?? 0
            answer = answer.withoutLength().contentRange("bytes \(start)-\(bytes.count - 1)/*")
        }
        guard isCut else { return answer }
        let piece = bytes.count / 12 + 1
        // A server without ranges begins at the start each time, and has to get further.
        let count = isWithoutRanges ? piece * (index + 1) : piece
        return count < bytes.count ? answer.cut(after: Int64(count)) : answer
    }
}

/// A stream that gives one byte at a time, at its start and after each jump; after a kilobyte of these 61, an odd number.
private final class ByteByByte: ByteStream {
    private let base: any ByteStream
    private let run = Mutex<(next: Int64, count: Int)>((0, 0))
    init(_ base: any ByteStream) { self.base = base }
    var name: String { base.name }
    var length: Int64? { base.length }
    var isSeekable: Bool { base.isSeekable }
    var isRemote: Bool { base.isRemote }
    var mimeType: String? { base.mimeType }
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        let most = run.withLock { $0.next == offset && $0.count > 1_024 ? 61 : 1 }
        let count = try base.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(most)))
        run.withLock { run in
            run.count = run.next == offset ? run.count + count : count
            run.next = offset + Int64(count)
        }
        return count
    }
    func setInterrupted(_ isInterrupted: Bool) { base.setInterrupted(isInterrupted) }
    func cancel() { base.cancel() }
}

/// The recordings: every format that is streamed, with an index at the front, at the end and nowhere.
///
/// Short and, where nothing is compressed much, of a low rate: each is read 37 times, often byte by byte.
private let recordings: [(name: String, arguments: [String])] = {
    let small = ["-ar", "16000", "-ac", "1"]
    return [
        ("cbr.mp3", ["-b:a", "64k"]), ("bare.mp3", ["-b:a", "64k", "-write_xing", "0", "-id3v2_version", "0"]),
        ("vbr.mp3", ["-q:a", "6"]), ("a.aac", ["-b:a", "64k"]),
        ("front.m4a", ["-b:a", "64k", "-movflags", "faststart"]), ("end.m4a", ["-b:a", "64k"]),
        ("fragmented.m4a", ["-b:a", "64k", "-movflags", "frag_keyframe+empty_moov"]),
        ("alac.m4a", ["-c:a", "alac"] + small), ("a.flac", small), ("a.wav", small), ("a.aiff", small),
        ("a.caf", small),
        ("a.ogg", ["-c:a", "libvorbis"]), ("a.opus", ["-ar", "48000"]),
        ("a.webm", ["-c:a", "libopus", "-ar", "48000"]),
    ]
}()

/// The samples of a stream with any hindrance are those of the file.
@Suite("Formats and faults") struct FaultMatrixTests {
    private static let seconds = 1.0

    private func options() -> HTTPByteStream.Options {
        var options = HTTPByteStream.Options()
        options.initialRetryDelay = 0.001
        options.maximumRetryDelay = 0.002
        options.maximumAttempts = 50
        options.stallTimeout = 600
        options.environment = [:]
        return options
    }

    /// All samples from `frame` on, interleaved.
    private func samples(_ reader: MediaReader, from frame: Int64) throws -> [Float] {
        if frame > 0 { try reader.seek(toFrame: frame) }
        let channelCount = reader.info.channelCount
        let room = 4_096
        let channels = (0..<channelCount).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: room) }
        defer { for channel in channels { channel.deallocate() } }
        var samples: [Float] = []
        while case let count = try reader.read(into: channels, frameCount: room), count > 0 {
            for index in 0..<count { for channel in channels { samples.append(channel[index]) } }
        }
        return samples
    }

    @Test("Each format plays its samples through each fault and seek", arguments: recordings.map(\.name))
    func areTheSamplesOfTheFile(_ name: String) throws {
        let scratch = try ScratchDirectory()
        let arguments = try #require(recordings.first { $0.name == name }).arguments
        let bytes = try Inputs.bytes(try Inputs.make(name, in: scratch, seconds: Self.seconds, arguments: arguments))
        let clean = { try MediaReader.open(MemoryByteStream(bytes, name: name)) }
        let channelCount = try clean().info.channelCount
        let whole = try samples(try clean(), from: 0)
        let frames = (0...3).map { Int64(whole.count / channelCount) * $0 / 3 }
        // After a seek a decoder may begin otherwise than in passing, by as much as its noise; not so where it only passes.
        let sought = try frames.map { try samples(try clean(), from: $0) }
        for hindrance in Hindrance.all {
            for (index, frame) in frames.enumerated() {
                let server = try ScriptedHTTPServer()
                server.route("/a") { request, index in hindrance.answer(bytes, request, index) }
                let base = try HTTPByteStream(url: server.url("/a"), options: options())
                let stream: any ByteStream = hindrance.isByteByByte ? ByteByByte(base) : base
                let got = try samples(try MediaReader.open(stream), from: frame)
                let isRight =
                    hindrance.isWithoutRanges ? got[...] == whole[(Int(frame) * channelCount)...] : got == sought[index]
                #expect(isRight, "\(hindrance), from frame \(frame)")
                #expect(server.requests.count <= (hindrance.isCut ? 30 : 4))
                stream.cancel()
            }
        }
    }
}
