import SyrinxByteStream

/// Writes a WAV file of 32-bit floats that is readable at any time up to the last flush.
///
/// Not thread-safe.
final class WAVWriter {
    /// The number of buffered floats that triggers a write: 256 KiB.
    private static let writtenSampleCount = 65_536
    /// The capacity of the buffer, in floats, with space for another block of 64 channels.
    private static let bufferedSampleCount = writtenSampleCount + 64 * RenderBlock.maximumFrameCount
    /// The interval of flushes, in nanoseconds.
    ///
    /// Together with a recorder's polling interval of 20 ms and a block of the device, a killed process loses at most
    /// 100 ms.
    private static let refreshInterval: UInt64 = 50_000_000

    private let path: FilePath
    private let file: FileDescriptor
    private(set) var header: WAVHeader
    // Owned: freed in `deinit`.
    private let buffer: UnsafeMutablePointer<Float>
    private var bufferedCount = 0
    private var hasHeader = false
    private var writtenByteCount: UInt64 = 0
    private var describedByteCount: UInt64 = 0
    private var refreshed = MonotonicClock.now()

    /// Creates the file with an empty header.
    init(path: FilePath, format: DeviceFormat, device: String) throws(DeviceError) {
        self.path = path
        header = WAVHeader(format: format)
        do {
            file = try FileDescriptor(creating: path)
        } catch {
            let reason = error.code == 6 ? "no process reads the pipe" : error.reason  // 6 is ENXIO
            throw DeviceError(.deviceWriteFailed, "the file cannot be created (\(reason))", device: device)
        }
        buffer = .allocate(capacity: Self.bufferedSampleCount)
        buffer.initialize(repeating: 0, count: Self.bufferedSampleCount)
        if file.isRegular { try writeHeader(device) }
    }

    /// Whether the file can be continued after closing; false for a pipe, whose reader waits for its end.
    var isRegular: Bool { file.isRegular }

    deinit { buffer.deallocate() }

    /// The number of frames that were written or buffered.
    var frameCount: Int64 {
        Int64(writtenByteCount) / Int64(header.frameByteCount) + Int64(bufferedCount / header.format.channelCount)
    }

    /// Changes the format, if there are no frames yet.
    func change(to format: DeviceFormat, device: String) throws(DeviceError) {
        guard frameCount == 0, format != header.format else { return }
        header = WAVHeader(format: format)
        if file.isRegular { try writeHeader(device) }
    }

    /// The free part of the buffer, for the interleaved samples of a block of any number of channels.
    var room: UnsafeMutablePointer<Float> { buffer + bufferedCount }

    /// Adds `count` samples that were stored in `room`.
    ///
    /// Writes the buffer if it is large enough, and flushes twenty times a second.
    func commit(_ count: Int, device: String, isCancelled: () -> Bool) throws(DeviceError) {
        bufferedCount += count
        if bufferedCount >= Self.writtenSampleCount { try drain(device, isCancelled) }
        try refresh(device, isCancelled: isCancelled)
    }

    /// Flushes the file if the last flush was at least 50 ms ago.
    ///
    /// Call this regularly while no samples arrive.
    func refresh(_ device: String, isCancelled: () -> Bool) throws(DeviceError) {
        let now = MonotonicClock.now()
        guard now &- refreshed >= Self.refreshInterval else { return }
        refreshed = now
        try flush(device, isCancelled: isCancelled)
    }

    /// Writes all buffered samples, and updates the header.
    func flush(_ device: String, isCancelled: () -> Bool = { false }) throws(DeviceError) {
        try drain(device, isCancelled)
        if file.isRegular, describedByteCount != writtenByteCount { try writeHeader(device) }
    }

    private func drain(_ device: String, _ isCancelled: () -> Bool) throws(DeviceError) {
        guard bufferedCount > 0 else { return }
        do {
            if !file.isRegular, !hasHeader {
                let bytes = header.bytes(dataByteCount: nil)
                try appendArray(bytes, isCancelled)
                hasHeader = true
            }
            try file.append(UnsafeRawBufferPointer(start: buffer, count: bufferedCount * 4), isCancelled: isCancelled)
        } catch {
            bufferedCount = 0
            throw failure(error, device)
        }
        writtenByteCount += UInt64(bufferedCount * 4)
        bufferedCount = 0
    }

    private func appendArray(_ bytes: [UInt8], _ isCancelled: () -> Bool) throws(FileDescriptor.Failure) {
        try bytes.withUnsafeBytes { bytes in
            Result { () throws(FileDescriptor.Failure) in try file.append(bytes, isCancelled: isCancelled) }
        }.get()
    }

    private func writeHeader(_ device: String) throws(DeviceError) {
        let bytes = header.bytes(dataByteCount: writtenByteCount)
        do {
            if hasHeader {
                try file.overwrite(bytes)
            } else {
                try appendArray(bytes) { false }
                hasHeader = true
            }
        } catch {
            throw failure(error, device)
        }
        describedByteCount = writtenByteCount
    }

    private func failure(_ failure: FileDescriptor.Failure, _ device: String) -> DeviceError {
        // Don't repeat the path if it is already part of the device's name.
        let file = device == "file:\(path.name)" ? "the file" : "the file \(path.name)"
        return DeviceError(.deviceWriteFailed, "writing \(file) failed (\(failure.reason))", device: device)
    }
}
