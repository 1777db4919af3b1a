public import Foundation
package import SyrinxByteStream

/// Waveforms kept on disk, so that a recording is decoded once.
///
/// What is read is checked: it has to be of the same source, unchanged since, made with the same settings, and whole. What
/// fails is as if it were not there. Any thread; several processes may share a folder.
public struct WaveformCache: Sendable {
    /// The identity of a waveform: its source and its settings.
    public struct Key: Sendable, Equatable, Codable {
        /// The place of the recording: a path or a URL.
        public var source: String
        /// A value that changes when the recording does: an entity tag, or size and time of a file.
        public var validator: String
        /// The settings that the waveform was made with.
        public var settings: String

        /// A key of these parts.
        public init(source: String, validator: String, settings: String) {
            self.source = source
            self.validator = validator
            self.settings = settings
        }

        /// The key of a file as it is now: its size, its time of change and its number on the disk; `nil` if there is none.
        public init?(filePath: String, settings: String) { self.init(path: FilePath(filePath), settings: settings) }

        /// The key of a file at a path of any bytes.
        package init?(path: FilePath, settings: String) {
            guard let status = path.status else { return nil }
            let time = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
            let validator = "\(status.st_size) \(time) \(status.st_ino)"
            self.init(source: path.standardized.name, validator: validator, settings: settings)
        }
    }

    /// The folder that the waveforms lie in.
    public let directory: URL

    /// A cache in a folder, which is made when something is first kept.
    public init(directory: URL) { self.directory = directory }

    /// The waveform that was kept for `key`, or `nil` if there is none that is right.
    public func waveform(for key: Key) -> PeakWaveform? {
        var result: PeakWaveform?
        let frames = read(for: key) { piece throws(Never) in
            if result == nil { result = piece } else { result?.append(piece) }
        }
        return frames == nil ? nil : result
    }

    /// Hands over what was kept for `key` in pieces, of which the first may have no blocks.
    /// - Returns: The frames of the recording if all of it was there and right; `nil` if not, and then the pieces that have
    ///   been handed over are worth nothing.
    /// - Throws: What `take` throws.
    public func read<Failure: Error>(
        for key: Key,
        _ take: (PeakWaveform) throws(Failure) -> Void
    ) throws(Failure) -> Int64? {
        guard var file = WaveformCacheFile.Reader(file(for: key), key: key) else { return nil }
        try take(file.empty)
        while let piece = file.next() { try take(piece) }
        return file.frameCount
    }

    /// Keeps a waveform for `key`; what was kept for it before is replaced at once.
    /// - Parameters:
    ///   - waveform: The waveform.
    ///   - frameCount: Of the recording; `nil` takes the last block as whole.
    ///   - key: The name of the recording in the cache.
    /// - Throws: What Foundation throws when the folder cannot be made or written.
    public func keep(_ waveform: PeakWaveform, frameCount: Int64? = nil, for key: Key) throws {
        let frames = frameCount ?? Int64(waveform.count).multipliedClamped(by: Int64(waveform.samplesPerPixel))
        try keep(like: waveform, frameCount: frames, for: key) { write in
            for start in stride(from: 0, to: waveform.count, by: WaveformCacheFile.mostBlocks) {
                try write(waveform.blocks(start..<min(start + WaveformCacheFile.mostBlocks, waveform.count)))
            }
        }
    }

    /// Keeps a waveform that comes in pieces, so that it need not be in memory as a whole.
    /// - Parameters:
    ///   - waveform: Its zoom and channels; its blocks do not count.
    ///   - frameCount: Of the recording.
    ///   - key: The name of the recording in the cache.
    ///   - give: Calls what it is given with each piece in turn, of at most 65 536 blocks.
    /// - Throws: What Foundation throws when the folder cannot be made or written, and what `give` throws.
    public func keep(
        like waveform: PeakWaveform,
        frameCount: Int64,
        for key: Key,
        _ give: ((PeakWaveform) throws -> Void) throws -> Void
    ) throws {
        guard folder.makeFolder() == 0 else { throw CocoaError(.fileWriteUnknown) }
        do {
            // Given up, it leaves nothing.
            let pending = try PendingFile(path: file(for: key))
            var writer = try WaveformCacheFile.Writer(pending.descriptor, like: waveform, key: key)
            try give { try writer.append($0) }
            try writer.finish(frameCount: frameCount)
            try pending.commit()
        } catch is PendingFile.Failure {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    private var folder: FilePath { FilePath(directory) ?? FilePath(directory.path) }

    /// Validators are not in the name, so that a recording that has changed takes the place of its past.
    private func file(for key: Key) -> FilePath {
        let hash = FNV1a.hash(of: "\(key.source)\n\(key.settings)".utf8)
        return folder.appending(String(hash, radix: 16) + ".waveform")
    }
}
