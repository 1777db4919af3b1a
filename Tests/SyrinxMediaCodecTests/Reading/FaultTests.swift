import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import Testing

/// The result of reading a file as far as possible.
private struct Outcome: Equatable {
    var frames = 0
    var code: String?
    var message = ""
}

private func readOut(_ stream: TestStream) -> Outcome {
    var outcome = Outcome()
    do throws(SyrinxError) {
        let reader = try MediaReader.open(stream)
        let planes = Planes(count: reader.info.channelCount, capacity: 4096)
        while case let count = try reader.read(into: planes.pointers, frameCount: 4096), count > 0 {
            outcome.frames += count
        }
    } catch {
        outcome.code = error.code.rawValue
        outcome.message = error.message
    }
    return outcome
}

/// Random, but the same each time.
private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) << 32 ^ state >> 17
    }
}

private func recipe(_ file: String) throws -> Recipe {
    try #require(Recipe.all.first { $0.file == file })
}

@Suite struct FaultTests {
    @Test("Bytes that are no audio are refused as such")
    func whatIsNotAudioIsNamed() {
        let page = "\n<!DOCTYPE html><html><head><title>404</title></head></html>"
        let remote = TestStream(Array(page.utf8))
        remote.isRemote = true
        let outcome = readOut(remote)
        #expect(outcome.code == "media.notAudio")
        #expect(outcome.message == "The server sent a web page, not audio.")
        #expect(readOut(TestStream(Array("\u{FEFF}<HTML>".utf8))).message == "This is a web page, not audio.")
        #expect(readOut(TestStream(Array("{\"error\":404}".utf8))).message == "This is a JSON document, not audio.")
        #expect(readOut(TestStream(Array("#EXTM3U\n/etc/passwd\n".utf8))).message == "This is a playlist, not audio.")
        let text = readOut(TestStream(Array("Hello, world. Nothing here.\n".utf8)))
        #expect(text.code == "media.notAudio" && text.message == "This is a text file, not audio.")
        for (head, kind) in [([0xFF, 0xD8, 0xFF, 0xE0], "an image"), ([0x50, 0x4B, 3, 4], "an archive")]
            as [([UInt8], String)]
        {
            let outcome = readOut(TestStream(head + (0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }))
            #expect(outcome.code == "media.notAudio" && outcome.message == "This is \(kind), not audio.")
        }
        #expect(readOut(TestStream([])).message == "The file is empty.")
        #expect(readOut(TestStream([])).code == "media.empty")
        #expect(readOut(TestStream([0xFF])).code != nil)
    }

    @Test("Random bytes are refused with a typed error")
    func randomBytesAreRefused() {
        var generator = Generator(state: 7)
        for size in [1, 2, 100, 4096, 70_000, 300_000] {
            for _ in 0..<4 {
                let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let outcome = readOut(TestStream(bytes))
                #expect(outcome.code == "media.notAudio" || outcome.code == "media.corrupt", "\(size) \(outcome)")
                #expect(outcome.frames == 0)
            }
        }
    }

    @Test(
        "A truncated file gives the frames that it has",
        arguments: [
            "cbr.mp3", "vbr.mp3", "bare.mp3", "a.aac", "a.m4a", "front.m4a", "alac.m4a", "a.flac", "s16.wav", "a.ogg",
            "a.opus",
            "a.aiff", "a.caf", "a.webm",
        ]
    )
    func aTruncatedFileGivesWhatItHas(_ name: String) throws {
        let file = try Library.make(recipe(name))
        let bytes = [UInt8](try Data(contentsOf: file))
        let whole = readOut(TestStream(bytes))
        #expect(whole.code == nil)
        var generator = Generator(state: 1)
        var cuts = [1, 2, 3, 4, 7, 8, 12, 20, 44, 100, 500, bytes.count - 1, bytes.count / 2, bytes.count * 9 / 10]
        cuts += (0..<6).map { _ in Int.random(in: 1..<bytes.count, using: &generator) }
        for cut in cuts {
            let outcome = readOut(TestStream(Array(bytes.prefix(cut))))
            #expect(outcome.frames <= whole.frames, "\(cut)")
            let hasStatedLength = !["bare.mp3", "a.aac", "a.ogg", "a.opus", "a.webm"].contains(name)
            if outcome.frames == 0 {
                #expect(outcome.code != nil, "\(cut)")
            } else if hasStatedLength && cut < bytes.count * 95 / 100 {
                #expect(outcome.code == "media.truncated", "\(cut) \(outcome)")
                #expect(outcome.message.contains("0:03.002"), "\(outcome.message)")
            }
            if cut == bytes.count / 2, !["a.m4a", "alac.m4a"].contains(name) {
                #expect(outcome.frames > whole.frames / 4, "\(outcome)")
            }
        }
    }

