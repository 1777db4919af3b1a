import AVFoundation
import SyrinxTestSupport
import Testing

/// Films of numbered pictures, with a tone.
struct FilmFiles {
    let scratch: ScratchDirectory
    static let rate = 25.0

    init() throws { scratch = try ScratchDirectory() }

    /// Makes a film of 25 pictures a second, with groups of 25 and two B-frames in a row.
    func film(_ name: String = "film.mp4", seconds: Double = 4, hasSound: Bool = true, _ options: [String] = []) throws
        -> URL
    {
        let url = scratch.url(name)
        let sound = hasSound ? ["-f", "lavfi", "-i", "sine=441:d=\(seconds)"] : []
        let encoding = [
            "-c:v", "libx264", "-bf", "2", "-g", "25", "-sc_threshold", "0", "-crf", "8", "-pix_fmt", "yuv420p",
        ]
        let source = NumberedPictures.source(seconds: seconds)
        try FFmpeg.run(["-f", "lavfi", "-i", source] + sound + encoding + options + [url.path])
        return url
    }

    /// Makes a film whose track states a quarter turn (ISO/IEC 14496-12, `tkhd`): versions of FFmpeg differ in how one asks for it.
    func rotatedFilm(seconds: Double) throws -> URL {
        let url = try film("rotated.mp4", seconds: seconds)
        var bytes = try Data(contentsOf: url)
        // a, b, u, c, d, v, tx, ty, w: against the clock; the picture is 64 wide.
        let turned: [UInt32] = [0, 0xFFFF_0000, 0, 0x1_0000, 0, 0, 0, 64 << 16, 0x4000_0000]
        var place = bytes.startIndex
        while let header = bytes.range(of: Data("tkhd".utf8), in: place..<bytes.endIndex) {
            place = header.upperBound
            // The width of a track with sound is 0.
            guard bytes[(place + 76)...].prefix(4) != Data(count: 4) else { continue }
            let matrix = Data(
                turned.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
            )
            bytes.replaceSubrange(place + 40..<place + 76, with: matrix)
        }
        try bytes.write(to: url)
        return url
    }
}

/// The settings of pictures with blue, green, red and alpha.
var bgraSettings: [String: Any] { [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA] }

extension CVBuffer {
    /// The number that a numbered picture shows, in BGRA or with a plane of luma in the narrow range.
    var number: Int {
        CVPixelBufferLockBaseAddress(self, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
        guard let base = CVPixelBufferGetBaseAddressOfPlane(self, 0) else { return -1 }
        let isBGRA = CVPixelBufferGetPixelFormatType(self) == kCVPixelFormatType_32BGRA
        let (width, step) = (CVPixelBufferGetWidth(self), isBGRA ? 4 : 1)
        let row = base + CVPixelBufferGetHeight(self) / 2 * CVPixelBufferGetBytesPerRowOfPlane(self, 0)
        let sample = { (x: Int) in row.load(fromByteOffset: x * step, as: UInt8.self) }
        let (left, right) = (sample(width / 4), sample(width * 3 / 4))
        return isBGRA
            ? NumberedPictures.number(leftGrey: left, rightGrey: right)
            : NumberedPictures.number(left: left, right: right)
    }
}
