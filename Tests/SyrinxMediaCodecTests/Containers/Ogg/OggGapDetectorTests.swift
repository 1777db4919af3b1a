import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

/// Pages of Ogg that are lost: silence stands where they were, to the frame, and all else is where it was.
@Suite struct OggGapDetectorTests {
    private static let rate = 48000
    private static let seconds = 6

    /// Noise, of which every stretch is another.
    private func recording(_ codec: String, pages: Double, number: Int = 0, channels: Int = 1, tag: Int = 0) throws
        -> OggPages
    {
        let scratch = try ScratchDirectory()
        let source = "anoisesrc=d=\(Self.seconds):seed=\(number + 1):r=\(Self.rate):a=0.3"
        let options = ["-page_duration", "\(Int(pages * 1e6))", "-serial_offset", "\(77 * number)", "a.ogg"]
        let tags = ["-metadata", "comment=\(String(repeating: "x", count: tag))"]
        let arguments = ["-f", "lavfi", "-i", source, "-c:a", codec, "-ac", "\(channels)"] + tags + options
        let file = try scratch.make(arguments)
        return OggPages([UInt8](try Data(contentsOf: file)))
    }

    /// The damage of a page.
    enum Damage: CaseIterable {
        case bit, zeroes, cutOut

        func callAsFunction(_ page: OggPages.Page) -> [UInt8] {
            var bytes = page.bytes
            let body = 27 + Int(bytes[26])
            switch self {
            case .bit: bytes[(body + bytes.count) / 2] ^= 0x40
            case .zeroes: bytes.replaceSubrange(body..., with: repeatElement(0, count: bytes.count - body))
            case .cutOut: bytes = []
            }
            return bytes
        }
    }

    /// As a file, as what is sent once, and as a file on a server.
    private func streams(_ bytes: [UInt8]) -> [TestStream] {
        let live = TestStream(bytes)
        (live.isSeekable, live.hidesLength) = (false, true)
        let remote = TestStream(bytes)
        (remote.isRemote, remote.heldEnd) = (true, Int64(bytes.count))
        return [TestStream(bytes), live, remote]
    }

    /// Returns the range of page `number`, after the delay at the start.
    private func place(of number: Int, in pages: OggPages, delay: Int64) -> Range<Int> {
        let start = number == 0 ? 0 : max(pages.pages[number - 1].position - delay, 0)
        return Int(start)..<Int(pages.pages[number].position - delay)
    }

    /// - Parameter settled: So many frames behind a hole a codec sounds as if there had been none.
    private func check(
        _ heard: [Float],
        _ whole: [Float],
        lost: Range<Int>,
        settled: Int,
        silent: Range<Int>? = nil,
        _ what: String
    ) {
        #expect(heard.count == whole.count, "\(what): \(heard.count)")
        guard heard.count == whole.count else { return }
        #expect(heard[silent ?? lost].allSatisfy { $0 == 0 }, "\(what): \(lost)")
        #expect(largestDifference(heard[..<lost.lowerBound], whole[...]) <= 1, "\(what): before \(lost)")
        let after = min(lost.upperBound + settled, whole.count)
        #expect(largestDifference(heard[after...], whole[after...]) <= 1, "\(what): behind \(lost)")
    }

