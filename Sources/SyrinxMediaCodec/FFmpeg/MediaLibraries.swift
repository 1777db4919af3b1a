internal import CSyrinxFFmpeg
internal import CSyrinxSwscale

/// FFmpeg's libraries in this process.
package enum MediaLibraries {
    /// The names and versions, that of the FFmpeg release first.
    package static var versions: [(name: String, version: String)] {
        [
            ("FFmpeg", String(cString: av_version_info())), ("libavformat", text(avformat_version())),
            ("libavcodec", text(avcodec_version())), ("libavutil", text(avutil_version())),
            ("libswresample", text(swresample_version())), ("libswscale", text(swscale_version())),
        ]
    }

    /// Returns the text of a version that has 16 bits of major, 8 of minor and 8 of micro.
    private static func text(_ version: UInt32) -> String {
        "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
    }
}
