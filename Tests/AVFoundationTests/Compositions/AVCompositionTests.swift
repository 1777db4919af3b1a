import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// A composition is the sound of its parts, sample for sample.
@Suite struct AVCompositionTests {
    private let files: AssetFiles
    private let noise = whiteNoise(frameCount: 60_000, seed: 1)
    private let other = whiteNoise(frameCount: 60_000, seed: 2)
    private let noiseAsset: AVURLAsset
    private let otherAsset: AVURLAsset

    init() throws {
        files = try AssetFiles()
        noiseAsset = AVURLAsset(url: try files.wav("noise.wav", [noise]))
        otherAsset = AVURLAsset(url: try files.wav("other.wav", [other]))
    }

    private func track(_ composition: AVMutableComposition) throws -> AVMutableCompositionTrack {
        try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: kCMPersistentTrackID_Invalid))
    }

    private func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

    @Test("Inserted segments follow each other")
    func partsFollowEachOther() async throws {
        let composition = AVMutableComposition()
        let track = try track(composition)
        let (one, two) = (try #require(noiseAsset.tracks.first), try #require(otherAsset.tracks.first))
        try track.insertTimeRange(.frames(10_000, count: 5_000), of: one, at: .zero)
        try track.insertTimeRange(.frames(20_000, count: 7_001), of: two, at: .invalid)
        // In the middle of the first part.
        try track.insertTimeRange(.frames(0, count: 999), of: two, at: .frames(2_500))
        let expected =
            noise[10_000..<12_500] + other[0..<999] + noise[12_500..<15_000] + other[20_000..<27_001]
        #expect(composition.duration == .frames(Int64(expected.count)))
        #expect(try await composition.load(.duration) == composition.duration)
        #expect(try readSound(of: composition) == [Array(expected)])
        let segments = track.segments.compactMap { $0 as? AVCompositionTrackSegment }
        #expect(segments.map(\.sourceURL) == [noiseAsset.url, otherAsset.url, noiseAsset.url, otherAsset.url])
        #expect(segments[2].timeMapping.source == .frames(12_500, count: 2_500))
        #expect(segments[2].timeMapping.target == .frames(3_499, count: 2_500))
        #expect(track.samplePresentationTime(forTrackTime: .frames(3_500)) == .frames(12_501))
        #expect(track.naturalTimeScale == 44_100)
    }

    @Test("Inserting after the end leaves silence before the segment")
    func aPartBehindTheEndLeavesSilence() throws {
        let composition = AVMutableComposition()
        try composition.insertTimeRange(.frames(0, count: 1_000), of: noiseAsset, at: .zero)
        try composition.insertTimeRange(.frames(0, count: 1_000), of: otherAsset, at: .frames(5_000))
        #expect(composition.tracks.count == 1)
        #expect(try readSound(of: composition) == [Array(noise[..<1_000]) + silence(4_000) + Array(other[..<1_000])])
        let segments = try #require(composition.tracks.first).segments
        #expect(segments.map(\.isEmpty) == [false, true, false])
    }

    @Test("Removing a range moves the following segments back")
    func rangesAreRemovedAndMovedBack() throws {
        let composition = AVMutableComposition()
        try composition.insertTimeRange(.frames(0, count: 30_000), of: noiseAsset, at: .zero)
        composition.removeTimeRange(.frames(10_000, count: 5_000))
        #expect(composition.duration == .frames(25_000))
        composition.insertEmptyTimeRange(.frames(2_000, count: 3_000))
        // Behind the end it does nothing.
        composition.insertEmptyTimeRange(.frames(90_000, count: 3_000))
        let kept = Array(noise[..<10_000] + noise[15_000..<30_000])
        #expect(try readSound(of: composition) == [Array(kept[..<2_000]) + silence(3_000) + Array(kept[2_000...])])
        // Up to the end and beyond.
        composition.removeTimeRange(.frames(5_000, count: 900_000))
        #expect(try readSound(of: composition) == [Array(kept[..<2_000]) + silence(3_000)])
    }

    @Test("Reading a range of a composition gives exactly that part")
    func aRangeOfACompositionIsAPartOfIt() throws {
        let composition = AVMutableComposition()
        for index in 0..<6 {
            let source = index % 2 == 0 ? noiseAsset : otherAsset
            try composition.insertTimeRange(
                .frames(Int64(index) * 5_000, count: 4_321),
                of: source,
                at: .frames(Int64(index) * 4_321)
            )
        }
        let whole = try readSound(of: composition)[0]
        #expect(whole.count == 6 * 4_321)
        for (start, count) in [(0, 100), (4_300, 50), (4_321, 4_321), (8_000, 15_000), (25_900, 26)] {
            let part = try readSound(of: composition, range: .frames(Int64(start), count: Int64(count)))[0]
            #expect(part == Array(whole[start..<start + count]))
        }
    }

    @Test("A scaled segment changes its pitch")
    func aStretchedPartChangesItsPitch() throws {
        let sine = sineWave(frequency: 441, sampleRate: 44_100, frameCount: 44_100)
        let asset = AVURLAsset(url: try files.wav("sine.wav", [sine]))
        let composition = AVMutableComposition()
        try composition.insertTimeRange(.frames(0, count: 44_100), of: asset, at: .zero)
        composition.scaleTimeRange(.frames(0, count: 44_100), toDuration: .frames(88_200))
        let sound = try readSound(of: composition)[0]
        #expect(sound.count == 88_200)
        #expect(abs(cents(from: 220.5, to: toneFrequency(Array(sound[4_000..<84_000]), sampleRate: 44_100))) < 0.5)
        #expect(abs(levelDecibels(Array(sound[4_000..<84_000])) - levelDecibels(sine)) < 0.05)
    }

    @Test("A segment with another sample rate is converted")
    func aPartOfAnotherRateIsConverted() throws {
        let sine = sineWave(frequency: 441, sampleRate: 48_000, frameCount: 48_000)
        let asset = AVURLAsset(url: try files.wav("sine.wav", [sine], sampleRate: 48_000))
        let composition = AVMutableComposition()
        try composition.insertTimeRange(.frames(0, count: 1_000), of: noiseAsset, at: .zero)
        try composition.insertTimeRange(.frames(0, count: 48_000, 48_000), of: asset, at: .frames(1_000))
        let sound = try readSound(of: composition)[0]
        #expect(sound.count == 45_100)
        #expect(Array(sound[..<1_000]) == Array(noise[..<1_000]))
        let expected = sineWave(frequency: 441, sampleRate: 44_100, frameCount: 44_100)
        #expect(residualDecibels(expected[2_000..<42_000], sound[3_000..<43_000]) < -80)
    }

    @Test("Each track has a unique ID")
    func tracksHaveNumbersOfTheirOwn() throws {
        let composition = AVMutableComposition()
        let one = composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 7)
        let two = composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 7)
        #expect(one?.trackID == 7 && two?.trackID != 7)
        #expect(composition.track(withTrackID: 7) === one)
        #expect(composition.tracks(withMediaType: .audio).count == 2)
        composition.removeTrack(try #require(one))
        #expect(composition.tracks.count == 1)
    }

    @Test("Inserting an invalid range throws")
    func whatCannotBeInsertedThrows() throws {
        let composition = AVMutableComposition()
        let video = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 1))
        let source = try #require(noiseAsset.tracks.first)
        #expect(throws: AVError.self) { try video.insertTimeRange(.frames(0, count: 10), of: source, at: .zero) }
        let track = try track(composition)
        #expect(throws: AVError.self) {
            try track.insertTimeRange(.frames(70_000, count: 10), of: source, at: .zero)
        }
        #expect(throws: AVError.self) {
            try track.insertTimeRange(CMTimeRange(start: .zero, duration: .zero), of: source, at: .zero)
        }
        let missing = AVURLAsset(url: files.url("none.wav"))
        #expect(throws: AVError.self) { try composition.insertTimeRange(.frames(0, count: 10), of: missing, at: .zero) }
        #expect(composition.duration == .zero)
    }

    @Test("An inserted range ends at the end of its track")
    func aRangeEndsWithItsTrack() throws {
        let composition = AVMutableComposition()
        try composition.insertTimeRange(
            CMTimeRange(start: .frames(59_000), duration: .positiveInfinity),
            of: noiseAsset,
            at: .zero
        )
        #expect(try readSound(of: composition) == [Array(noise[59_000...])])
    }
}
