import Testing

@testable import SyrinxMediaCodec

/// The sizes of a header whose file is past what 32 bits hold, which no test writes.
@Suite struct GrowingHeaderTests {
    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
    }

    /// As libavformat writes it with room for the sizes of RF64: 2 channels of 32-bit float.
    private var wave: [UInt8] {
        text("RIFF") + zeros(4) + text("WAVE") + text("JUNK") + [28, 0, 0, 0] + zeros(28) + text("fmt ") + [
            16, 0, 0, 0,
        ]
            + zeros(16) + text("fact") + [4, 0, 0, 0] + zeros(4) + text("data") + zeros(4)
    }

    @Test("Up to 4 GiB a WAV file is a RIFF file, beyond it an RF64 file")
    func aLongWaveBecomesRF64() throws {
        var header = try #require(GrowingHeader(wave, .wave, bytesPerFrame: 8))
        let count = wave.count
        header.state(sampleBytes: 8_000)
        #expect(header.bytes[..<4].elementsEqual(text("RIFF")))
        #expect(number(header.bytes[4..<8]) == Int64(count) - 8 + 8_000)
        #expect(number(header.bytes[(count - 4)...]) == 8_000)
        #expect(number(header.bytes[(count - 12)..<(count - 8)]) == 1_000)
        let last = (1 << 32) - 1 - Int64(count) + 8
        header.state(sampleBytes: last / 8 * 8)
        #expect(header.bytes[..<4].elementsEqual(text("RIFF")))
        header.state(sampleBytes: 5 << 30)
        #expect(header.bytes[..<4].elementsEqual(text("RF64")))
        #expect(header.bytes[12..<16].elementsEqual(text("ds64")))
        #expect(number(header.bytes[4..<8]) == 0xFFFF_FFFF)
        #expect(number(header.bytes[20..<28]) == Int64(count) - 8 + 5 << 30)
        #expect(number(header.bytes[28..<36]) == 5 << 30)
        #expect(number(header.bytes[36..<44]) == (5 << 30) / 8)
        #expect(number(header.bytes[(count - 4)...]) == 0xFFFF_FFFF)
        #expect(header.bytes.count == count)
    }

    @Test("A header of another kind, of compressed sound, or with something behind it, is left as it is")
    func othersAreLeftAlone() {
        #expect(GrowingHeader(wave, nil, bytesPerFrame: 8) == nil)
        #expect(GrowingHeader(wave, .wave, bytesPerFrame: 0) == nil)
        #expect(GrowingHeader(wave + [0], .wave, bytesPerFrame: 8) == nil)
        for length in 0..<wave.count {
            #expect(GrowingHeader(Array(wave[..<length]), .wave, bytesPerFrame: 8) == nil)
            #expect(GrowingHeader(Array(wave[..<length]), .aiff, bytesPerFrame: 8) == nil)
            #expect(GrowingHeader(Array(wave[..<length]), .caf, bytesPerFrame: 8) == nil)
        }
        let caf = text("caff") + [0, 1, 0, 0] + text("desc") + [UInt8](repeating: 0xFF, count: 8) + zeros(40)
        #expect(GrowingHeader(caf, .caf, bytesPerFrame: 8) == nil)
    }
}
