internal import CSyrinxFFmpeg
public import SyrinxByteStream

// The error codes for reading and writing recordings.
extension ErrorCode {
    /// The data is not a known audio or video format: for example a web page or a text.
    public static let notAudio = ErrorCode(rawValue: "media.notAudio")
    /// The recording contains no video.
    public static let notVideo = ErrorCode(rawValue: "media.notVideo")
    /// The file or stream contains no bytes.
    public static let empty = ErrorCode(rawValue: "media.empty")
    /// The data ends before the length that the recording states.
    public static let truncated = ErrorCode(rawValue: "media.truncated")
    /// The format is known, but nothing in the recording can be decoded.
    public static let corrupt = ErrorCode(rawValue: "media.corrupt")
    /// The format, sample rate or channel count is not supported for reading or writing.
    public static let unsupported = ErrorCode(rawValue: "media.unsupported")
    /// The encoder or the container writer rejected the samples.
    public static let encodeFailed = ErrorCode(rawValue: "media.encodeFailed")
    /// An allocation failed.
    public static let outOfMemory = ErrorCode(rawValue: "media.outOfMemory")
    /// Writing to the file failed.
    public static let fileWriteFailed = ErrorCode(rawValue: "file.writeFailed")
}

extension SyrinxError {
    static func outOfMemory(_ name: String) -> SyrinxError {
        SyrinxError(.outOfMemory, "There is not enough memory.", name: name)
    }
}

/// Returns the message that FFmpeg has for an error number.
func describe(averror: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
        guard let base = text.baseAddress, av_strerror(averror, base, text.count) == 0 else {
            return "error \(averror)"
        }
        return String(cString: base)
    }
}
