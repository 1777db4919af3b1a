internal import Foundation
internal import SyrinxByteStream

/// The layout of a file of a `WaveformCache`.
///
/// The first line is a JSON description of the recording. Then pieces follow. Each starts with its number of blocks (4
/// bytes; the highest bit is set if it has root mean squares). The values (2 bytes each) and the root mean squares
/// (floats) follow. An empty piece is the last. After it, the number of frames and a checksum of all preceding bytes
/// follow, 8 bytes each. All numbers are little-endian.
enum WaveformCacheFile {
    /// The maximum number of blocks in a piece, which limits the memory that a damaged file can demand.
    static let mostBlocks = 65536
    private static let rmsBit: UInt32 = 1 << 31

    private struct Head: Codable {
        var key: WaveformCache.Key
        var sampleRate: Int
        var samplesPerPixel: Int
        var channelCount: Int

        var isSound: Bool {
            let numbers = 1...PeakWaveform.greatestHeaderNumber
            return numbers ~= sampleRate && numbers ~= samplesPerPixel && (1...64).contains(channelCount)
        }
    }

    /// Reads a file from its beginning to its end.
    struct Reader {
        /// A waveform with the zoom and the channels, without blocks.
        private(set) var empty: PeakWaveform
        /// The number of frames of the recording, after the whole file was read and is valid.
        private(set) var frameCount: Int64?

        private let handle: FileHandle
        private var checksum = FNV1a()
        private var buffer = Data()

        /// Opens a file; returns `nil` if it is missing or belongs to another key.
        init?(_ file: FilePath, key: WaveformCache.Key) {
            let descriptor = file.withCString { open($0, O_RDONLY | O_CLOEXEC) }
            guard descriptor >= 0 else { return nil }
            handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            empty = PeakWaveform(sampleRate: 1, samplesPerPixel: 1, channelCount: 1)
            guard let line = takeLine(), let head = try? JSONDecoder().decode(Head.self, from: line), head.key == key,
                head.isSound
            else { return nil }
            empty = PeakWaveform(
                sampleRate: head.sampleRate,
                samplesPerPixel: head.samplesPerPixel,
                channelCount: head.channelCount
            )
        }

        /// Returns the next piece; `nil` at the end, or if the file is damaged.
        mutating func next() -> PeakWaveform? {
            guard frameCount == nil, let number = takeNumber(UInt32.self) else { return nil }
            let count = Int(number & ~rmsBit)
            guard count > 0 else { return finish() }
            guard count <= mostBlocks else { return nil }
            // Bounded: both factors have been checked.
            let numbers = count * empty.channelCount
            guard let values = take(numbers * 4) else { return nil }
            var rms: [Float] = []
            if number & rmsBit != 0 {
                // Bounded: as above.
                guard let bytes = take(numbers * 4) else { return nil }
                rms = Self.numbers(bytes, UInt32.self).map(Float.init(bitPattern:))
            }
            return PeakWaveform(
                sampleRate: empty.sampleRate,
                samplesPerPixel: empty.samplesPerPixel,
                channelCount: empty.channelCount,
                values: Self.numbers(values, Int16.self),
                rms: rms
            )
        }

        private mutating func finish() -> PeakWaveform? {
            guard let frames = takeNumber(Int64.self) else { return nil }
            let wanted = checksum.value
            if takeNumber(UInt64.self) == wanted, take(1) == nil, frames >= 0 { frameCount = frames }
            return nil
        }

        private mutating func takeLine() -> Data? {
            fill(1 << 16)
            guard let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            // Bounded: a place in memory.
            return take(buffer.distance(from: buffer.startIndex, to: end) + 1)
        }

        private mutating func takeNumber<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
            take(MemoryLayout<Number>.size).flatMap { Self.numbers($0, type).first }
        }

        private mutating func take(_ count: Int) -> Data? {
            fill(count)
            guard buffer.count >= count else { return nil }
            let taken = Data(buffer.prefix(count))
            buffer = buffer.dropFirst(count)
            taken.withUnsafeBytes { checksum.update($0) }
            return taken
        }

        private mutating func fill(_ count: Int) {
            while buffer.count < count {
                // Bounded: neither is below 0, and both are lengths in memory.
                guard let more = try? handle.read(upToCount: max(count - buffer.count, 1 << 16)), !more.isEmpty else {
                    return
                }
                buffer = Data(buffer)
                buffer.append(more)
            }
        }

        private static func numbers<Number: FixedWidthInteger>(_ data: Data, _ type: Number.Type) -> [Number] {
            data.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: MemoryLayout<Number>.size).map {
                    Number(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Number.self))
                }
            }
        }
    }

    /// Writes a file from its beginning to its end.
    struct Writer {
        private let handle: FileHandle
        private var checksum = FNV1a()

        /// Starts a file on an open descriptor, which the caller closes.
        init(_ descriptor: Int32, like waveform: PeakWaveform, key: WaveformCache.Key) throws {
            handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            let head = Head(
                key: key,
                sampleRate: waveform.sampleRate,
                samplesPerPixel: waveform.samplesPerPixel,
                channelCount: waveform.channelCount
            )
            try write(try JSONEncoder().encode(head) + [UInt8(ascii: "\n")])
        }

        mutating func append(_ piece: PeakWaveform) throws {
            precondition(piece.count <= mostBlocks, "a piece has at most \(mostBlocks) blocks")
            guard piece.count > 0 else { return }
            // Bounded: at most `mostBlocks`.
            try write(number: UInt32(piece.count) | (piece.rms.isEmpty ? 0 : rmsBit))
            try write(Self.data(piece.values))
            try write(Self.data(piece.rms.map(\.bitPattern)))
        }

        mutating func finish(frameCount: Int64) throws {
            try write(number: UInt32(0))
            try write(number: frameCount)
            try write(number: checksum.value)
        }

        private mutating func write<Number: FixedWidthInteger>(number: Number) throws {
            try write(Self.data([number]))
        }

        private mutating func write(_ data: Data) throws {
            data.withUnsafeBytes { checksum.update($0) }
            try handle.write(contentsOf: data)
        }

        private static func data<Number: FixedWidthInteger>(_ numbers: [Number]) -> Data {
            numbers.map(\.littleEndian).withUnsafeBytes { Data($0) }
        }
    }
}
