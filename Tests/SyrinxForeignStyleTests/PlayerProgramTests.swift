import AVFoundation
import SyrinxTestSupport
import Testing

/// Programs that observe a player, and that write what they record, as they are written for Apple's systems.
@Suite struct PlayerProgramTests {
    /// A view model that keeps what its observations say.
    private final class Model {
        let player = AVPlayer()
        private(set) var rates: [String] = []
        private var observation: NSKeyValueObservation?

        init() {
            observation = player.observe(\.rate, options: [.old, .new]) { [weak self] _, change in
                self?.rates.append("\(change.oldValue ?? -1) → \(change.newValue ?? -1)")
            }
        }
    }

    @Test("A view model sees play, pause and play as three changes, each with its values")
    @MainActor func observedRates() async {
        let model = Model()
        model.player.play()
        model.player.pause()
        model.player.play()
        while model.rates.count < 3 { await Task.yield() }
        #expect(model.rates == ["0.0 → 1.0", "1.0 → 0.0", "0.0 → 1.0"])
    }

    @Test("A recorder that ends its session before the last buffer writes a file of that length")
    func trimmedRecording() async throws {
        let scratch = try ScratchDirectory()
        let url = scratch.url("recording.caf")
        let writer = try AVAssetWriter(url: url, fileType: .caf)
        let input = AVAssetWriterInput(
            mediaType: .audio,
            outputSettings: [
                AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
            ]
        )
        writer.add(input)
        #expect(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        let source = scratch.url("source.wav")
        try FFmpeg.run(["-f", "lavfi", "-i", "sine=d=1:r=44100", source.path])
        let reader = try AVAssetReader(asset: AVURLAsset(url: source))
        let track = try #require(try await reader.asset.loadTracks(withMediaType: .audio).first)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
        reader.add(output)
        #expect(reader.startReading())
        while let buffer = output.copyNextSampleBuffer() { #expect(input.append(buffer)) }
        writer.endSession(atSourceTime: CMTime(value: 1, timescale: 4))
        input.markAsFinished()
        await writer.finishWriting()
        #expect(writer.status == .completed)
        #expect(try AVAudioFile(forReading: url).length == 11_025)
    }
}
