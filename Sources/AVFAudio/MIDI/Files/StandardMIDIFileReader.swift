import Foundation
import SyrinxByteStream
import SyrinxMediaCodec

/// Reads a Standard MIDI File of format 0 or 1, plain or wrapped in a RIFF file.
struct StandardMIDIFileReader {
    private let bytes: [UInt8]
    private var place = 0
    private var eventCount = 0

    /// The largest file that is read, in bytes.
    static let maximumByteCount = 64 << 20
    /// The most events of all tracks.
    static let maximumEventCount = 4 << 20

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the contents of a file.
    /// - Throws: `AVMIDIError` with `.notMIDI`, `.truncated`, `.corrupt` or `.unsupported`.
    static func read(_ data: Data) throws(AVMIDIError) -> StandardMIDIFile {
        guard data.count <= maximumByteCount else {
            throw AVMIDIError(.unsupported, "The file is larger than \(maximumByteCount >> 20) MiB.")
        }
        var reader = StandardMIDIFileReader([UInt8](data))
        return try reader.readFile()
    }

    private mutating func readFile() throws(AVMIDIError) -> StandardMIDIFile {
        skipWrapper()
        guard has("MThd", at: place), let length = number(at: place + 4, byteCount: 4), length >= 6,
            let format = number(at: place + 8, byteCount: 2), let trackCount = number(at: place + 10, byteCount: 2),
            let word = number(at: place + 12, byteCount: 2)
        else { throw AVMIDIError(.notMIDI, "The file is not a Standard MIDI File.") }
        guard format < 2 else {
            throw AVMIDIError(.unsupported, "The MIDI file has format \(format): save it in format 0 or 1.")
        }
        let division = try division(UInt16(truncatingIfNeeded: word))
        place = place.addingClamped(8).addingClamped(length)
        var tracks: [[StandardMIDIFile.Item]] = []
        while tracks.count < trackCount {
            guard let size = number(at: place.addingClamped(4), byteCount: 4) else {
                let found = "\(tracks.count) of \(trackCount) tracks"
                throw AVMIDIError(.truncated, "The MIDI file ends early: it has \(found).")
            }
            let start = place.addingClamped(8)
            let end = start.addingClamped(size)
            guard end <= bytes.count else {
                throw AVMIDIError(.truncated, "The MIDI file ends within track \(tracks.count + 1).")
            }
            if has("MTrk", at: place) { tracks.append(try track(start..<end, number: tracks.count + 1)) }
            place = end
        }
        return StandardMIDIFile(format: format, division: division, tracks: tracks)
    }

    /// Moves to the contents of the RIFF chunk that contains the MIDI file.
    private mutating func skipWrapper() {
        guard has("RIFF", at: 0), has("RMID", at: 8) else { return }
        var chunk = 12
        while let bytesOfSize = littleEndianNumber(at: chunk.addingClamped(4)) {
            if has("data", at: chunk) {
                place = chunk.addingClamped(8)
                return
            }
            // Chunks begin at even offsets.
            chunk = chunk.addingClamped(8).addingClamped(bytesOfSize).addingClamped(bytesOfSize & 1)
        }
    }

    private func division(_ word: UInt16) throws(AVMIDIError) -> StandardMIDIFile.Division {
        if word & 0x8000 == 0 {
            guard word > 0 else { throw AVMIDIError(.corrupt, "The MIDI file states 0 ticks in a beat.") }
            return .beats(Int(word))
        }
        // Bounded: 8 bits.
        let frames = -Int(Int8(bitPattern: UInt8(word >> 8)))
        let ticks = Int(word & 0xFF)
        guard [24, 25, 29, 30].contains(frames), ticks > 0 else {
            throw AVMIDIError(.corrupt, "The MIDI file counts time in \(frames) frames of \(ticks) ticks.")
        }
        return .frames(perSecond: frames == 29 ? 30_000 / 1_001 : Double(frames), ticks: ticks)
    }

    // MARK: Tracks

