internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import SyrinxMediaCodec

/// The pixel format and the size in output settings.
struct PictureSettings: Sendable {
    /// The pixel format.
    let pixelFormat: OSType
    let format: PictureFormat
    /// The width in pixels; `nil` for that of the track.
    let width: Int?
    /// The height in pixels; `nil` for that of the track.
    let height: Int?

    /// The maximum width and height in pixels.
    private static let maximumSide = 16384

    /// The reason why settings are refused.
    struct Refusal: Error {
        let sentence: String
    }

    /// Reads settings from a dictionary; the defaults are `420v` and the size of the track.
    /// - Throws: A sentence about the unsupported setting.
    init(_ settings: [String: Any]) throws(Refusal) {
        if settings["AVVideoCodecKey"] != nil { throw Refusal(sentence: "Pictures are available only uncompressed.") }
        let formats = try Self.formats(settings[kCVPixelBufferPixelFormatTypeKey])
        let known = formats.lazy.compactMap { code in PictureFormat(code).map { (code, $0) } }
        guard let (code, format) = known.first else {
            throw Refusal(sentence: "None of the requested pixel formats is supported.")
        }
        (pixelFormat, self.format) = (code, format)
        width = try Self.side(settings[kCVPixelBufferWidthKey])
        height = try Self.side(settings[kCVPixelBufferHeightKey])
    }

    /// Creates settings with a pixel format and the size of the track.
    init(format code: OSType) throws(Refusal) { try self.init([kCVPixelBufferPixelFormatTypeKey: Int(code)]) }

    private static func formats(_ value: Any?) throws(Refusal) -> [OSType] {
        guard let value else { return [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange] }
        let values = value as? [Any] ?? [value]
        return values.compactMap(number).compactMap(OSType.init(exactly:))
    }

    private static func side(_ value: Any?) throws(Refusal) -> Int? {
        guard let value else { return nil }
        guard let side = number(value), (1...maximumSide).contains(side) else {
            throw Refusal(sentence: "The width and height of pictures are 1 to \(maximumSide) pixels.")
        }
        return side
    }

    private static func number(_ value: Any) -> Int? {
        switch value {
        case let value as any BinaryInteger: Int(exactly: value)
        case let value as NSNumber: value.intValue
        default: nil
        }
    }
}

extension PictureFormat {
    /// Returns the format for a Core Video code; `nil` for an unsupported one.
    init?(_ code: OSType) {
        switch code {
        case kCVPixelFormatType_32BGRA: self = .bgra
        case kCVPixelFormatType_32ARGB: self = .argb
        case kCVPixelFormatType_32ABGR: self = .abgr
        case kCVPixelFormatType_32RGBA: self = .rgba
        case kCVPixelFormatType_24RGB: self = .rgb
        case kCVPixelFormatType_24BGR: self = .bgr
        case kCVPixelFormatType_OneComponent8: self = .gray
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: self = .biplanar420(isFullRange: false)
        case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: self = .biplanar420(isFullRange: true)
        case kCVPixelFormatType_420YpCbCr8Planar: self = .planar420(isFullRange: false)
        case kCVPixelFormatType_420YpCbCr8PlanarFullRange: self = .planar420(isFullRange: true)
        default: return nil
        }
    }
}
