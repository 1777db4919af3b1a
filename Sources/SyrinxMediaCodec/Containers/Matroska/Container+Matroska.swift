import SyrinxByteStream

extension Container {
    /// Matroska (RFC 9559).
    static let matroska = matroska("matroska") {
        MatroskaHeader(bridge: $0).documentType == "webm" ? webm : nil
    }

    private static let webm = matroska("webm")

    private static func matroska(_ name: String, variant: (@Sendable (AVIOBridge) -> Container?)? = nil) -> Container {
        Container(name, demuxer: "matroska") {
            $0.statesEveryGap = true
            $0.variant = variant
            $0.makeSource = { reader throws(SyrinxError) in try MatroskaSource(reader, first: try reader.readFirst()) }
        }
    }
}
