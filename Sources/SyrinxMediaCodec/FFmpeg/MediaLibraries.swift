internal import CSyrinxFFmpeg
internal import CSyrinxSwscale

/// The loaded FFmpeg libraries.
package enum MediaLibraries {
    /// The names and versions, starting with the FFmpeg release.
    package static var versions: [(name: String, version: String)] {
        [
            ("FFmpeg", String(cString: av_version_info())), ("libavformat", text(avformat_version())),
            ("libavcodec", text(avcodec_version())), ("libavutil", text(avutil_version())),
            ("libswresample", text(swresample_version())), ("libswscale", text(swscale_version())),
        ]
    }

    /// Returns a version with 16 bits for the major and 8 bits each for the minor and micro number as text.
    private static func text(_ version: UInt32) -> String {
        "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
    }
}
