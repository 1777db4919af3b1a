import Foundation
import SyrinxAnalysis
import SyrinxTestSupport
import Testing

@Suite("Waveform cache")
struct CacheTests {
    private static let waveform = PeakWaveform(
        sampleRate: 44_100,
        samplesPerPixel: 256,
        channelCount: 2,
        values: [-1, 2, -3, 4, -32768, 32767, 0, 0]
    )

    @Test("A cached waveform is found by its own key alone")
    func keys() throws {
        let scratch = try ScratchDirectory()
        let cache = WaveformCache(directory: scratch.url("a/b"))
        let key = WaveformCache.Key(source: "https://x/y", validator: "\"tag\"", settings: "256")
        #expect(cache.waveform(for: key) == nil)
        try cache.keep(Self.waveform, for: key)
        #expect(cache.waveform(for: key) == Self.waveform)
        var other = key
        other.validator = "\"other\""
        #expect(cache.waveform(for: other) == nil)
        other = key
        other.settings = "512"
        #expect(cache.waveform(for: other) == nil)
    }

    @Test("Root mean squares and the length are kept, in pieces or as a whole")
    func pieces() throws {
        let scratch = try ScratchDirectory()
        let cache = WaveformCache(directory: scratch.url("c"))
        let key = WaveformCache.Key(source: "s", validator: "v", settings: "t")
        let rms = (0..<200_000).map { Float($0) / 200_000 }
        let values = (0..<400_000).map { Int16(truncatingIfNeeded: $0 &* 31) }
        let long = PeakWaveform(sampleRate: 8000, samplesPerPixel: 2, channelCount: 1, values: values, rms: rms)
        try cache.keep(long, frameCount: 399_999, for: key)
        #expect(cache.waveform(for: key) == long)
        #expect(cache.read(for: key) { _ throws(Never) in } == 399_999)
        struct Broken: Error {}
        #expect(throws: Broken.self) {
            try cache.keep(like: long, frameCount: 1, for: key) { write in
                try write(long.blocks(0..<10))
                throw Broken()
            }
        }
        // What could not be kept leaves what was kept before, and nothing beside it.
        #expect(cache.waveform(for: key) == long)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("c")).count == 1)
    }

    @Test("A file that changes has another key")
    func files() throws {
        let scratch = try ScratchDirectory()
        #expect(WaveformCache.Key(filePath: scratch.file("x"), settings: "") == nil)
        try Data([1, 2]).write(to: scratch.url("x"))
        let first = try #require(WaveformCache.Key(filePath: scratch.file("x"), settings: ""))
        #expect(WaveformCache.Key(filePath: scratch.file("./x"), settings: "") == first)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceReferenceDate: 1)],
            ofItemAtPath: scratch.file("x")
        )
        #expect(WaveformCache.Key(filePath: scratch.file("x"), settings: "") != first)
    }

    @Test("Damage at any byte is noticed")
    func damage() throws {
        let scratch = try ScratchDirectory()
        let cache = WaveformCache(directory: scratch.url("c"))
        let key = WaveformCache.Key(source: "s", validator: "v", settings: "t")
        try cache.keep(Self.waveform, for: key)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: scratch.file("c")).first)
        let file = scratch.url("c/\(name)")
        let whole = try Data(contentsOf: file)
        for place in whole.indices {
            var changed = whole
            changed[place] ^= 0x11
            try changed.write(to: file)
            #expect(cache.waveform(for: key) == nil, "byte \(place)")
        }
        try whole.prefix(whole.count - 1).write(to: file)
        #expect(cache.waveform(for: key) == nil)
        try whole.write(to: file)
        #expect(cache.waveform(for: key) == Self.waveform)
    }
}
