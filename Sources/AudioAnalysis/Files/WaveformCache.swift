public import Foundation

/// Waveforms kept on disk, so that a recording is decoded once.
///
/// What is read is checked: it has to be of the same source, unchanged since, made with the same settings, and whole. What
/// fails is as if it were not there. Any thread; several processes may share a folder.
public struct WaveformCache: Sendable {
    /// What a waveform was made of.
    public struct Key: Sendable, Equatable, Codable {
        /// Where the recording is: a path or a URL.
        public var source: String
        /// What changes when the recording does: an entity tag, or size and time of a file.
        public var validator: String
        /// How the waveform was made.
        public var settings: String

        /// A key of these parts.
        public init(source: String, validator: String, settings: String) {
            self.source = source
            self.validator = validator
            self.settings = settings
        }

        /// The key of a file as it is now: its size, its time of change and its number on the disk; `nil` if there is none.
        public init?(filePath: String, settings: String) {
            let path = URL(fileURLWithPath: filePath).standardizedFileURL.path
            guard let values = try? FileManager.default.attributesOfItem(atPath: path),
                let size = values[.size] as? UInt64 ?? (values[.size] as? Int).map(UInt64.init),
                let date = values[.modificationDate] as? Date
            else { return nil }
            let number = values[.systemFileNumber].map { "\($0)" } ?? ""
            let time = Int64((date.timeIntervalSinceReferenceDate * 1e6).rounded())
            self.init(source: path, validator: "\(size) \(time) \(number)", settings: settings)
        }
    }

    private struct Head: Codable {
        var key: Key
        var checksum: UInt64
    }

    /// The folder that the waveforms lie in.
    public let directory: URL

    /// A cache in a folder, which is made when something is first kept.
    public init(directory: URL) { self.directory = directory }

    /// The waveform that was kept for `key`, or `nil` if there is none that is right.
    public func waveform(for key: Key) -> PeakWaveform? {
        guard let data = try? Data(contentsOf: file(for: key)),
            let end = data.firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONDecoder().decode(Head.self, from: data[..<end]), head.key == key
        else { return nil }
        let body = Data(data[(end + 1)...])
        guard Self.checksum(body) == head.checksum else { return nil }
        return try? PeakWaveform(datFile: body)
    }

    /// Keeps a waveform for `key`; what was kept for it before is replaced at once.
    ///
    /// The root mean squares are not kept.
    /// - Throws: What Foundation throws when the folder cannot be made or written.
    public func keep(_ waveform: PeakWaveform, for key: Key) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let body = waveform.datFile(bits: .sixteen)
        var data = try JSONEncoder().encode(Head(key: key, checksum: Self.checksum(body)))
        data.append(UInt8(ascii: "\n"))
        data.append(body)
        try data.write(to: file(for: key), options: .atomic)
    }

    /// Validators are not in the name, so that a recording that has changed takes the place of its past.
    private func file(for key: Key) -> URL {
        let hash = Self.checksum(Data("\(key.source)\n\(key.settings)".utf8))
        return directory.appendingPathComponent(String(hash, radix: 16) + ".waveform")
    }

    /// FNV-1a of 64 bit: against damage, not against malice.
    private static func checksum(_ data: Data) -> UInt64 {
        data.withUnsafeBytes { bytes in
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return hash
        }
    }
}
