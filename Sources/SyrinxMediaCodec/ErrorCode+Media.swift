internal import CSyrinxFFmpeg
public import SyrinxByteStream

// Codes of reading and writing recordings.
extension ErrorCode {
    /// The bytes are not a recording: a web page, text, or nothing that is known.
    public static let notAudio = ErrorCode(rawValue: "media.notAudio")
    /// The recording has no moving pictures.
    public static let notVideo = ErrorCode(rawValue: "media.notVideo")
    /// There are no bytes.
    public static let empty = ErrorCode(rawValue: "media.empty")
    /// The data end before the length that the recording states of itself.
    public static let truncated = ErrorCode(rawValue: "media.truncated")
    /// The recording is of a known kind, but nothing in it can be decoded.
    public static let corrupt = ErrorCode(rawValue: "media.corrupt")
    /// The kind, the rate or the channels are known, but cannot be read or written here.
    public static let unsupported = ErrorCode(rawValue: "media.unsupported")
    /// The encoder or the writer of the container refused the samples.
    public static let encodeFailed = ErrorCode(rawValue: "media.encodeFailed")
    /// The memory that was needed could not be had.
    public static let outOfMemory = ErrorCode(rawValue: "media.outOfMemory")
    /// Writing the file failed.
    public static let fileWriteFailed = ErrorCode(rawValue: "file.writeFailed")
}

extension SyrinxError {
    static func outOfMemory(_ name: String) -> SyrinxError {
        SyrinxError(.outOfMemory, "There is not enough memory.", name: name)
    }
}

/// Returns FFmpeg's text for one of its error numbers.
func describe(averror: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
        guard let base = text.baseAddress, av_strerror(averror, base, text.count) == 0 else {
            return "error \(averror)"
        }
        return String(cString: base)
    }
}
