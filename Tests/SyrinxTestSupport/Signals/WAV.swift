import Foundation

/// The reason why a WAV file could not be read.
public struct WAVReadError: Error, CustomStringConvertible {
    public let description: String
}

/// Reads a WAV or RF64 file of 16, 24 or 32 bit integers or 32 bit floats, by its header alone.
/// - Returns: The rate, and one array of samples a channel.
public func readWAV(_ path: String) throws -> (sampleRate: Double, channels: [[Float]]) {
    let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    return try data.withUnsafeBytes { try parseWAV($0) }
}

private func parseWAV(_ bytes: UnsafeRawBufferPointer) throws -> (sampleRate: Double, channels: [[Float]]) {
    func text(_ offset: Int) -> String { String(decoding: bytes[offset..<offset + 4], as: UTF8.self) }
    func number<Number: FixedWidthInteger>(_ offset: Int, _ type: Number.Type) -> Int {
        Int(truncatingIfNeeded: Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type)))
    }
    guard bytes.count >= 12, ["RIFF", "RF64"].contains(text(0)), text(8) == "WAVE" else {
        throw WAVReadError(description: "no WAV header")
    }
    var offset = 12
    var longDataSize: Int?
    var format: (tag: Int, channelCount: Int, sampleRate: Int, bits: Int)?
    while offset + 8 <= bytes.count {
        var size = number(offset + 4, UInt32.self)
        let body = offset + 8
        switch text(offset) {
        case "ds64": longDataSize = number(body + 8, UInt64.self)
        case "fmt ":
            var tag = number(body, UInt16.self)
            if tag == 0xFFFE { tag = number(body + 24, UInt16.self) }
            format = (
                tag, number(body + 2, UInt16.self), number(body + 4, UInt32.self), number(body + 14, UInt16.self)
            )
        case "data":
            guard let format else { throw WAVReadError(description: "no format before the data") }
            if size == 0xFFFF_FFFF { size = longDataSize ?? bytes.count - body }
            guard body + size <= bytes.count else {
                throw WAVReadError(description: "the header promises \(size) bytes, \(bytes.count - body) are there")
            }
            let samples = try floats(
                UnsafeRawBufferPointer(rebasing: bytes[body..<body + size]),
                format.tag,
                format.bits
            )
            return (Double(format.sampleRate), deinterleave(samples, channelCount: format.channelCount))
        default: break
        }
        offset = body + size + size % 2
    }
    throw WAVReadError(description: "no data")
}

private func floats(_ bytes: UnsafeRawBufferPointer, _ tag: Int, _ bits: Int) throws -> [Float] {
    switch (tag, bits) {
    case (3, 32): return (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    case (1, 16):
        return (0..<bytes.count / 2).map { Float(bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self)) / 32_768 }
    case (1, 24):
        return (0..<bytes.count / 3).map {
            let value = Int32(bytes[$0 * 3]) | Int32(bytes[$0 * 3 + 1]) << 8 | Int32(bytes[$0 * 3 + 2]) << 16
            return Float(value << 8) / 2_147_483_648
        }
    case (1, 32):
        return (0..<bytes.count / 4).map {
            Float(Double(bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self)) / 2_147_483_648)
        }
    default: throw WAVReadError(description: "format \(tag) of \(bits) bits")
    }
}
