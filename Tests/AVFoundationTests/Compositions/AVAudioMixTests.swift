import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// Volumes of tracks over time, and the sum of tracks.
@Suite struct AVAudioMixTests {
    private let files: AssetFiles

    init() throws { files = try AssetFiles() }

    /// Two tracks of noise, the second of which begins later.
    private func composition(_ one: [Float], _ two: [Float], offset: Int64) throws -> AVMutableComposition {
        let composition = AVMutableComposition()
        for (index, samples) in [one, two].enumerated() {
            let asset = AVURLAsset(url: try files.wav("\(index).wav", [samples]))
            let track = try #require(
                composition.addMutableTrack(withMediaType: .audio, preferredTrackID: kCMPersistentTrackID_Invalid)
            )
            try track.insertTimeRange(
                .frames(0, count: Int64(samples.count)),
                of: try #require(asset.tracks.first),
                at: index == 0 ? .zero : .frames(offset)
            )
        }
        return composition
    }

    private func mixed(
        _ asset: AVAsset,
        _ parameters: [AVAudioMixInputParameters],
        range: CMTimeRange? = nil
    ) throws -> [Float] {
        let reader = try AVAssetReader(asset: asset)
        if let range { reader.timeRange = range }
        let output = AVAssetReaderAudioMixOutput(
            audioTracks: asset.tracks(withMediaType: .audio),
            audioSettings: floatSettings
        )
        let mix = AVMutableAudioMix()
        mix.inputParameters = parameters
        output.audioMix = mix
        return try readSound(reader, output)[0]
    }

    @Test("The tracks of a mix are added")
    func tracksAreAddedUp() throws {
        let (one, two) = (whiteNoise(frameCount: 30_000, seed: 1), whiteNoise(frameCount: 20_000, seed: 2))
        let composition = try composition(one, two, offset: 15_000)
        let sum = try mixed(composition, [])
        let expected = (0..<35_000).map { (index: Int) -> Float in
            (index < 30_000 ? one[index] : 0) + (index >= 15_000 ? two[index - 15_000] : 0)
        }
        #expect(sum.count == 35_000)
        #expect(residualDecibels(expected, sum) < -140)
        let part = try mixed(composition, [], range: .frames(14_000, count: 10_000))
        #expect(part.count == 10_000)
        #expect(residualDecibels(expected[14_000..<24_000], part[...]) < -140)
    }

    @Test("A volume ramp is linear")
    func aRampIsALineOfVolume() throws {
        let (one, two) = (whiteNoise(frameCount: 30_000, seed: 1), [Float](repeating: 0, count: 30_000))
        let composition = try composition(one, two, offset: 0)
        let parameters = AVMutableAudioMixInputParameters(track: composition.tracks[0])
        parameters.setVolumeRamp(
            fromStartVolume: 0.8,
            toEndVolume: 0.2,
            timeRange: .frames(10_000, count: 10_000)
        )
        let sound = try mixed(composition, [parameters])
        // 1 before the first volume that is set, and the last volume after it.
        func volume(_ frame: Int) -> Float {
            guard frame >= 10_000 else { return 1 }
            return frame < 20_000 ? 0.8 - 0.6 * Float(frame - 10_000) / 10_000 : 0.2
        }
        let expected = one.enumerated().map { $1 * volume($0) }
        #expect(residualDecibels(expected, sound) < -120)
        let change = levelDecibels(Array(sound[20_000...])) - levelDecibels(Array(one[20_000...]))
        #expect(abs(change - 20 * log10(0.2)) < 0.001)
        // The same in the middle of the ramp.
        let part = try mixed(composition, [parameters], range: .frames(14_321, count: 3_000))
        #expect(residualDecibels(expected[14_321..<17_321], part[...]) < -120)
    }

    @Test("A volume step starts on its exact frame")
    func stepsBeginOnTheirFrame() throws {
        let ones = [Float](repeating: 0.5, count: 10_000)
        let composition = try composition(ones, [Float](repeating: 0.25, count: 10_000), offset: 0)
        let parameters = AVMutableAudioMixInputParameters(track: composition.tracks[0])
        parameters.setVolume(0, at: .frames(3_000))
        parameters.setVolume(0.5, at: .frames(7_000))
        let sound = try mixed(composition, [parameters])
        #expect(sound.firstIndex { $0 < 0.7 } == 3_000)
        #expect(sound[5_000] == 0.25)
        #expect(sound[3_000...].firstIndex { $0 > 0.4 } == 7_000)
        #expect(sound[9_999] == 0.5)
    }

    @Test("The volume ramp at a time is found")
    func theRampOfATimeIsFound() {
        let parameters = AVMutableAudioMixInputParameters()
        #expect(!parameters.getVolumeRamp(for: .zero, startVolume: nil, endVolume: nil, timeRange: nil))
        let range = CMTimeRange.frames(1_000, count: 500)
        parameters.setVolumeRamp(fromStartVolume: 1, toEndVolume: 0.25, timeRange: range)
        var (start, end, found): (Float, Float, CMTimeRange) = (0, 0, .invalid)
        let isThere = parameters.getVolumeRamp(
            for: .frames(1_200),
            startVolume: &start,
            endVolume: &end,
            timeRange: &found
        )
        #expect(isThere && start == 1 && end == 0.25 && found == range)
        // Before it, the next one.
        let isNext = parameters.getVolumeRamp(for: .zero, startVolume: &start, endVolume: &end, timeRange: &found)
        #expect(isNext && start == 1 && end == 0.25 && found == range)
    }

    @Test("A mix must belong to the tracks of the reader")
    func aMixIsOfTheReadersTracks() throws {
        let asset = AVURLAsset(url: try files.wav("a.wav", [whiteNoise(frameCount: 100)]))
        let reader = try AVAssetReader(asset: asset)
        #expect(!reader.canAdd(AVAssetReaderAudioMixOutput(audioTracks: [], audioSettings: nil)))
        let foreign = AVMutableComposition().addMutableTrack(withMediaType: .audio, preferredTrackID: 99)
        #expect(!reader.canAdd(AVAssetReaderAudioMixOutput(audioTracks: [try #require(foreign)], audioSettings: nil)))
    }
}
