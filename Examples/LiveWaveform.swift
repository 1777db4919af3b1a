import SyrinxAnalysis

// snippet: waveform
/// Draws the waveform of a recording while it arrives, and returns the last picture as SVG.
func drawWaveform(of stream: any ByteStream, width: Int, show: (String) -> Void) async throws -> String {
    let analyzer = RecordingAnalyzer()
    var pyramid: WaveformPyramid?
    var picture = ""
    for try await update in analyzer.waveform(of: stream, samplesPerPixel: 512) {
        switch update {
        case .opened(let info):
            pyramid = WaveformPyramid(sampleRate: Int(info.sampleRate), samplesPerPixel: 512, channelCount: 1)
        case .blocks(let blocks, let index, let lastFrameCount):
            pyramid?.insert(blocks, at: index, lastFrameCount: lastFrameCount)
            guard let waveform = pyramid?.finest else { continue }
            picture = WaveformDrawing(waveform, width: min(waveform.count, width), height: 200).svg
            show(picture)
        case .ended(let outcome):
            if let failure = outcome.failure { throw failure }
        }
    }
    return picture
}
// end
