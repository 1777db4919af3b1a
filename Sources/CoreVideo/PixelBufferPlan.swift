internal import CoreAudioTypes
internal import Foundation

/// The validated memory layout of pictures of one kind.
struct PixelBufferPlan {
    private let format: OSType
    private let width: Int
    private let height: Int
    private let size: PixelBufferSize
    private let isPlanar: Bool
    private let attributes: NSDictionary?

    /// A plan, or the error code.
    enum Outcome {
        case success(PixelBufferPlan)
        case failure(CVReturn)

        var status: CVReturn {
            switch self {
            case .success: kCVReturnSuccess
            case .failure(let status): status
            }
        }
    }

    /// Returns the plan for a picture if its format, size and alignment are valid.
    static func make(_ width: Int, _ height: Int, _ format: OSType, _ attributes: NSDictionary?) -> Outcome {
        guard let layout = PixelLayout(format) else { return .failure(kCVReturnInvalidPixelFormat) }
        let wanted = (attributes?[kCVPixelBufferBytesPerRowAlignmentKey] as? NSNumber)?.intValue ?? 1
        guard (1...PixelBufferSize.maximumAlignment).contains(wanted), wanted & (wanted - 1) == 0 else {
            return .failure(kCVReturnInvalidPixelBufferAttributes)
        }
        let alignment = max(wanted, PixelBufferSize.alignment)
        guard let size = PixelBufferSize(layout, width: width, height: height, alignment: alignment) else {
            return .failure(kCVReturnInvalidSize)
        }
        return .success(
            PixelBufferPlan(
                format: format,
                width: width,
                height: height,
                size: size,
                isPlanar: layout.isPlanar,
                attributes: attributes
            )
        )
    }

    /// Allocates zeroed memory for a picture, to be freed with `free`; returns `nil` if memory is exhausted.
    func allocate() -> UnsafeMutableRawPointer? {
        var memory: UnsafeMutableRawPointer?
        // Vector code may write slightly beyond the last pixel.
        let count = size.byteCount + PixelBufferSize.alignment
        guard posix_memalign(&memory, PixelBufferSize.alignment, count) == 0, let memory else { return nil }
        memset(memory, 0, count)
        return memory
    }

    /// Creates a picture in memory of the plan's size.
    func buffer(in memory: UnsafeMutableRawPointer, release: @escaping () -> Void) -> CVBuffer {
        CVBuffer(
            format: format,
            width: width,
            height: height,
            planes: size.planes.map { plane in
                CVBuffer.Plane(
                    width: plane.width,
                    height: plane.height,
                    bytesPerRow: plane.bytesPerRow,
                    base: memory + plane.offset
                )
            },
            byteCount: size.byteCount,
            isPlanar: isPlanar,
            attributes: attributes,
            release: release
        )
    }
}
