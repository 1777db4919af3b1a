import AudioAnalysis

/// Writes a `.dat` file while it is being made, so that ten hours take the memory of a minute.
///
/// The number of points stands at the front, and is known at the end: it is filled in then.
final class WaveformStream {
    private let file: OutputBytes
    private let bits: WaveformBits
    private let scale: Double
    private var count = 0
    private var hasBegun = false
    private var failure: Failure?

    /// Blocks that are handed over at once.
    static let enough = 16384

    /// A file at `path`, which has to be an ordinary one: others cannot be gone back in.
    init(path: String, bits: WaveformBits, scale: Double) throws(Failure) {
        file = try OutputBytes(path: path)
        self.bits = bits
        self.scale = scale
    }

    /// Adds blocks; a failure is told by `finish`.
    func take(_ blocks: PeakWaveform) {
        guard failure == nil else { return }
        do throws(Failure) {
            if !hasBegun { try file.write(blocks.datHeader(count: 0, bits: bits)) }
            hasBegun = true
            try blocks.scaled(by: scale).writeDATValues(bits: bits) { bytes throws(Failure) in try file.write(bytes) }
            count += blocks.count
        } catch {
            failure = error
        }
    }

    /// Adds the last blocks and puts the file in its place.
    func finish(_ last: PeakWaveform) throws(Failure) {
        take(last)
        if let failure {
            file.abandon()
            throw failure
        }
        do throws(Failure) {
            try file.overwriteStart(last.datHeader(count: count, bits: bits))
            try file.commit()
        } catch {
            file.abandon()
            throw error
        }
    }

    /// Leaves nothing behind.
    func abandon() { file.abandon() }
}
