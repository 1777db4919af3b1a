import Foundation
import SyrinxByteStream
import SyrinxMediaCodec

/// Reads and writes the bytes of MIDI files, with errors of this module.
enum MIDIFileAccess {
    /// Returns the contents of a file, up to the size that `StandardMIDIFileReader` accepts.
    static func read(_ url: URL) throws(AVMIDIError) -> Data {
        guard let path = FilePath(url) else { throw AVMIDIError(.badURL, "The URL is not one of a file.") }
        guard let size = path.status?.st_size else { throw AVMIDIError(.fileNotFound, "The file does not exist.") }
        guard size <= StandardMIDIFileReader.maximumByteCount else {
            let limit = StandardMIDIFileReader.maximumByteCount >> 20
            throw AVMIDIError(.unsupported, "The file is larger than \(limit) MiB.")
        }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw AVMIDIError(.fileReadFailed, "The file cannot be read: \(error.localizedDescription)")
        }
    }

    /// Writes a file, which appears when it is complete.
    static func write(_ data: Data, to url: URL, replaces: Bool) throws(AVMIDIError) {
        guard let path = FilePath(url) else { throw AVMIDIError(.badURL, "The URL is not one of a file.") }
        guard replaces || path.status == nil else {
            throw AVMIDIError(.fileExists, "The file exists already: allow its replacement, or choose another name.")
        }
        var number: Int32
        do throws(PendingFile.Failure) {
            let file = try PendingFile(path: path)
            number = Descriptor.writeAll(data, to: file.descriptor)
            if number == 0 { try file.commit() }
        } catch {
            number = error.number
        }
        guard number == 0 else {
            throw AVMIDIError(.fileWriteFailed, "The file cannot be written: \(String(cString: strerror(number))).")
        }
    }
}

extension StandardMIDIFile.Division {
    /// Creates the division of a resolution: 0 selects 480 ticks per beat, and a negative number is a SMPTE time;
    /// `nil` if invalid.
    init?(resolution: Int) {
        if resolution >= 0 {
            guard resolution <= 0x7FFF else { return nil }
            self = .beats(resolution == 0 ? AVAudioSequencer.defaultResolution : resolution)
            return
        }
        guard let word = Int16(exactly: resolution) else { return nil }
        let (frames, ticks) = (-(Int(word) >> 8), Int(word) & 0xFF)
        guard [24, 25, 29, 30].contains(frames), ticks > 0 else { return nil }
        self = .frames(perSecond: frames == 29 ? 30_000 / 1_001 : Double(frames), ticks: ticks)
    }
}
