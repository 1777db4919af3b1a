import Foundation
import SyrinxAnalysis
import SyrinxDesktopModel
import SyrinxStreaming

/// Computes the waveform of the open recording from the parts that have arrived.
@MainActor
final class WaveformLoader {
    /// The waveform so far; `nil` before the recording has been opened.
    private(set) var levels: WaveformLevels?
    /// Frames per second of the recording.
    private(set) var sampleRate = 48_000.0
    /// The silences in the known part of the waveform.
    private(set) var silences = SilenceRanges(blockLength: 1)
    /// The duration of the recording in seconds; `nil` until the whole recording has been analyzed.
    var length: Double? { isComplete ? Double(frameCount) / sampleRate : nil }
    private var frameCount: Int64 = 0
    private var isComplete = false
    /// Called with newly analyzed frames, and their sample peak, 0…1.
    var onGrowth: ((Range<Int64>, Float) -> Void)?
    /// Called when the waveform is complete.
    var onCompletion: (() -> Void)?
    private let analyzer = RecordingAnalyzer()
    private var task: Task<Void, Never>?

    /// Starts the waveform of the open recording of a streamer.
    /// - Parameter duration: The duration in seconds, if it is known; long recordings have longer blocks.
    func load(_ streamer: Streamer, duration: Double?) {
        cancel()
        guard let stream = streamer.makeArrivedStream() else { return }
        // Ten hours take 14 MB at most.
        let samplesPerPixel = (duration ?? 0) > 3 * 3600 ? 512 : 256
        let updates = analyzer.waveform(arrivingIn: stream, samplesPerPixel: samplesPerPixel)
        task = Task { [weak self] in
            do {
                for try await update in updates {
                    guard !Task.isCancelled, let self else { return }
                    self.take(update, samplesPerPixel, duration)
                }
            } catch {
                // The player reports the error of the recording; an incomplete waveform is drawn as far as it is known.
            }
        }
    }

    /// Whether any of the waveform is known.
    private(set) var hasBegun = false

    /// Returns the part of the recording that frames take up, in seconds.
    func seconds(of frames: Range<Int64>) -> ClosedRange<Double> {
        Double(frames.lowerBound) / sampleRate...Double(frames.upperBound) / sampleRate
    }

    /// Analyzes the recording from a position first.
    /// - Parameter time: The position, in seconds.
    func prefer(_ time: Double) { analyzer.prefer(time: time) }

    /// Cancels the analysis, and discards the waveform.
    func cancel() {
        task?.cancel()
        task = nil
        analyzer.cancel()
        levels = nil
        hasBegun = false
        silences = SilenceRanges(blockLength: 1)
        (frameCount, isComplete) = (0, false)
    }

    private func take(_ update: WaveformUpdate, _ samplesPerPixel: Int, _ duration: Double?) {
        switch update {
        case .opened(let info):
            sampleRate = info.sampleRate.isFinite ? min(max(info.sampleRate, 1), 1e7) : 48_000
            let blocks = (duration ?? 0) * sampleRate / Double(samplesPerPixel)
            levels = WaveformLevels(
                samplesPerBlock: samplesPerPixel,
                // Bounded: the least of both.
                expectedBlockCount: blocks.isFinite ? Int(min(max(blocks, 0), 1e9)) : 0
            )
            silences = SilenceRanges(blockLength: Double(samplesPerPixel) / max(1, info.sampleRate))
        case .blocks(let blocks, let index, let lastFrameCount):
            let bins = (0..<blocks.count).map { block in
                let (low, high) = (blocks.minimum(block), blocks.maximum(block))
                return WaveformBin(
                    minimum: low,
                    maximum: high,
                    rms: blocks.rms.isEmpty ? 0 : blocks.rms[block],
                    isKnown: low <= high
                )
            }
            levels?.insert(bins, at: index)
            hasBegun = true
            let peaks = (0..<blocks.count).map { max(Int(blocks.maximum($0)), -Int(blocks.minimum($0))) }
            let peak = peaks.max() ?? 0
            silences.insert(peaks.map { Float($0) / 32_768 }, at: index)
            let start = Int64(index) * Int64(samplesPerPixel)
            // Bounded: blocks are of frames that have been decoded.
            let whole = start + Int64(max(blocks.count - 1, 0)) * Int64(samplesPerPixel)
            frameCount = max(frameCount, whole + Int64(lastFrameCount ?? samplesPerPixel))
            onGrowth?(start..<start + Int64(blocks.count) * Int64(samplesPerPixel), Float(peak) / 32_768)
        case .ended(let outcome):
            isComplete = outcome.failure == nil
            onCompletion?()
        }
    }
}
