import AVFoundation

// snippet: reader
/// Reads the sound of any file as 16-bit mono and returns its level in decibels, one value for each of `barCount` bars.
///
/// A bar is the mean of the decibels of its samples, none of them below `noiseFloor`.
func readBars(of asset: AVAsset, barCount: Int, noiseFloor: Double = -70) async throws -> [Double] {
    let tracks = try await asset.loadTracks(withMediaType: .audio)
    guard let track = tracks.first, barCount > 0 else { return [] }
    let reader = try AVAssetReader(asset: asset)
    let settings: [String: Any] = [
        AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 16,
        AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false, AVLinearPCMIsNonInterleaved: false,
    ]
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
    reader.add(output)
    reader.startReading()
    var levels: [Double] = []
    while let data = output.copyNextSampleBuffer()?.dataBuffer {
        var samples = [Int16](repeating: 0, count: data.dataLength / 2)
        try samples.withUnsafeMutableBytes { try data.copyDataBytes(to: $0) }
        levels += samples.map { max(noiseFloor, 20 * log10(abs(Double($0)) / Double(Int16.max))) }
    }
    if let error = reader.error { throw error }
    let perBar = max(1, levels.count / barCount)
    return stride(from: 0, to: levels.count - levels.count % perBar, by: perBar).map { start in
        levels[start..<(start + perBar)].reduce(0, +) / Double(perBar)
    }
}
// end

// snippet: indicator
/// Moves an indicator with the sound of a player, and the sound with the indicator.
final class WaveformIndicator {
    private let player: AVPlayer
    private var observer: Any?
    private var rateBefore: Float = 0

    /// Reports the place that is heard, 0…1, fifty times a second of the item.
    init(_ player: AVPlayer, move: @escaping @Sendable (Double) -> Void) {
        self.player = player
        let interval = CMTime(value: 1, timescale: 50)
        observer = player.addPeriodicTimeObserver(forInterval: interval, queue: nil) { [weak player] time in
            guard let duration = player?.currentItem?.duration.seconds, duration > 0 else { return }
            move(time.seconds / duration)
        }
    }

    deinit { if let observer { player.removeTimeObserver(observer) } }

    /// Is silent while the indicator is dragged.
    func beginDragging() {
        rateBefore = player.rate
        player.pause()
    }

    /// Goes to a place, 0…1, each time that the indicator has been moved.
    func drag(to place: Double) {
        guard let duration = player.currentItem?.duration, duration.isNumeric else { return }
        let time = CMTimeMultiplyByFloat64(duration, multiplier: min(max(0, place), 1))
        player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
    }

    /// Plays on from where the indicator was let go.
    func endDragging() { player.rate = rateBefore }
}
// end

/// Plays a file to its end, with its waveform and the place that is heard on one line.
func scrub(_ url: URL) async throws {
    let item = AVPlayerItem(url: url)
    let steps = Array(" ▁▂▃▄▅▆▇█")
    let bars = try await readBars(of: item.asset, barCount: 60).map { steps[Int(($0 + 70) / 70 * 8)] }
    let player = AVPlayer(playerItem: item)
    let indicator = WaveformIndicator(player) { place in
        let index = min(Int(place * Double(bars.count)), bars.count - 1)
        print("\r" + String(bars[..<index]) + "│" + String(bars[index...].dropFirst()), terminator: "")
    }
    player.play()
    let center = NotificationCenter.default
    let names = [AVPlayerItem.didPlayToEndTimeNotification, AVPlayerItem.failedToPlayToEndTimeNotification]
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    let observers = names.map { name in
        center.addObserver(forName: name, object: item, queue: nil) { _ in continuation.finish() }
    }
    for await _ in ends {}
    for observer in observers { center.removeObserver(observer) }
    withExtendedLifetime(indicator) {}
    print()
    if let error = item.error { throw error }
}