    @Test(
        "Each lost page leaves silence in its place",
        arguments: [
            ("libopus", 0.02, 312), ("libopus", 0.04, 312), ("libopus", 1, 312), ("libvorbis", 0.02, 0),
            ("libvorbis", 1, 0),
            ("flac", 0.02, 0), ("flac", 1, 0),
        ] as [(String, Double, Int64)]
    )
    func eachLeavesSilenceWhereItWas(_ codec: String, _ length: Double, _ delay: Int64) throws {
        let pages = try recording(codec, pages: length)
        let whole = try MediaReader.open(TestStream(pages.pages.flatMap(\.bytes))).readAll()
        #expect(whole.count == Self.seconds * Self.rate)
        let first = try #require(pages.pages.firstIndex { $0.position > 0 })
        let last = pages.pages.count - 1
        // Opus takes a while to forget.
        let settled = codec == "libopus" ? 16384 : 0
        for number in [first, first + 1, (first + last) / 2, last - 1, last] {
            for damage in Damage.allCases {
                // What is cut off leaves no trace at either end.
                if damage == .cutOut, number == first || number == last { continue }
                var parts = pages.pages.map(\.bytes)
                parts[number] = damage(pages.pages[number])
                let place = place(of: number, in: pages, delay: delay)
                var lost = place
                // Of Vorbis the first packet behind it decodes to nothing.
                if codec == "libvorbis", number < last { lost = place.lowerBound..<place.upperBound + 1024 }
                // Its last page tells where it ends, within a block or not.
                let isBeforeLast = codec == "libvorbis" && number == last - 1
                let silent = isBeforeLast ? place.prefix(max(place.count - 1024, 0)) : lost
                for stream in streams(parts.flatMap(\.self)) {
                    let reader = try MediaReader.open(stream)
                    let heard = try reader.readAll()
                    let what = "\(codec) in pages of \(length) s, page \(number), \(damage), \(stream.isSeekable)"
                    let certain = isBeforeLast ? lost.upperBound + 1024 : settled
                    check(heard, whole, lost: lost, settled: certain, silent: silent, what)
                    #expect(reader.corruptPacketCount == 1, "\(what)")
                    if !isBeforeLast { #expect(reader.concealedFrameCount == Int64(lost.count), "\(what)") }
                    guard stream.isSeekable, damage == .bit else { continue }
                    for start in [0, lost.lowerBound, (lost.lowerBound + lost.upperBound) / 2, lost.upperBound + 20000]
                    {
                        guard start < whole.count else { continue }
                        try reader.seek(toFrame: Int64(start))
                        let rest = try reader.readAll()
                        #expect(rest.count == whole.count - start, "\(what), from \(start)")
                        #expect(largestDifference(rest[...], heard[start...]) <= 1, "\(what), from \(start)")
                    }
                }
            }
        }
    }

    @Test(
        "A lost page in a later link leaves silence in its place",
        arguments: [("libopus", 312), ("libvorbis", 0), ("flac", 0)] as [(String, Int64)]
    )
    func inALaterRecordingOfAChain(_ codec: String, _ delay: Int64) throws {
        for length in [0.02, 1.0] {
            let links = try (0..<3).map { try recording(codec, pages: length, number: $0) }
            let whole = try MediaReader.open(TestStream(links.flatMap { $0.pages.flatMap(\.bytes) })).readAll()
            let frames = Self.seconds * Self.rate
            #expect(whole.count == 3 * frames)
            let first = try #require(links[1].pages.firstIndex { $0.position > 0 })
            let last = links[1].pages.count - 1
            let settled = codec == "libopus" ? 16384 : 0
            for number in [first, first + 1, (first + last) / 2, last] {
                var parts = links.map { $0.pages.map(\.bytes) }
                parts[1][number] = Damage.bit(links[1].pages[number])
                let place = place(of: number, in: links[1], delay: delay)
                var lost = frames + place.lowerBound..<frames + place.upperBound
                if codec == "libvorbis", number < last { lost = lost.lowerBound..<lost.upperBound + 1024 }
                for stream in streams(parts.flatMap { $0.flatMap(\.self) }) {
                    let reader = try MediaReader.open(stream)
                    let heard = try reader.readAll()
                    let what = "\(codec) in pages of \(length) s, page \(number), \(stream.isSeekable)"
                    check(heard, whole, lost: lost, settled: settled, what)
                    #expect(reader.corruptPacketCount == 1, "\(what)")
                    guard stream.isSeekable else { continue }
                    for start in [frames / 2, frames + frames / 20, frames + frames / 2, 2 * frames + 1] {
                        try reader.seek(toFrame: Int64(start))
                        let rest = try reader.readAll()
                        #expect(rest.count == whole.count - start, "\(what), from \(start)")
                        #expect(largestDifference(rest[...], heard[start...]) <= 1, "\(what), from \(start)")
                    }
                }
            }
        }
    }

    /// Blocks of Vorbis, and pages that end within a packet.
    @Test("A lost page is measured for any sizes of packets")
    func whateverTheBlocksAre() throws {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc=(if(lt(mod(t\\,0.17)\\,0.02)\\,1.6\\,0.02))*(random(0)-0.5):s=44100:d=8"
        let file = try scratch.make([
            "-f", "lavfi", "-i", source, "-c:a", "libvorbis", "-page_duration", "200000", "a.ogg",
        ])
        let pages = OggPages([UInt8](try Data(contentsOf: file)))
        let whole = try MediaReader.open(TestStream(pages.pages.flatMap(\.bytes))).readAll()
        let first = try #require(pages.pages.firstIndex { $0.position > 0 })
        for number in first + 1..<pages.pages.count - 2 {
            var parts = pages.pages.map(\.bytes)
            parts[number] = Damage.bit(pages.pages[number])
            let heard = try MediaReader.open(TestStream(parts.flatMap(\.self))).readAll()
            let place = place(of: number, in: pages, delay: 0)
            check(heard, whole, lost: place, settled: 1024, "page \(number)")
        }
    }

    /// Pages that come twice, or too late, are not heard.
    @Test("Pages out of order are not heard", arguments: ["libopus", "libvorbis", "flac"]) func pagesOutOfOrder(
        _ codec: String
    ) throws {
        let pages = try recording(codec, pages: 0.2)
        let bytes = pages.pages.map(\.bytes)
        let whole = try MediaReader.open(TestStream(bytes.flatMap(\.self))).readAll()
        let number = bytes.count / 2
        for stream in streams((bytes[...number] + bytes[number...]).flatMap(\.self)) {
            let reader = try MediaReader.open(stream)
            let heard = try reader.readAll()
            #expect(heard == whole, "\(codec)")
            #expect(reader.corruptPacketCount == 0, "\(codec)")
        }
        let swapped = bytes[..<number] + [bytes[number + 1], bytes[number]] + bytes[(number + 2)...]
        for stream in streams(swapped.flatMap(\.self)) {
            let heard = try MediaReader.open(stream).readAll()
            let place = place(of: number, in: pages, delay: codec == "libopus" ? 312 : 0)
            check(heard, whole, lost: place, settled: codec == "libopus" ? 16384 : 1024, codec)
        }
    }

    /// A recording of a live stream has its headers and then the rest; nothing is missing there, however long the headers are.
    @Test("A stream that begins later has no gap", arguments: ["libopus", "libvorbis", "flac"])
    func whatBeginsLaterHasNoHole(_ codec: String) throws {
        for tag in [0, 100_000] {
            let links = try (0..<3).map { try recording(codec, pages: 0.2, number: $0, channels: 2, tag: tag) }
            let first = try #require(links[0].pages.firstIndex { $0.position > 0 })
            let late = links.map { $0.pages[..<first].flatMap(\.bytes) + $0.pages[(first + 5)...].flatMap(\.bytes) }
            for recordings in [[late[0]], late] {
                for stream in streams(recordings.flatMap(\.self)) {
                    let reader = try MediaReader.open(stream)
                    let count = try reader.readAll().count / 2
                    let most = recordings.count * (Self.seconds * Self.rate - 20_000)
                    #expect(
                        count < most,
                        "\(codec), \(tag), \(recordings.count), \(stream.isSeekable), \(stream.isRemote): \(count)"
                    )
                    #expect(reader.corruptPacketCount == 0 && reader.concealedFrameCount == 0, "\(codec)")
                }
            }
        }
    }

