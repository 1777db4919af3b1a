internal import SyrinxByteStream

/// The description of the moving pictures of a recording.
///
/// Times are whole ticks of `timeBase`, counted from the start of the recording: where there is sound, from its first frame.
package struct VideoInfo: Sendable, Equatable {
    /// A fraction of two positive numbers.
    package struct Fraction: Sendable, Equatable {
        package var numerator: Int32
        package var denominator: Int32

        /// The quotient.
        package var value: Double { Double(numerator) / Double(denominator) }
    }

    /// The container, in FFmpeg's short name.
    package var container: String
    /// The codec, in FFmpeg's short name: `h264`, `hevc`, `mpeg4`, `vp9`, `av1` and others.
    package var codec: String
    /// The code that MP4 and QuickTime files have for the encoding; 0 if the container has none.
    package var codecTag: UInt32
    /// Pixels of a row.
    package var width: Int
    /// Rows.
    package var height: Int
    /// The width of a pixel in relation to its height.
    package var pixelAspectRatio: Fraction
    /// The matrix by which the pictures are to be shown, row by row; `nil` for none.
    ///
    /// Its numbers have 16 bits behind the point, those of the last column 30.
    package var displayMatrix: [Int32]?
    /// Seconds of a tick.
    package var timeBase: Fraction
    /// The time of the first picture.
    package var start: Int64
    /// The duration in ticks, if it is known.
    package var duration: Int64?
    /// Pictures of a second on average, if that is known.
    package var frameRate: Fraction?
    /// Pictures of a second where they follow each other fastest, if that is known.
    package var highestFrameRate: Fraction?
    /// Bits of a second, if that is known.
    package var bitRate: Int?
    /// Bytes of the file, if that is known.
    package var size: Int64?
    /// The data that a decoder needs beside the packets, as FFmpeg has them; empty if it needs none.
    package var extraData: [UInt8]
    /// Whether any time can be gone to.
    package var isSeekable: Bool

    /// Returns a time in ticks as seconds.
    package func seconds(_ ticks: Int64) -> Double { Double(ticks) * timeBase.value }

    /// Returns seconds as ticks, rounded down so that a picture that begins at a time covers it.
    package func ticks(_ seconds: Double) -> Int64 {
        let exact = seconds / timeBase.value
        // A time that is a whole number of ticks but for rounding is that number.
        let nearest = exact.rounded()
        return Int64(clamped: abs(exact - nearest) < 1e-4 ? nearest : exact.rounded(.down))
    }
}

/// An arrangement of samples that pictures can be converted to, with 8 bits a sample.
package enum PictureFormat: Sendable, Equatable, CaseIterable {
    case bgra, argb, abgr, rgba, rgb, bgr, gray
    /// A plane of luma and one of blue and red chroma in turn, at half the size.
    case biplanar420(isFullRange: Bool)
    /// Planes of luma, blue and red chroma, the last two at half the size.
    case planar420(isFullRange: Bool)

    package static var allCases: [PictureFormat] {
        [.bgra, .argb, .abgr, .rgba, .rgb, .bgr, .gray] + [false, true].map { .biplanar420(isFullRange: $0) }
            + [false, true].map { .planar420(isFullRange: $0) }
    }

    /// Whether samples are luma and chroma.
    package var isYCbCr: Bool {
        switch self {
        case .biplanar420, .planar420: true
        default: false
        }
    }
}

/// Memory of a plane of a picture.
package struct PicturePlane {
    package let base: UnsafeMutableRawPointer
    /// Bytes from one row to the next.
    package let bytesPerRow: Int

    package init(base: UnsafeMutableRawPointer, bytesPerRow: Int) {
        self.base = base
        self.bytesPerRow = bytesPerRow
    }
}

/// The relation between red, green, blue and luma, chroma.
package enum PictureMatrix: Sendable, Equatable {
    case bt601, bt709, bt2020, smpte240m
}