    private mutating func track(
        _ range: Range<Int>,
        number: Int
    ) throws(AVMIDIError) -> [StandardMIDIFile.Item] {
        var items: [StandardMIDIFile.Item] = []
        var cursor = TrackReader(bytes: bytes, place: range.lowerBound, end: range.upperBound)
        do throws(TrackReader.Fault) {
            while let item = try cursor.next() {
                eventCount += 1
                guard eventCount <= Self.maximumEventCount else { throw .tooMany }
                items.append(item)
            }
        } catch {
            switch error {
            case .tooMany:
                throw AVMIDIError(.unsupported, "The MIDI file has more than \(Self.maximumEventCount) events.")
            case .ended:
                throw AVMIDIError(.corrupt, "An event of track \(number) goes beyond the end of the track.")
            case .malformed(let text):
                throw AVMIDIError(.corrupt, "Track \(number) has \(text) at byte \(cursor.place).")
            }
        }
        return items
    }

    // MARK: Bytes

    private func has(_ tag: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset <= bytes.count, bytes.count - offset >= 4 else { return false }
        return tag.withUTF8Buffer { $0.elementsEqual(bytes[offset..<(offset + 4)]) }
    }

    private func number(at offset: Int, byteCount: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count, bytes.count - offset >= byteCount else { return nil }
        return bytes[offset..<(offset + byteCount)].reduce(0) { $0 << 8 | Int($1) }
    }

    private func littleEndianNumber(at offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count, bytes.count - offset >= 4 else { return nil }
        return bytes[offset..<(offset + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// Reads the events of one track.
private struct TrackReader {
    enum Fault: Error {
        case ended
        case tooMany
        case malformed(String)
    }

    let bytes: [UInt8]
    private(set) var place: Int
    let end: Int
    private var tick: Int64 = 0
    private var runningStatus: UInt8?

    init(bytes: [UInt8], place: Int, end: Int) { (self.bytes, self.place, self.end) = (bytes, place, end) }

    /// Returns the next event; `nil` at the end of the track.
    mutating func next() throws(Fault) -> StandardMIDIFile.Item? {
        guard place < end else { return nil }
        guard let sum = tick.addingChecked(Int64(try variableLength())) else {
            throw .malformed("a time that is too late")
        }
        tick = sum
        var status = try byte()
        if status < 0x80 {
            guard let running = runningStatus else { throw .malformed("data without a status") }
            place -= 1
            status = running
        }
        switch status {
        case 0x80..<0xF0:
            runningStatus = status
            let first = try dataByte()
            let second = SequenceEvent.dataCount(status: status) == 2 ? try dataByte() : 0
            return item(.channel(status: status, first, second))
        case 0xF0, 0xF7:
            runningStatus = nil
            let data = try block()
            return item(.systemExclusive(status == 0xF0 ? Data([0xF0]) + data : data))
        case 0xFF:
            runningStatus = nil
            let type = try byte()
            let data = try block()
            if type == MetaType.endOfTrack { place = end }
            return item(.meta(type: type, data))
        default:
            throw .malformed("the status \(status), which is not allowed in files")
        }
    }

    private func item(_ event: StandardMIDIFile.Event) -> StandardMIDIFile.Item {
        StandardMIDIFile.Item(tick: tick, event: event)
    }

    private mutating func byte() throws(Fault) -> UInt8 {
        guard place < end else { throw .ended }
        place += 1
        return bytes[place - 1]
    }

    private mutating func dataByte() throws(Fault) -> UInt8 {
        let value = try byte()
        guard value < 0x80 else { throw .malformed("a status in place of data") }
        return value
    }

    /// A number of up to four bytes with seven bits each.
    private mutating func variableLength() throws(Fault) -> Int {
        var value = 0
        for _ in 0..<4 {
            let next = try byte()
            value = value << 7 | Int(next & 0x7F)
            if next < 0x80 { return value }
        }
        throw .malformed("a number of more than four bytes")
    }

    private mutating func block() throws(Fault) -> Data {
        let length = try variableLength()
        guard length <= end - place else { throw .ended }
        place += length
        return Data(bytes[(place - length)..<place])
    }
}