    /// Sound that has not come is not damaged: its content is not known.
    @Test("A truncated stream ends at its last page", arguments: ["libopus", "libvorbis", "flac"])
    func whatIsCutOffEndsThere(_ codec: String) throws {
        let pages = try recording(codec, pages: 0.2)
        let whole = pages.pages.flatMap(\.bytes)
        // Within the last page but one.
        let bytes = Array(whole.dropLast((pages.pages.last?.bytes.count ?? 0) + 500))
        let end = try #require(pages.pages.dropLast(2).last?.position)
        for stream in streams(bytes) {
            let reader = try MediaReader.open(stream)
            #expect(try reader.readAll().count == Int(end) - (codec == "libopus" ? 312 : 0), "\(codec)")
            #expect(reader.corruptPacketCount == 0 && reader.concealedFrameCount == 0, "\(codec)")
        }
    }

    /// Positions that are of no use, and pages without a packet that can be decoded between them.
    @Test("Absurd granule positions do not end decoding", arguments: ["libopus", "libvorbis", "flac"])
    func positionsBeyondReasonEndNothing(_ codec: String) throws {
        let pages = try recording(codec, pages: 0.02)
        let first = try #require(pages.pages.firstIndex { $0.position > 0 })
        for damage in [false, true] {
            var parts: [[UInt8]] = pages.pages[...first].map(\.bytes)
            for (number, page) in pages.pages[(first + 1)...].enumerated() where number % 3 > 0 {
                var page = page
                let body = 27 + Int(page.bytes[26])
                if damage {
                    page.bytes.replaceSubrange(body..., with: repeatElement(0x7F, count: page.bytes.count - body))
                }
                parts.append(page.with(position: number % 3 == 1 ? 1 << 60 - 1 : page.position).bytes)
            }
            for stream in streams(parts.flatMap(\.self)) {
                guard let reader = try? MediaReader.open(stream) else { continue }
                let planes = Planes(count: 1, capacity: 4096)
                // The end may be said to be missing.
                var count = 0
                while count < 1 << 20, let got = try? reader.read(into: planes.pointers, frameCount: 4096), got > 0 {
                    count += got
                }
                #expect(count > 0)
            }
        }
    }
}
