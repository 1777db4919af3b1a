package import SyrinxByteStream

extension VideoReader {
    /// Opens a still picture, such as a cover, as a recording of one picture; an animation has several.
    /// - Parameters:
    ///   - bytes: The contents of a PNG, JPEG, GIF, WebP or BMP file.
    ///   - name: The name of the picture in error messages.
    /// - Returns: The reader of the picture.
    /// - Throws: `.notVideo` for other bytes, or the errors of `open(_:)`.
    package static func openPicture(_ bytes: [UInt8], name: String) throws(SyrinxError) -> VideoReader {
        guard let format = stillFormat(of: bytes) else {
            throw SyrinxError(.notVideo, "It is not a picture in a known format.", name: name)
        }
        return try open(MemoryByteStream(bytes, name: name), stillFormat: format)
    }

    /// Returns libavformat's name of the format of a picture; `nil` for other bytes.
    private static func stillFormat(of bytes: [UInt8]) -> String? {
        let begins = { (text: String, offset: Int) in bytes.dropFirst(offset).starts(with: text.utf8) }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png_pipe" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpeg_pipe" }
        if begins("GIF8", 0) { return "gif" }
        if begins("RIFF", 0), begins("WEBP", 8) { return "webp_pipe" }
        return begins("BM", 0) ? "bmp_pipe" : nil
    }
}
