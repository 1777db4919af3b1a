public import CoreAudioTypes

/// Blue, green, red, alpha: 8 bits each, in this order in memory.
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
/// Alpha, red, green, blue: 8 bits each, in this order in memory.
public let kCVPixelFormatType_32ARGB: OSType = 32
/// Alpha, blue, green, red: 8 bits each, in this order in memory.
public let kCVPixelFormatType_32ABGR: OSType = 0x4142_4752
/// Red, green, blue, alpha: 8 bits each, in this order in memory.
public let kCVPixelFormatType_32RGBA: OSType = 0x5247_4241
/// Red, green, blue: 8 bits each, in this order in memory.
public let kCVPixelFormatType_24RGB: OSType = 24
/// Blue, green, red: 8 bits each, in this order in memory.
public let kCVPixelFormatType_24BGR: OSType = 0x3234_4247
/// One 8-bit component: gray.
public let kCVPixelFormatType_OneComponent8: OSType = 0x4C30_3038
/// `420v`: a plane of luma, 16…235, and a plane of interleaved Cb and Cr, 16…240, at half width and height.
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
/// `420f`: a plane of luma, 0…255, and a plane of interleaved Cb and Cr, 0…255, at half width and height.
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
/// `y420`: a plane of luma, 16…235, and two planes of Cb and Cr, 16…240, at half width and height.
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
/// `f420`: a plane of luma, 0…255, and two planes of Cb and Cr, 0…255, at half width and height.
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = 0x6634_3230

/// The planes of a pixel format.
struct PixelLayout {
    /// A plane: the size of an element in bytes, and the number of pixels per element in each direction.
    struct Plane {
        let elementSize: Int
        let subsampling: Int
    }

    let planes: [Plane]
    /// Whether the format is planar.
    var isPlanar: Bool { planes.count > 1 }

    /// Returns the layout of a pixel format; `nil` for an unsupported one.
    init?(_ format: OSType) {
        switch format {
        case kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_32ABGR, kCVPixelFormatType_32RGBA:
            planes = [Plane(elementSize: 4, subsampling: 1)]
        case kCVPixelFormatType_24RGB, kCVPixelFormatType_24BGR: planes = [Plane(elementSize: 3, subsampling: 1)]
        case kCVPixelFormatType_OneComponent8: planes = [Plane(elementSize: 1, subsampling: 1)]
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
            planes = [Plane(elementSize: 1, subsampling: 1), Plane(elementSize: 2, subsampling: 2)]
        case kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange:
            let chroma = Plane(elementSize: 1, subsampling: 2)
            planes = [Plane(elementSize: 1, subsampling: 1), chroma, chroma]
        default: return nil
        }
    }
}
