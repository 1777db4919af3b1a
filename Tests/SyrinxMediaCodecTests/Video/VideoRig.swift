import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport

extension VideoReader {
    /// Opens a file.
    static func open(_ url: URL) throws -> VideoReader {
        try VideoReader.open(TestStream(file: url))
    }

    /// Reads on to the end, or so many pictures.
    func readAll(limit: Int = .max) throws -> [VideoFrame] {
        var frames: [VideoFrame] = []
        while frames.count < limit, let frame = try next() { frames.append(frame) }
        return frames
    }
}

/// The pixels of a picture with one plane.
struct Pixels {
    let bytes: [UInt8]
    let bytesPerRow: Int
    let pixelSize: Int

    init(_ frame: VideoFrame, _ format: PictureFormat = .bgra, width: Int? = nil, height: Int? = nil) throws {
        let (width, height) = (width ?? frame.width, height ?? frame.height)
        pixelSize = [.rgb, .bgr].contains(format) ? 3 : format == .gray ? 1 : 4
        bytesPerRow = (width * pixelSize + 63) / 64 * 64
        var memory = [UInt8](repeating: 0xA5, count: bytesPerRow * height + 64)
        let rowSize = bytesPerRow
        try memory.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let plane = PicturePlane(base: base, bytesPerRow: rowSize)
            let converter = PictureConverter(name: "test")
            try converter.convert(frame, to: format, width: width, height: height, planes: [plane])
        }
        bytes = memory
    }

    subscript(x: Int, y: Int) -> [UInt8] {
        let start = y * bytesPerRow + x * pixelSize
        return Array(bytes[start..<start + pixelSize])
    }
}

extension VideoFrame {
    /// The number that a picture of `NumberedPictures` shows.
    func number() throws -> Int {
        let pixels = try Pixels(self)
        let y = height / 2
        return NumberedPictures.number(leftGrey: pixels[width / 4, y][1], rightGrey: pixels[width * 3 / 4, y][1])
    }
}

/// Files of numbered pictures.
enum VideoFiles {
    /// The options of encoders, by the name of the file.
    static let encodings: [(name: String, options: [String])] = [
        ("b-frames.mp4", ["-c:v", "libx264", "-bf", "3", "-g", "25", "-pix_fmt", "yuv420p", "-crf", "8"]),
        ("long-group.mov", ["-c:v", "libx264", "-bf", "2", "-g", "250", "-pix_fmt", "yuv420p", "-crf", "8"]),
        ("open-groups.mkv", ["-c:v", "libx265", "-x265-params", "log-level=none:keyint=20:open-gop=1", "-crf", "8"]),
        ("fragments.mp4", ["-c:v", "libx264", "-g", "12", "-crf", "8", "-movflags", "frag_keyframe+empty_moov"]),
        (
            "vp9.webm",
            ["-c:v", "libvpx-vp9", "-g", "30", "-crf", "10", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "8"]
        ),
        ("old.avi", ["-c:v", "mpeg4", "-g", "15", "-q:v", "2"]),
        ("stream.ts", ["-c:v", "libx264", "-bf", "2", "-g", "25", "-crf", "8"]),
        ("h264.avi", ["-c:v", "libx264", "-bf", "3", "-g", "25", "-pix_fmt", "yuv420p", "-crf", "8"]),
        ("mpeg4.avi", ["-c:v", "mpeg4", "-bf", "2", "-g", "15", "-sc_threshold", "1000000", "-q:v", "2"]),
        ("open-groups.avi", ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-sc_threshold", "1000000", "-q:v", "2"]),
        ("mpeg2.mpg", ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-q:v", "2"]),
        ("mpeg1.mpg", ["-c:v", "mpeg1video", "-bf", "2", "-g", "12", "-q:v", "2"]),
        ("h264.mpg", ["-c:v", "libx264", "-bf", "2", "-g", "25", "-pix_fmt", "yuv420p", "-crf", "8"]),
        ("large.mpg", noise + ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-sc_threshold", "1000000", "-q:v", "2"]),
        ("large-h264.mpg", noise + ["-c:v", "libx264", "-bf", "2", "-g", "12", "-pix_fmt", "yuv420p", "-crf", "8"]),
    ]

    /// Makes pictures of several packs each, with noise below their middle.
    private static let noise = [
        "-vf",
        "scale=320:240:flags=neighbor,split[a][b];[b]noise=alls=80:allf=t,crop=320:80:0:0[n];[a][n]overlay=0:160",
    ]

    static func make(_ name: String, in scratch: ScratchDirectory, seconds: Double = 4, rate: String = "25") throws
        -> URL
    {
        let options = encodings.first { $0.name == name }?.options ?? []
        let source = NumberedPictures.source(seconds: seconds, rate: rate)
        return try scratch.make(["-f", "lavfi", "-i", source] + options + [name])
    }
}
