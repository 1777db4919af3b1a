import Foundation
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec

/// Writes a waveform in the requested format.
struct WaveformWriter {
    let format: WaveformFormat
    let bits: WaveformBits
    let look: WaveformLookOptions
    /// The time at the left edge, in seconds.
    let start: Double

    /// Writes the waveform to a path, where it appears when it is complete, or to standard output for `-`.
    func write(_ made: ComputedWaveform, to path: FilePath) throws(Failure) {
        let file = try OutputBytes(path: path)
        do throws(Failure) {
            switch made.kind {
            case .peaks(let spool, let factor): try write(spool, factor, made.duration, to: file)
            case .decibels(let waveform): try write(waveform, made.duration, to: file)
            }
            try file.commit()
        } catch {
            file.abandon()
            throw error
        }
    }

    // MARK: Peaks

    private func write(
        _ spool: WaveformSpool,
        _ factor: Double,
        _ duration: Double,
        to file: OutputBytes
    ) throws(Failure) {
        switch format {
        case .dat: try spool.writeDAT(bits: bits, factor: factor, to: file)
        case .json:
            try file.write(spool.empty.jsonHeader(count: spool.count, bits: bits))
            var isFirst = true
            try spool.forEachPiece { piece throws(Failure) in
                try piece.scaled(by: factor).writeJSONValues(bits: bits, isFirst: isFirst) { bytes throws(Failure) in
                    try file.write(bytes)
                }
                isFirst = false
            }
            try file.write(PeakWaveform.jsonEnd)
        case .wavesurfer:
            let channelCount = spool.empty.channelCount
            let peaks = try PeakWaveform.wavesurferPeaks(count: spool.count, channelCount: channelCount) {
                range throws(Failure) in
                try spool.blocks(range).scaled(by: factor)
            }
            try file.write([UInt8](PeakWaveform.wavesurferFile(peaks: peaks, duration: duration)))
        case .txt:
            try spool.forEachPiece { piece throws(Failure) in try list(piece.scaled(by: factor), to: file) }
        case .png, .svg:
            let shown = try spool.blocks(0..<min(look.width, spool.count)).scaled(by: factor)
            let perSecond = Double(shown.sampleRate) / Double(shown.samplesPerPixel)
            let drawing = WaveformDrawing(
                shown,
                width: look.width,
                height: look.height,
                style: look.waveformStyle,
                theme: look.theme,
                axis: look.axis(pixelsPerSecond: perSecond, start: start)
            )
            try file.write(try picture(drawing))
        }
    }

    /// Writes a line per pixel, with the minimum and maximum of each channel, separated by commas.
    private func list(_ waveform: PeakWaveform, to file: OutputBytes) throws(Failure) {
        let divisor = bits == .eight ? Int16(256) : 1
        let perLine = 2 * waveform.channelCount
        var text = ""
        for index in waveform.values.indices {
            text += "\(waveform.values[index] / divisor)\(index % perLine == perLine - 1 ? "\n" : ",")"
        }
        try file.write(Array(text.utf8))
    }

    // MARK: Decibels

    private func write(_ waveform: DecibelWaveform, _ duration: Double, to file: OutputBytes) throws(Failure) {
        guard format != .txt else {
            let lines = waveform.values.map { "\(($0 * 1000).rounded() / 1000)\n" }
            return try file.write(Array(lines.joined().utf8))
        }
        let perSecond = Double(look.width) / max(duration, 1e-3)
        let drawing = WaveformDrawing(
            waveform,
            width: look.width,
            height: look.height,
            style: look.waveformStyle,
            theme: look.theme,
            axis: look.axis(pixelsPerSecond: perSecond, start: start),
            floor: look.noiseFloor ?? waveform.drawingFloor
        )
        try file.write(try picture(drawing))
    }

    private func picture(_ drawing: WaveformDrawing) throws(Failure) -> [UInt8] {
        if format == .svg { return Array(drawing.svg.utf8) }
        do throws(SyrinxError) {
            return try drawing.png(compression: look.compression < 0 ? nil : look.compression)
        } catch {
            throw Failure(error, name: "png")
        }
    }
}
