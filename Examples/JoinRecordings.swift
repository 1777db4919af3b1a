import AVFoundation

// snippet: join
/// Joins two recordings, the end of one faded into the start of the other, and writes AAC.
func join(_ first: URL, _ second: URL, fadeDuration: CMTime, to output: URL) async throws {
    let composition = AVMutableComposition()
    let mix = AVMutableAudioMix()
    var start = CMTime.zero
    for (index, url) in [first, second].enumerated() {
        let asset = AVURLAsset(url: url)
        let duration = try await asset.load(.duration)
        guard let source = try await asset.loadTracks(withMediaType: .audio).first,
            let track = composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0)
        else { continue }
        try track.insertTimeRange(CMTimeRange(start: .zero, duration: duration), of: source, at: start)
        let isFirst = index == 0
        if isFirst { start = duration - fadeDuration }
        let parameters = AVMutableAudioMixInputParameters(track: track)
        parameters.setVolumeRamp(
            fromStartVolume: isFirst ? 1 : 0,
            toEndVolume: isFirst ? 0 : 1,
            timeRange: CMTimeRange(start: start, duration: fadeDuration)
        )
        mix.inputParameters.append(parameters)
    }
    guard let export = AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetAppleM4A) else { return }
    export.audioMix = mix
    try await export.export(to: output, as: .m4a)
}
// end
