internal import SyrinxByteStream

/// Containers for which libavformat suffices.
extension Container {
    /// The samples of a stream without a header, in the format that the caller states.
    static let raw = Container("raw")

    /// Sun's and NeXT's AU.
    static let au = Container("au") {
        $0.fileType = 0x4E65_5854  // NeXT
        $0.cutting = .samples
    }

    /// AMR (RFC 4867).
    static let amr = Container("amr") {
        $0.fileType = 0x616D_7266  // amrf
    }

    /// Audio Video Interleave.
    static let avi = Container("avi") { $0.pictures.countInDecodingOrder = true }

    /// Tracker modules (MOD, XM, S3M, IT and others), if libavformat was built with libopenmpt.
    static let module = Container("libopenmpt") {
        $0.makeSource = { reader throws(SyrinxError) in
            var statement = ContainerStatement()
            // Notes continue to sound after the stated end.
            statement.length = { _ in .roughlyByTimestamps }
            return try PacketSource(reader, first: try reader.readFirst(), statement)
        }
    }

    /// The program stream of MPEG (ISO/IEC 13818-1).
    static let mpegProgram = Container("mpeg") { $0.pictures.haveTimesByPack = true }
}
