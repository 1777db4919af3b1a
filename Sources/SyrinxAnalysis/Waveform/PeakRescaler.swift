internal import SyrinxByteStream

/// Rescales a waveform to a coarser zoom, in pieces of any length; the result does not depend on their lengths.
///
/// Pixel k covers the input pixels ⌊k·r⌋ up to ⌊(k+1)·r⌋, where r is the ratio of both zooms, which may be fractional.
/// The rescaler stores the blocks of the incomplete pixel. A value; use it on one thread at a time.
public struct PeakRescaler: Sendable {
    private var waiting: PeakWaveform
    private let empty: PeakWaveform
    /// The number of blocks before those in `waiting`.
    private var done = 0
    /// The number of the current pixel, counted from 1.
    private var pixel = 1

    /// Creates a rescaler for input with the zoom and the channels of `waveform`; its blocks are ignored.
    /// - Throws: `.zoomTooFine` if `samplesPerPixel` is smaller than that of `waveform`: a waveform can only be made
    ///   coarser.
    public init(from waveform: PeakWaveform, to samplesPerPixel: Int) throws(AnalysisError) {
        guard samplesPerPixel >= waveform.samplesPerPixel else {
            let had = waveform.samplesPerPixel
            let message = "The waveform has \(had) samples per pixel, and cannot be rescaled to \(samplesPerPixel)."
            throw AnalysisError(.zoomTooFine, message)
        }
        waiting = waveform.blocks(0..<0)
        empty = PeakWaveform(
            sampleRate: waveform.sampleRate,
            samplesPerPixel: samplesPerPixel,
            channelCount: waveform.channelCount
        )
    }

    /// Adds blocks.
    /// - Returns: The pixels that are now complete.
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

    /// Ends the input.
    /// - Returns: The last, incomplete pixel, if there are blocks for it.
    public mutating func finish() -> PeakWaveform {
        var result = empty
        if waiting.count > 0 { result.appendMerged(waiting, 0..<waiting.count) }
        done += waiting.count
        waiting = waiting.blocks(0..<0)
        return result
    }
}