    @Test(
        "The error of a stream reaches the reader's caller",
        arguments: ["cbr.mp3", "a.aac", "a.flac", "a.ogg", "a.opus", "front.m4a", "s16.wav", "a.webm"]
    )
    func aFailingStreamPassesItsErrorOn(_ name: String) throws {
        let file = try Library.make(recipe(name))
        for part in [0, 10, 5000, 20_000] {
            let stream = try TestStream(file: file)
            stream.isSeekable = false
            stream.failOffset = Int64(part)
            let outcome = readOut(stream)
            #expect(outcome.code == "network.lost", "\(part) \(outcome)")
            #expect(outcome.message == "The connection was lost.")
        }
        let cancelled = try TestStream(file: file)
        cancelled.cancel()
        #expect(readOut(cancelled).code == "usage.cancelled")
    }

    @Test("Reading continues after a failure of the stream")
    func readingGoesOnAfterAFailure() throws {
        let stream = try TestStream(file: try Library.make(recipe("cbr.mp3")))
        let whole = try MediaReader.open(stream).readAll()
        stream.failOffset = 30_000
        let reader = try MediaReader.open(stream)
        let planes = Planes(count: 2, capacity: 4096)
        var all: [Float] = []
        #expect(throws: SyrinxError.self) {
            while case let count = try reader.read(into: planes.pointers, frameCount: 4096), count > 0 {
                all += planes.interleaved(count)
            }
        }
        #expect(reader.position == Int64(all.count / 2))
        #expect(all.count > whole.count / 3)
        stream.failOffset = .max
        try reader.seek(toFrame: reader.position)
        all += try reader.readAll()
        #expect(all == whole)
    }

    /// After a read that fails at any place in a packet, a seek lands on the exact sample; or the stream cannot go back, and says so.
    @Test(
        "A seek after a failed read lands on the exact sample",
        arguments: ["cbr.mp3", "vbr.mp3", "a.aac", "a.flac", "a.ogg", "a.opus", "front.m4a", "s16.wav"],
        [true, false]
    )
    func aSeekAfterAFailureIsToTheSample(_ name: String, canGoBack: Bool) throws {
        let file = try Library.make(recipe(name))
        let whole = try MediaReader.open(try TestStream(file: file)).readAll()
        let size = Int64(try Data(contentsOf: file).count)
        let planes = Planes(count: 2, capacity: 4096)
        for (number, offset) in stride(from: size / 3, to: size * 2 / 3, by: Int(size / 3) / 40).enumerated() {
            let stream = try TestStream(file: file)
            stream.isRemote = true
            let reader = try MediaReader.open(stream)
            stream.failOffset = offset
            _ = #expect(throws: SyrinxError.self) {
                while case let count = try reader.read(into: planes.pointers, frameCount: 4096), count > 0 {}
            }
            stream.failOffset = .max
            stream.isSeekable = canGoBack
            let frame = reader.position + Int64(number % 3 * 15_000)
            do throws(SyrinxError) {
                try reader.seek(toFrame: frame)
            } catch {
                #expect(error.code == .notSeekable && !canGoBack)
                continue
            }
            let count = try reader.read(into: planes.pointers, frameCount: 4096)
            let expected = whole[Int(2 * frame)...].prefix(2 * count)
            let isSame = zip(planes.interleaved(count), expected).allSatisfy { abs($0 - $1) < 0.002 }
            #expect(count > 0 && isSame, "\(offset), from \(reader.position) to \(frame)")
        }
    }

    /// Bytes that come once and are still held can be sought, also after a failure.
    @Test(
        "Held bytes are read again from their start",
        arguments: ["cbr.mp3", "vbr.mp3", "a.aac", "a.flac", "a.ogg", "a.opus", "front.m4a", "s16.wav"],
        [true, false]
    )
    func whatIsHeldIsReadAgainFromItsStart(_ name: String, fails: Bool) throws {
        let stream = try TestStream(file: try Library.make(recipe(name)))
        (stream.isSeekable, stream.isRemote, stream.holdsAll) = (false, true, true)
        let reader = try MediaReader.open(stream)
        let whole = try reader.readAll()
        let total = whole.count / 2
        for place in [total / 2, 7, total - 5, total * 4 / 5, 0, total, total / 3] {
            if fails {
                stream.failOffset = Int64(stream.bytes.count) * 9 / 10
                _ = try? reader.readAll()
                stream.failOffset = .max
            }
            try reader.seek(toFrame: Int64(place))
            #expect(reader.position == place)
            let part = try reader.readAll(limit: 2000)
            let isSame = zip(part, whole[(2 * place)...]).allSatisfy { abs($0 - $1) < 0.002 }
            #expect(isSame && part.count == 2 * min(2000, total - place), "at \(place)")
        }
        stream.holdsAll = false
        let error = #expect(throws: SyrinxError.self) { try reader.seek(toFrame: 0) }
        #expect(error?.code == .notSeekable)
    }

    @Test(
        "Damage in the middle of a file is skipped",
        arguments: ["cbr.mp3", "a.aac", "a.flac", "a.ogg", "a.opus", "front.m4a"]
    )
    func damageInTheMiddleIsPassedOver(_ name: String) throws {
        let file = try Library.make(recipe(name))
        let bytes = [UInt8](try Data(contentsOf: file))
        let whole = readOut(TestStream(bytes))
        var generator = Generator(state: 3)
        for _ in 0..<10 {
            var damaged = bytes
            let start = Int.random(in: bytes.count / 5..<bytes.count * 4 / 5, using: &generator)
            for index in start..<min(start + 1000, bytes.count) {
                damaged[index] = UInt8.random(in: 0...255, using: &generator)
            }
            let outcome = readOut(TestStream(damaged))
            // A damaged page of Ogg may take a good part with it.
            let least = name == "a.ogg" || name == "a.opus" ? whole.frames / 8 : whole.frames / 2
            #expect(outcome.frames > least, "\(name) \(start) \(outcome)")
            #expect(outcome.frames <= whole.frames + 4608, "\(name) \(start) \(outcome)")
        }
        var zeroed = bytes
        for index in bytes.count / 2..<min(bytes.count / 2 + 4096, bytes.count) { zeroed[index] = 0 }
        let outcome = readOut(TestStream(zeroed))
        #expect(outcome.frames > whole.frames / 2, "\(outcome)")
    }

    @Test("Headers that misstate sizes do no harm")
    func headersThatLieDoNoHarm() throws {
        let bytes = [UInt8](try Data(contentsOf: try Library.make(recipe("tagged.mp3"))))
        let plain = readOut(TestStream(bytes)).frames
        var longer = bytes
        longer[6] = 0x7F
        #expect(readOut(TestStream(longer)).frames == plain)
        var shorter = bytes
        shorter[9] = 3
        shorter[8] = 0
        #expect(readOut(TestStream(shorter)).frames == plain)
        // Two tags, and rubbish behind the music.
        let tag: [UInt8] = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 20)
        #expect(readOut(TestStream(tag + bytes)).frames >= plain)
        #expect(readOut(TestStream(bytes + Array("APETAGEX rubbish".utf8) + [1, 2, 3])).frames == plain)
        let rubbish = [UInt8](repeating: 0x55, count: 700)
        let bare = [UInt8](try Data(contentsOf: try Library.make(recipe("bare.mp3"))))
        #expect(readOut(TestStream(rubbish + bare)).frames == readOut(TestStream(bare)).frames)
        // A WAV file of unknown length, as a pipe writes it.
        let file = try Library.make(recipe("s16.wav"))
        var endless = [UInt8](try Data(contentsOf: file))
        for index in 4..<8 { endless[index] = 0xFF }
        let data = try #require(endless.firstRange(of: Array("data".utf8)))
        for index in data.upperBound..<data.upperBound + 4 { endless[index] = 0xFF }
        #expect(readOut(TestStream(endless)) == Outcome(frames: Recipe.sourceFrames, code: nil, message: ""))
        for index in data.upperBound..<data.upperBound + 4 { endless[index] = 0 }
        #expect(readOut(TestStream(endless)).code != "media.truncated")
    }

    @Test("A truncated file is an error where the length is stated")
    func aCutIsNoEndForWhoCounts() throws {
        let stream = try TestStream(file: Library.make(recipe("a.aac")))
        (stream.isSeekable, stream.hidesLength, stream.failOffset) = (false, true, Int64(stream.bytes.count / 2))
        let counted = Result { () throws(SyrinxError) in try MediaReader.countFrames(of: stream) }
        #expect(throws: SyrinxError.self) { try counted.get() }
    }

    /// If the length is not known and the connection is cut after the last byte, the container shows that all bytes have come:
    /// it is an end like any other.
    @Test(
        "A cut behind the last frame is the end",
        arguments: ["cbr.mp3", "vbr.mp3", "a.flac", "a.ogg", "a.opus", "front.m4a", "s16.wav"]
    )
    func aCutBehindAllOfItIsAnEnd(_ name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: try Library.make(recipe(name))))
        func cut(at offset: Int) -> Outcome {
            let stream = TestStream(bytes)
            stream.isSeekable = false
            stream.isRemote = true
            stream.hidesLength = true
            stream.failOffset = Int64(offset)
            return readOut(stream)
        }
        let whole = readOut(TestStream(bytes))
        #expect(whole.code == nil && cut(at: bytes.count) == whole)
        let half = cut(at: bytes.count / 2)
        #expect(half.code == "network.lost", "\(half)")
        // A page of Opus has a second.
        #expect(half.frames > whole.frames / 4 && half.frames < whole.frames * 2 / 3, "\(half)")
        // Of MP3 the last frames may be padding, and what states their number is often wrong by one.
        if !name.hasSuffix("mp3") { #expect(cut(at: bytes.count - 1).code == "network.lost") }
    }

    @Test(
        "Files with changed bytes never hang the reader",
        arguments: ["cbr.mp3", "vbr.mp3", "a.flac", "a.ogg", "front.m4a", "s16.wav"]
    )
    func bytesChangedAnywhereNeverHang(_ name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: try Library.make(recipe(name))))
        var generator = Generator(state: 11)
        for _ in 0..<15 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...30, using: &generator) {
                let isHeader = Bool.random(using: &generator)
                changed[Int.random(in: 0..<(isHeader ? 600 : bytes.count), using: &generator)] = .random(
                    in: 0...255,
                    using: &generator
                )
            }
            // A rate or a layout may have changed; but not more than the data can hold.
            #expect(readOut(TestStream(changed)).frames < 20_000_000)
        }
    }

    @Test(
        "After a seek to bytes that have not arrived, one to a place shortly behind them succeeds",
        arguments: ["front.m4a", "s16.wav", "a.aiff", "a.caf"]
    )
    func aSeekPassesOverMissingBytes(_ name: String) throws {
        let file = try Library.make(recipe(name))
        let stream = try TestStream(file: file)
        stream.isRemote = true
        let middle = Int64(stream.bytes.count / 2)
        stream.missing = middle..<middle + 4000
        let reader = try MediaReader.open(stream)
        let total = try #require(reader.info.frameCount)
        func frame(atByte byte: Int64) -> Int64 { total * byte / Int64(stream.bytes.count) }
        for _ in 0..<2 {
            let error = #expect(throws: SyrinxError.self) { try reader.seek(toFrame: frame(atByte: middle + 2000)) }
            #expect(error?.code == .interrupted)
        }
        // Nearer than what libavformat reads through.
        let target = frame(atByte: middle + 9000)
        try reader.seek(toFrame: target)
        #expect(reader.position == target)
        let whole = try MediaReader.open(TestStream(file: file))
        try whole.seek(toFrame: target)
        #expect(try reader.readAll(limit: 1000) == whole.readAll(limit: 1000))
    }
}
