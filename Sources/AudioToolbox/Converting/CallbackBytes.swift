internal import CoreAudioTypes
internal import SyrinxByteStream

/// The bytes of a file that functions of the caller give.
final class CallbackBytes: ByteStream, @unchecked Sendable {
    // Unchecked: a file is for one thread at a time, and calls the functions on it.
    private let client: UnsafeMutableRawPointer
    private let readProcedure: AudioFile_ReadProc
    private let size: Int64

    init(client: UnsafeMutableRawPointer, read: @escaping AudioFile_ReadProc, size: AudioFile_GetSizeProc) {
        self.client = client
        readProcedure = read
        self.size = max(size(client), 0)
    }

    var name: String { "audio file" }
    var length: Int64? { size }
    var isSeekable: Bool { true }
    var isRemote: Bool { false }
    var mimeType: String? { nil }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        guard offset >= 0 else { throw SyrinxError(.notSeekable, "There is nothing before the start.", name: name) }
        guard offset < size, let base = buffer.baseAddress else { return 0 }
        let wanted = UInt32(clamping: min(Int64(buffer.count), size - offset))
        var count: UInt32 = 0
        let status = readProcedure(client, offset, wanted, base, &count)
        // Some callbacks report the end of the file together with the last bytes.
        guard status == noErr || status == kAudioFileEndOfFileError else {
            throw SyrinxError(
                .fileReadFailed,
                "The function that reads it failed with status \(status).",
                name: name
            )
        }
        return Int(min(count, wanted))
    }

    func cancel() {}
}
