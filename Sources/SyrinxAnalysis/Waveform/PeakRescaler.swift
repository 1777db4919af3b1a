internal import SyrinxByteStream

/// Brings a waveform that comes in pieces to a coarser zoom; pieces of any length give the same.
///
/// Pixel k covers the pixels ⌊k·r⌋ up to ⌊(k+1)·r⌋ of what comes, r the ratio of both zooms, which need not be whole. What is
/// kept are the blocks of the pixel that is not complete. A value; one thread at a time.
public struct PeakRescaler: Sendable {
    private var waiting: PeakWaveform
    private let empty: PeakWaveform
    /// The blocks that came before those that wait.
    private var done = 0
    /// The number of the pixel being made, counted from 1.
    private var pixel = 1

    /// A rescaler of what has the zoom and the channels of `waveform`, whose blocks do not count.
    /// - Throws: `.zoomTooFine` if `samplesPerPixel` is less than what comes has: what is not there cannot be drawn.
    public init(from waveform: PeakWaveform, to samplesPerPixel: Int) throws(AnalysisError) {
        guard samplesPerPixel >= waveform.samplesPerPixel else {
            let had = waveform.samplesPerPixel
            let message = "The waveform has \(had) samples a pixel, and cannot be brought to \(samplesPerPixel)."
            throw AnalysisError(.zoomTooFine, message)
        }
        waiting = waveform.blocks(0..<0)
        empty = PeakWaveform(
            sampleRate: waveform.sampleRate,
            samplesPerPixel: samplesPerPixel,
            channelCount: waveform.channelCount
        )
    }

    /// Takes the next blocks.
    /// - Returns: The pixels that are complete with them.
    public mutating func append(_ blocks: PeakWaveform) -> PeakWaveform {
        waiting.append(blocks)
        var result = empty
        var start = 0
        while true {
            let end = pixel.multipliedClamped(by: empty.samplesPerPixel) / waiting.samplesPerPixel
            let stop = end.subtractingClamped(done)
            guard stop <= waiting.count else { break }
            result.appendMerged(waiting, start..<stop)
            start = stop
            pixel += 1
        }
        waiting = waiting.blocks(start..<waiting.count)
        done += start
        return result
    }

    /// Says that nothing more comes.
    /// - Returns: The last pixel, if there is more for it than what the former ones have.
    public mutating func finish() -> PeakWaveform {
        var result = empty
        if waiting.count > 0 { result.appendMerged(waiting, 0..<waiting.count) }
        done += waiting.count
        waiting = waiting.blocks(0..<0)
        return result
    }
}
