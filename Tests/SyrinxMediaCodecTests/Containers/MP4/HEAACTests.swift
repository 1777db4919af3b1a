import CoreAudioTypes
import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Bits, the highest of each number first.
private struct Bits {
    private(set) var all: [Bool] = []

    init() {}

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { put(Int(byte), 8) }
    }

    mutating func put(_ value: Int, _ width: Int) {
        for bit in (0..<width).reversed() { all.append(value >> bit & 1 == 1) }
    }

    mutating func put(_ other: Bits) { all += other.all }

    mutating func fillByte() {
        while all.count % 8 != 0 { all.append(false) }
    }

    /// Without the end of an AAC frame: three ones, and zeros up to the next byte.
    mutating func dropEnd() {
        while all.last == false { all.removeLast() }
        all.removeLast(3)
    }

    var bytes: [UInt8] {
        stride(from: 0, to: all.count, by: 8).map { start in
            all[start..<min(start + 8, all.count)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }
}

/// HE-AAC made of AAC of low complexity, which no encoder here makes: to each frame an element is added that says what lies
/// above half of the frequencies (ISO/IEC 14496-3, 4.4.2.8), and for its second version how stereo is made of mono.
private enum HEAAC {
    /// One envelope of one band between 14 and 16 kHz, without noise.
    private static func replication(level: Int, isParametric: Bool) -> Bits {
        var bits = Bits()
        // An extension of this kind, with a header: its start and stop frequencies, and the first of further fields.
        bits.put(13, 4)
        bits.put(1, 1)
        for (value, width) in [(0, 1), (10, 4), (0, 4), (2, 3), (0, 2), (1, 1), (0, 1), (0, 2), (0, 1), (0, 2)] {
            bits.put(value, width)
        }
        // A grid of one envelope, low resolution, coded by frequency; then its level, and the least noise.
        for (value, width) in [(0, 1), (0, 2), (0, 2), (0, 1), (0, 1), (0, 1), (0, 2), (level, 7), (31, 5), (0, 1)] {
            bits.put(value, width)
        }
        bits.put(isParametric ? 1 : 0, 1)
        // Two bytes of parametric stereo, of which no parameter is set.
        if isParametric {
            for (value, width) in [(2, 4), (2, 2), (1, 1), (0, 13)] { bits.put(value, width) }
        }
        bits.fillByte()
        return bits
    }

    /// - Parameter adts: A mono stream of low complexity.
    static func stream(_ adts: [UInt8], isParametric: Bool) -> [UInt8] {
        var out: [UInt8] = []
        var place = 0
        var number = 0
        while place < adts.count {
            let size = Int(adts[place + 3] & 3) << 11 | Int(adts[place + 4]) << 3 | Int(adts[place + 5]) >> 5
            var bits = Bits(adts[place + 7..<place + size])
            bits.dropEnd()
            // The level goes up and down, so that each frame differs.
            let element = replication(level: 30 + number % 7 * 2, isParametric: isParametric)
            bits.put(6, 3)
            bits.put(element.all.count / 8, 4)
            bits.put(element)
            bits.put(7, 3)
            bits.fillByte()
            var header = Array(adts[place..<place + 7])
            let length = bits.bytes.count + 7
            header[3] = header[3] & 0xFC | UInt8(length >> 11)
            header[4] = UInt8(length >> 3 & 255)
            header[5] = header[5] & 31 | UInt8(length & 7) << 5
            out += header + bits.bytes
            place += size
            number += 1
        }
        return out
    }
}

@Suite struct HEAACTests {
    private func make(_ scratch: ScratchDirectory, isParametric: Bool) throws -> URL {
        let source = "aevalsrc=0.4*sin(2*PI*(300+200*t)*t)+0.1*(random(0)-0.5):s=22050:d=3"
        let plain = ["-ac", "1", "-c:a", "aac", "-aac_pns", "0", "-fflags", "+bitexact", "-flags:a", "+bitexact"]
        let low = try scratch.make(["-f", "lavfi", "-i", source] + plain + ["low.aac"])
        let url = scratch.url("high.aac")
        try Data(HEAAC.stream([UInt8](try Data(contentsOf: low)), isParametric: isParametric)).write(to: url)
        return url
    }

    private func check(_ file: URL, channels: Int) throws {
        let theirs = try FFmpeg.decode(file.path)
        let reader = try MediaReader.open(TestStream(file: file))
        #expect(reader.info.sampleRate == 44100)
        #expect(reader.info.channelCount == channels)
        #expect(reader.info.profile?.hasPrefix("HE-AAC") == true)
        let format = reader.info.streamDescription
        #expect([kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2].contains(format.mFormatID))
        #expect(format.mFramesPerPacket == 2048)
        let whole = try reader.readAll()
        #expect(whole.count == theirs.count)
        #expect(largestDifference(whole, theirs) == 0)
        #expect(reader.corruptPacketCount == 0)
        let total = whole.count / channels
        #expect(total > 3 * 44100)
        #expect(reader.info.frameCount == Int64(total))
        for place in [total / 2, 3, total - 100, total / 3, 0] {
            try reader.seek(toFrame: Int64(place))
            let part = try reader.readAll(limit: 3000)
            #expect(part.count == min(3000, total - place) * channels)
            #expect(largestDifference(part, whole[(place * channels)...]) <= 1, "at \(place)")
        }
    }

    /// Nothing but the frames themselves tells that they are of this kind: so web radios send it.
    @Test("HE-AAC without signalling decodes at the full rate", arguments: [false, true]) func withoutASign(
        _ isParametric: Bool
    ) throws {
        let scratch = try ScratchDirectory()
        let file = try make(scratch, isParametric: isParametric)
        try check(file, channels: 2)
    }

    @Test("HE-AAC in MP4 decodes to its length")
    func inAnMP4() throws {
        let scratch = try ScratchDirectory()
        let stream = try make(scratch, isParametric: false)
        let file = try scratch.make(["-i", stream.path, "-c:a", "copy", "high.m4a"])
        try check(file, channels: try MediaReader.open(TestStream(file: file)).info.channelCount)
    }

    /// In pieces of any size the same as at once.
    @Test("HE-AAC that arrives byte by byte decodes to its length")
    func dripping() throws {
        let scratch = try ScratchDirectory()
        let file = try make(scratch, isParametric: true)
        let whole = try MediaReader.open(TestStream(file: file)).readAll()
        let stream = try TestStream(file: file)
        stream.isSeekable = false
        stream.isRemote = true
        stream.portion = 7
        #expect(try MediaReader.open(stream).readAll() == whole)
    }
}
