import Foundation
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxListening

/// The blocks of a waveform, which are stored in an unlinked temporary file beyond a memory limit.
///
/// Therefore ten hours take no more memory than a minute, whatever the output format.
final class WaveformSpool {
    /// A waveform without blocks, which contains the zoom and the channel count.
    let empty: PeakWaveform
    /// The number of blocks so far.
    private(set) var count = 0
    /// The minimum and maximum of all values.
    private(set) var extent: (low: Int16, high: Int16) = (0, 0)

    /// The maximum number of blocks that are returned at once.
    static let pieceSize = 16384

    private let memoryLimit: Int
    private let folder: FilePath
    private var recent: PeakWaveform
    private var descriptor: Int32 = -1
    /// The number of blocks in the file.
    private var stored = 0
    private var failure: Failure?
    private var bytesPerBlock: Int { empty.channelCount * 4 }

    /// Creates an empty spool with the zoom and the channel count of `waveform`.
    /// - Parameters:
    ///   - folder: The folder for the temporary file, if it is needed.
    ///   - memoryLimit: The maximum number of bytes in memory.
    init(like waveform: PeakWaveform, folder: FilePath, memoryLimit: Int = 256 << 10) {
        empty = waveform.blocks(0..<0)
        recent = empty
        self.folder = folder
        self.memoryLimit = memoryLimit
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends blocks; errors are reported by `check` and by reading.
    func take(_ blocks: PeakWaveform) {
        guard failure == nil else { return }
        for value in blocks.values {
            if value < extent.low { extent.low = value }
            if value > extent.high { extent.high = value }
        }
        recent.append(blocks)
        count += blocks.count
        guard recent.count * bytesPerBlock > memoryLimit else { return }
        do throws(Failure) { try store() } catch { failure = error }
    }

    /// Throws the error of appending blocks, if there was one.
    func check() throws(Failure) { if let failure { throw failure } }

    /// Returns the blocks of `range`, which must exist.
    func blocks(_ range: Range<Int>) throws(Failure) -> PeakWaveform {
        try check()
        let behind = max(range.lowerBound, stored)..<max(range.upperBound, stored)
        let late = recent.blocks(behind.lowerBound - stored..<behind.upperBound - stored)
        guard range.lowerBound < stored else { return late }
        var result = try read(range.lowerBound..<min(range.upperBound, stored))
        result.append(late)
        return result
    }

    /// Calls `body` with all blocks, in pieces.
    func forEachPiece(_ body: (PeakWaveform) throws(Failure) -> Void) throws(Failure) {
        try check()
        var start = 0
        while start < count {
            let end = min(start + Self.pieceSize, count)
            try body(try blocks(start..<end))
            start = end
        }
    }

    /// Writes all blocks as a `dat` file, with their values multiplied by `factor`.
    func writeDAT(bits: WaveformBits, factor: Double = 1, to file: OutputBytes) throws(Failure) {
        try file.write(empty.datHeader(count: count, bits: bits))
        try forEachPiece { piece throws(Failure) in
            try piece.scaled(by: factor).writeDATValues(bits: bits) { bytes throws(Failure) in
                try file.write(bytes)
            }
        }
    }

    private func store() throws(Failure) {
        if descriptor < 0 { descriptor = try Self.namelessFile(in: folder) }
        let number = recent.values.withUnsafeBytes { Descriptor.writeAll($0, to: descriptor) }
        guard number == 0 else { throw Self.failure(number, folder.name) }
        stored += recent.count
        recent = empty
    }

    private func read(_ range: Range<Int>) throws(Failure) -> PeakWaveform {
        let size = range.count * bytesPerBlock
        let offset = Int64(range.lowerBound * bytesPerBlock)
        var number: Int32 = 0
        let values = [Int16](unsafeUninitializedCapacity: size / 2) { buffer, initialized in
            let all = UnsafeMutableRawBufferPointer(buffer)
            let got = Descriptor.readAll(into: all, from: descriptor, at: offset)
            number = got.number == 0 && got.count < size ? EIO : got.number
            initialized = got.count / 2
        }
        guard number == 0 else { throw Self.failure(number, folder.name) }
        return PeakWaveform(
            sampleRate: empty.sampleRate,
            samplesPerPixel: empty.samplesPerPixel,
            channelCount: empty.channelCount,
            values: values
        )
    }

    private static func namelessFile(in folder: FilePath) throws(Failure) -> Int32 {
        let path = folder.appending(".syrinx.\(UInt64.random(in: .min ... .max))")
        let descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { throw failure(errno, folder.name) }
        _ = path.withCString { unlink($0) }
        return descriptor
    }

    private static func failure(_ number: Int32, _ folder: String) -> Failure {
        Failure(code: .fileWriteFailed, message: Descriptor.sentence(number), name: folder)
    }
}
