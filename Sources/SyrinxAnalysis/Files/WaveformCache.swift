public import Foundation
package import SyrinxByteStream

/// A cache of waveforms on disk, so that each recording is decoded once.
///
/// A cached waveform is returned only if it is complete and belongs to the same, unchanged source and settings. Invalid
/// files are treated as missing. Any thread may use it, and several processes may share a folder.
///
/// ```swift
/// let cache = WaveformCache(directory: URL(fileURLWithPath: "/var/tmp/waveforms"))
/// guard let key = WaveformCache.Key(filePath: "song.flac", settings: "256 mono") else { return }
/// if let cached = cache.waveform(for: key) {
///     print(cached.count, "blocks")
/// } else {
///     try cache.keep(waveform, for: key) // the PeakWaveform of the file
/// }
/// ```
public struct WaveformCache: Sendable {
    /// The key of a cached waveform: its source and settings.
    public struct Key: Sendable, Equatable, Codable {
        /// The location of the recording: a path or a URL.
        public var source: String
        /// A value that changes with the recording: an entity tag, or the size and modification time of a file.
        public var validator: String
        /// The settings of the waveform, as text of the caller's choice.
        public var settings: String

        /// Creates a key.
        public init(source: String, validator: String, settings: String) {
            self.source = source
            self.validator = validator
            self.settings = settings
        }

        /// Creates the key of a file from its size, modification time and inode; returns `nil` if the file does not
        /// exist.
        public init?(filePath: String, settings: String) { self.init(path: FilePath(filePath), settings: settings) }

        /// Creates the key of a file whose path may contain any bytes.
        package init?(path: FilePath, settings: String) {
            guard let status = path.status else { return nil }
            let time = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
            let validator = "\(status.st_size) \(time) \(status.st_ino)"
            self.init(source: path.standardized.name, validator: validator, settings: settings)
        }
    }

    /// The folder of the cache.
    public let directory: URL

    /// Creates a cache in a folder; the first `keep` creates the folder.
    public init(directory: URL) { self.directory = directory }

    /// Returns the cached waveform for `key`, or `nil` if there is no valid one.
    public func waveform(for key: Key) -> PeakWaveform? {
        var result: PeakWaveform?
        let frames = read(for: key) { piece throws(Never) in
            if result == nil { result = piece } else { result?.append(piece) }
        }
        return frames == nil ? nil : result
    }

    /// Reads the cached waveform for `key` in pieces; the first piece may be empty.
    /// - Returns: The number of frames of the recording. `nil` if the waveform is missing or damaged; the pieces passed
    ///   so far are then invalid.
    /// - Throws: The errors of `take`.
    public func read<Failure: Error>(
        for key: Key,
        _ take: (PeakWaveform) throws(Failure) -> Void
    ) throws(Failure) -> Int64? {
        guard var file = WaveformCacheFile.Reader(file(for: key), key: key) else { return nil }
        try take(file.empty)
        while let piece = file.next() { try take(piece) }
        return file.frameCount
    }

    /// Stores a waveform for `key`, and replaces an earlier one atomically.
    /// - Parameters:
    ///   - waveform: The waveform.
    ///   - frameCount: The number of frames of the recording; `nil` means that the last block is complete.
    ///   - key: The key of the waveform.
    /// - Throws: A Foundation error if the folder cannot be created or written.
    public func keep(_ waveform: PeakWaveform, frameCount: Int64? = nil, for key: Key) throws {
        let frames = frameCount ?? Int64(waveform.count).multipliedClamped(by: Int64(waveform.samplesPerPixel))
        try keep(like: waveform, frameCount: frames, for: key) { write in
            for start in stride(from: 0, to: waveform.count, by: WaveformCacheFile.mostBlocks) {
                try write(waveform.blocks(start..<min(start + WaveformCacheFile.mostBlocks, waveform.count)))
            }
        }
    }

    /// Stores a waveform that is provided in pieces, so that it never has to be in memory as a whole.
    /// - Parameters:
    ///   - waveform: A waveform with the same zoom and channels; its blocks are ignored.
    ///   - frameCount: The number of frames of the recording.
    ///   - key: The key of the waveform.
    ///   - give: A closure that receives a function, and calls it with each piece in order. A piece has at most 65 536
    ///     blocks; more are a programming error.
    /// - Throws: A Foundation error if the folder cannot be created or written, and the errors of `give`. In that case
    ///   no new file is stored, and an earlier one stays.
    public func keep(
        like waveform: PeakWaveform,
        frameCount: Int64,
        for key: Key,
        _ give: ((PeakWaveform) throws -> Void) throws -> Void
    ) throws {
        guard folder.makeFolder() == 0 else { throw CocoaError(.fileWriteUnknown) }
        do {
            // If it is not finished, it leaves no file.
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

    /// The name does not contain the validator, so that a changed recording replaces its old waveform.
    private func file(for key: Key) -> FilePath {
        let hash = FNV1a.hash(of: "\(key.source)\n\(key.settings)".utf8)
        return folder.appending(String(hash, radix: 16) + ".waveform")
    }
}
