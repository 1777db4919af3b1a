import Foundation

/// Pictures that show their own number: the left half has the lower digit as a level of grey, the right half the higher one.
///
/// The digits are those of the base 16, so 256 pictures differ clearly even after a lossy encoding.
public enum NumberedPictures {
    public static let width = 64
    public static let height = 48
    private static let step = 12.0
    private static let offset = 20.0

    /// The source of libavfilter that makes them.
    public static func source(seconds: Double, rate: String = "25", width: Int = width, height: Int = height) -> String
    {
        let low = "mod(N,16)*12+20"
        let high = "mod(floor(N/16),16)*12+20"
        return "color=black:s=\(width)x\(height):r=\(rate):d=\(seconds),"
            + "geq=lum='if(lt(X,\(width / 2)),\(low),\(high))':cb=128:cr=128"
    }

    /// The number of a picture of luma in the range 16…235, by one sample of each half.
    public static func number(left: UInt8, right: UInt8) -> Int { digit(Double(left)) + 16 * digit(Double(right)) }

    /// The number of a picture of red, green and blue, by one sample of each half.
    public static func number(leftGrey left: UInt8, rightGrey right: UInt8) -> Int {
        let luma = { (grey: UInt8) in Double(grey) * 219 / 255 + 16 }
        return digit(luma(left)) + 16 * digit(luma(right))
    }

    private static func digit(_ luma: Double) -> Int { Int(((luma - offset) / step).rounded()) }
}

/// The `ffprobe` program, which says what the pictures of a file are.
public enum FFprobe {
    /// Returns the values of entries of each frame or packet of the first stream of pictures.
    /// - Parameters:
    ///   - entries: `frame=pts` for example.
    public static func pictures(_ path: String, _ entries: String) throws -> [[String]] {
        let arguments = ["-v", "error", "-select_streams", "v:0", "-show_entries", entries, "-of", "csv=p=0", path]
        let result = try runProcess("ffprobe", arguments)
        guard result.status == 0 else { throw FFmpeg.Failure(description: "ffprobe: \(result.errors)") }
        return String(decoding: result.stdout, as: UTF8.self).split(separator: "\n").map { line in
            line.split(separator: ",").map(String.init)
        }
    }
}
