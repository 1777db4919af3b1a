import Foundation
import SyrinxByteStream
import SyrinxMediaCodec

/// Writes a Standard MIDI File.
enum StandardMIDIFileWriter {
    /// The largest time between two events, in ticks: four bytes of seven bits.
    private static let maximumDelta: Int64 = 0x0FFF_FFFF

    /// Returns the bytes of a file; tracks are in order of their ticks.
    /// - Throws: `AVMIDIError` with `.unsupported` for more tracks or bytes than a file can have.
    static func data(_ file: StandardMIDIFile) throws(AVMIDIError) -> Data {
        guard file.tracks.count <= 0xFFFF else {
            throw AVMIDIError(.unsupported, "A MIDI file has at most 65,535 tracks.")
        }
        var output = Data("MThd".utf8)
        append(6, byteCount: 4, to: &output)
        append(file.format, byteCount: 2, to: &output)
        append(file.tracks.count, byteCount: 2, to: &output)
        append(word(file.division), byteCount: 2, to: &output)
        for track in file.tracks {
            let bytes = bytes(of: track)
            guard bytes.count <= Int(UInt32.max) else {
                throw AVMIDIError(.unsupported, "A track of a MIDI file has at most 4 GiB.")
            }
            output += Data("MTrk".utf8)
            append(bytes.count, byteCount: 4, to: &output)
            output += bytes
        }
        return output
    }

    private static func word(_ division: StandardMIDIFile.Division) -> Int {
        switch division {
        case .beats(let resolution): min(max(resolution, 1), 0x7FFF)
        case .frames(let rate, let ticks):
            (0x100 - Int(clamped: rate.rounded(.up)) & 0xFF) << 8 | min(max(ticks, 1), 0xFF)
        }
    }

    private static func bytes(of track: [StandardMIDIFile.Item]) -> Data {
        var output = Data()
        var last: Int64 = 0
        for item in track {
            appendDelta(item.tick.subtractingClamped(last), to: &output)
            last = max(item.tick, last)
            switch item.event {
            case .channel(let status, let first, let second):
                output += [status, first & 0x7F]
                if SequenceEvent.dataCount(status: status) == 2 { output.append(second & 0x7F) }
            case .systemExclusive(let data):
                let isWhole = data.first == 0xF0
                output.append(isWhole ? 0xF0 : 0xF7)
                appendBlock(isWhole ? data.dropFirst() : data, to: &output)
            case .meta(let type, let data):
                output += [0xFF, type & 0x7F]
                appendBlock(data, to: &output)
            }
        }
        let hasEnd = if case .meta(MetaType.endOfTrack, _)? = track.last?.event { true } else { false }
        if !hasEnd { output += [0, 0xFF, MetaType.endOfTrack, 0] }
        return output
    }

    /// Appends a delta time, with empty text events if the time is longer than the maximum of one event.
    private static func appendDelta(_ ticks: Int64, to output: inout Data) {
        var left = max(ticks, 0)
        while left > maximumDelta {
            appendVariableLength(maximumDelta, to: &output)
            output += [0xFF, 0x01, 0]
            left -= maximumDelta
        }
        appendVariableLength(left, to: &output)
    }

    private static func appendBlock(_ data: Data, to output: inout Data) {
        let kept = data.prefix(Int(maximumDelta))
        appendVariableLength(Int64(kept.count), to: &output)
        output += kept
    }

    private static func appendVariableLength(_ value: Int64, to output: inout Data) {
        var shift: Int64 = 21
        while shift > 0, value >> shift == 0 { shift -= 7 }
        while shift > 0 {
            output.append(UInt8(truncatingIfNeeded: value >> shift) | 0x80)
            shift -= 7
        }
        output.append(UInt8(truncatingIfNeeded: value) & 0x7F)
    }

    private static func append(_ value: Int, byteCount: Int, to output: inout Data) {
        for index in (0..<byteCount).reversed() { output.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
