internal import SyrinxByteStream

/// A description of the video of a recording.
///
/// Times are in ticks of `timeBase`, counted from the first audio frame, or from the first video frame if there is no
/// audio.
package struct VideoInfo: Sendable, Equatable {
    /// A fraction of two positive integers.
    package struct Fraction: Sendable, Equatable {
        package var numerator: Int32
        package var denominator: Int32

        /// The value as a floating-point number.
        package var value: Double { Double(numerator) / Double(denominator) }
    }

    /// The short name that FFmpeg has for the container.
    package var container: String
    /// The short name that FFmpeg has for the codec, for example `h264`, `hevc`, `mpeg4`, `vp9` or `av1`.
    package var codec: String
    /// The codec tag in MP4 and QuickTime files, or 0 if the container has none.
    package var codecTag: UInt32
    /// The width in pixels.
    package var width: Int
    /// The height in pixels.
    package var height: Int
    /// The aspect ratio of a pixel: its width divided by its height.
    package var pixelAspectRatio: Fraction
    /// The display matrix in row-major order, or `nil` if there is none.
    ///
    /// Its elements have 16 fractional bits, and those of the last column 30.
    package var displayMatrix: [Int32]?
    /// The duration of a tick in seconds.
    package var timeBase: Fraction
    /// The time of the first frame.
    package var start: Int64
    /// The duration in ticks, or `nil` if it is unknown.
    package var duration: Int64?
    /// The average frame rate, or `nil` if it is unknown.
    package var frameRate: Fraction?
    /// The highest frame rate, or `nil` if it is unknown.
    package var highestFrameRate: Fraction?
    /// The bit rate in bits per second, or `nil` if it is unknown.
    package var bitRate: Int?
    /// The size of the file in bytes, or `nil` if it is unknown.
    package var size: Int64?
    /// FFmpeg's extradata, which the decoder needs besides the packets, or an empty array.
    package var extraData: [UInt8]
    /// Whether the recording can be read from any position.
    package var isSeekable: Bool

    /// Converts ticks to seconds.
    package func seconds(_ ticks: Int64) -> Double { Double(ticks) * timeBase.value }

    /// Converts seconds to ticks, rounded down so that a frame that starts at the time contains it.
    package func ticks(_ seconds: Double) -> Int64 {
        let exact = seconds / timeBase.value
        // A time within rounding error of a tick is that tick.
        let nearest = exact.rounded()
        return Int64(clamped: abs(exact - nearest) < 1e-4 ? nearest : exact.rounded(.down))
    }
}

/// A pixel format for decoded frames, with 8 bits per sample.
package enum PictureFormat: Sendable, Equatable, CaseIterable {
    case bgra, argb, abgr, rgba, rgb, bgr, gray
    /// A luma plane, and a plane of interleaved blue and red chroma at half the width and height.
    case biplanar420(isFullRange: Bool)
    /// A luma plane, a blue chroma plane and a red chroma plane, the chroma at half the width and height.
    case planar420(isFullRange: Bool)

    package static var allCases: [PictureFormat] {
        [.bgra, .argb, .abgr, .rgba, .rgb, .bgr, .gray] + [false, true].map { .biplanar420(isFullRange: $0) }
            + [false, true].map { .planar420(isFullRange: $0) }
    }

    /// Whether the samples are luma and chroma.
    package var isYCbCr: Bool {
        switch self {
        case .biplanar420, .planar420: true
        default: false
        }
    }
}

/// The memory of a plane of a frame.
package struct PicturePlane {
    package let base: UnsafeMutableRawPointer
    /// The number of bytes between the starts of adjacent rows.
    package let bytesPerRow: Int

    package init(base: UnsafeMutableRawPointer, bytesPerRow: Int) {
        self.base = base
        self.bytesPerRow = bytesPerRow
    }
}

/// The matrix that converts between RGB and luma with chroma.
package enum PictureMatrix: Sendable, Equatable {
    case bt601, bt709, bt2020, smpte240m
}
