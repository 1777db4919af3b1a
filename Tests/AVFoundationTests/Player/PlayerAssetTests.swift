import Foundation
import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// Players of assets that are no plain URL.
@Suite struct PlayerAssetTests {
    private let files: PlayerFiles

    init() throws { files = try PlayerFiles() }

    @Test("A composition plays with exact samples")
    func aCompositionIsHeardSampleForSample() async throws {
        let noise = whiteNoise(frameCount: 44_100)
        let asset = AVURLAsset(url: try files.write("noise.wav", noise))
        let composition = AVMutableComposition()
        func range(_ start: Int64, _ count: Int64) -> CMTimeRange {
            CMTimeRange(
                start: CMTime(value: start, timescale: 44_100),
                duration: CMTime(value: count, timescale: 44_100)
            )
        }
        try composition.insertTimeRange(range(20_000, 10_000), of: asset, at: .zero)
        try composition.insertTimeRange(range(0, 8_000), of: asset, at: CMTime(value: 10_000, timescale: 44_100))
        let rig = PlayerRig([AVPlayerItem(asset: composition)])
        rig.player.play()
        #expect(rig.crank { rig.player.rate == 0 })
        let expected = Array(noise[20_000..<30_000] + noise[0..<8_000])
        #expect(rig.sound.count == expected.count)
        #expect(residualDecibels(expected, rig.sound) < -80)
        #expect(rig.player.currentItem?.duration.seconds == 18_000 / 44_100.0)

        let before = rig.output.count
        #expect(await rig.player.seek(to: CMTime(value: 15_000, timescale: 44_100)))
        rig.player.play()
        #expect(rig.crank { rig.player.rate == 0 })
        // After a fade of 5 ms.
        let tail = Array(rig.output[before...].reversed().drop { $0 == 0 }.reversed())
        #expect(tail.count { $0 != 0 } <= 3_000)
        #expect(residualDecibels(Array(expected.suffix(2_700)), Array(tail.suffix(2_700))) < -80)
    }

    @Test("The volumes of a composition are exact")
    func theVolumesOfACompositionAreExact() async throws {
        let noise = whiteNoise(frameCount: 22_050)
        let asset = AVURLAsset(url: try files.write("noise.wav", noise))
        let composition = AVMutableComposition()
        try composition.insertTimeRange(CMTimeRange(start: .zero, duration: asset.duration), of: asset, at: .zero)
        let parameters = AVMutableAudioMixInputParameters(track: composition.tracks.first)
        parameters.setVolumeRamp(
            fromStartVolume: 1,
            toEndVolume: 0.1,
            timeRange: CMTimeRange(start: .zero, duration: asset.duration)
        )
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        let item = AVPlayerItem(asset: composition)
        item.audioMix = mix
        let rig = PlayerRig([item])
        rig.player.play()
        #expect(rig.crank { rig.player.rate == 0 })
        let expected = noise.enumerated().map { $1 * (1 - 0.9 * Float($0) / 22_050) }
        #expect(residualDecibels(expected, rig.sound) < -80)
    }

    @Test("A resource loader supplies the bytes")
    func aResourceLoaderSuppliesTheBytes() async throws {
        let data = try Data(contentsOf: files.sine(seconds: 0.5))
        let asset = AVURLAsset(url: try #require(URL(string: "vault://a/sine.wav")))
        let loader = VaultLoader(data)
        asset.resourceLoader.setDelegate(loader, queue: DispatchQueue(label: "vault"))
        let rig = PlayerRig([AVPlayerItem(asset: asset)])
        rig.player.play()
        #expect(rig.crank { rig.player.rate == 0 })
        #expect(rig.player.currentItem?.status == .readyToPlay)
        #expect(abs(rig.sound.count - 22_050) < 256)
        #expect(abs(cents(from: 441, to: toneFrequency(rig.sound, sampleRate: 44_100))) < 1)
    }

    @Test("An empty composition fails")
    func anEmptyCompositionFails() async throws {
        let item = AVPlayerItem(asset: AVMutableComposition())
        let rig = PlayerRig([item])
        #expect(rig.crank { item.status == .failed })
        #expect((item.error as? AVError)?.reason == .noTrack)
    }
}

private final class VaultLoader: NSObject, AVAssetResourceLoaderDelegate {
    private let data: Data

    init(_ data: Data) { self.data = data }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool {
        if let information = loadingRequest.contentInformationRequest {
            information.contentType = "com.microsoft.waveform-audio"
            information.contentLength = Int64(data.count)
            information.isByteRangeAccessSupported = true
        }
        if let request = loadingRequest.dataRequest {
            let start = Int(request.requestedOffset)
            let end =
                request.requestsAllDataToEndOfResource ? data.count : min(data.count, start + request.requestedLength)
            request.respond(with: data[start..<end])
        }
        loadingRequest.finishLoading()
        return true
    }
}
