import SyrinxByteStream

/// A float 32 WAV file being written, readable at any time up to what was last flushed.
///
/// One thread at a time.
final class WAVWriter {
    /// The number of floats that are collected before they are written: 256 KB, so that the call costs little.
    private static let writtenSampleCount = 65_536
    /// Room for a block of 64 channels beyond that.
    private static let bufferedSampleCount = writtenSampleCount + 64 * RenderBlock.maximumFrameCount
    /// Nanoseconds from one time that the file is brought up to date to the next.
    ///
    /// With the 20 ms between two looks of a recorder, and a block of the device, a killed process leaves a file that lacks no more
    /// than 100 ms.
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

    /// Creates the file, with a header for no frames.
    init(path: FilePath, format: DeviceFormat, device: String) throws(DeviceError) {
        self.path = path
        header = WAVHeader(format: format)
        do {
            file = try FileDescriptor(creating: path)
        } catch {
            let reason = error.code == 6 ? "nobody reads the pipe" : error.reason  // 6 is ENXIO
            throw DeviceError(.deviceWriteFailed, "the file cannot be created (\(reason))", device: device)
        }
        buffer = .allocate(capacity: Self.bufferedSampleCount)
        buffer.initialize(repeating: 0, count: Self.bufferedSampleCount)
        if file.isRegular { try writeHeader(device) }
    }

    /// Whether the file can be added to after it was closed; not so a pipe, whose reader waits for its end.
    var isRegular: Bool { file.isRegular }

    deinit { buffer.deallocate() }

    /// The number of frames written.
    var frameCount: Int64 {
        Int64(writtenByteCount) / Int64(header.frameByteCount) + Int64(bufferedCount / header.format.channelCount)
    }

    /// Changes the format, while there are no frames.
    func change(to format: DeviceFormat, device: String) throws(DeviceError) {
        guard frameCount == 0, format != header.format else { return }
        header = WAVHeader(format: format)
        if file.isRegular { try writeHeader(device) }
    }

    /// The place of the next samples, interleaved, with space for the largest block of any number of channels.
    var room: UnsafeMutablePointer<Float> { buffer + bufferedCount }

    /// Takes over `count` samples that were put into `room`.
    ///
    /// Writes them when there are many, and twenty times a second.
    func commit(_ count: Int, device: String, isCancelled: () -> Bool) throws(DeviceError) {
        bufferedCount += count
        if bufferedCount >= Self.writtenSampleCount { try drain(device, isCancelled) }
        try refresh(device, isCancelled: isCancelled)
    }

    /// Brings the file up to date if that was last done 50 ms ago.
    ///
    /// To be called now and then while nothing comes.
    func refresh(_ device: String, isCancelled: () -> Bool) throws(DeviceError) {
        let now = MonotonicClock.now()
        guard now &- refreshed >= Self.refreshInterval else { return }
        refreshed = now
        try flush(device, isCancelled: isCancelled)
    }

    /// Writes all there is, and says so in the header.
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
        // The name of a device that is this very file says it already.
        let file = device == "file:\(path.name)" ? "the file" : "the file \(path.name)"
        return DeviceError(.deviceWriteFailed, "writing \(file) failed (\(failure.reason))", device: device)
    }
}
