import CoreVideo
import Synchronization
import Testing

/// Pictures in memory.
@Suite struct CVPixelBufferTests {
    private func make(_ width: Int, _ height: Int, _ format: OSType) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        #expect(CVPixelBufferCreate(nil, width, height, format, nil, &buffer) == kCVReturnSuccess)
        return try #require(buffer)
    }

    @Test("A single-plane pixel buffer has rows of its pixels")
    func aPictureOfOnePlaneHasRowsOfItsPixels() throws {
        let buffer = try make(101, 7, kCVPixelFormatType_32BGRA)
        #expect(CVPixelBufferGetWidth(buffer) == 101 && CVPixelBufferGetHeight(buffer) == 7)
        #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA)
        #expect(!CVPixelBufferIsPlanar(buffer) && CVPixelBufferGetPlaneCount(buffer) == 0)
        #expect(CVPixelBufferGetBytesPerRow(buffer) == 448)
        #expect(CVPixelBufferGetDataSize(buffer) == 448 * 7)
    }

    @Test("Chroma planes of odd sizes are rounded up")
    func chromaOfOddSizesIsRoundedUp() throws {
        let buffer = try make(101, 7, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        #expect(CVPixelBufferIsPlanar(buffer) && CVPixelBufferGetPlaneCount(buffer) == 2)
        #expect(CVPixelBufferGetWidthOfPlane(buffer, 0) == 101 && CVPixelBufferGetHeightOfPlane(buffer, 0) == 7)
        #expect(CVPixelBufferGetWidthOfPlane(buffer, 1) == 51 && CVPixelBufferGetHeightOfPlane(buffer, 1) == 4)
        #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 0) == 128)
        #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 1) == 128)
        #expect(CVPixelBufferGetDataSize(buffer) == 128 * 7 + 128 * 4)
        CVPixelBufferLockBaseAddress(buffer, [])
        #expect(CVPixelBufferGetBaseAddress(buffer) == nil)
        let luma = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, 0))
        let chroma = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, 1))
        #expect(chroma - luma == 128 * 7)
        #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 2) == nil && CVPixelBufferGetWidthOfPlane(buffer, -1) == 0)
    }

    @Test("Three planes are stored one after another")
    func threePlanesLieOneAfterAnother() throws {
        let buffer = try make(64, 64, kCVPixelFormatType_420YpCbCr8Planar)
        #expect(CVPixelBufferGetPlaneCount(buffer) == 3)
        #expect(CVPixelBufferGetWidthOfPlane(buffer, 2) == 32 && CVPixelBufferGetHeightOfPlane(buffer, 2) == 32)
    }

    @Test("Memory is accessible while it is locked")
    func memoryIsAvailableWhileItIsLocked() throws {
        let buffer = try make(4, 4, kCVPixelFormatType_32BGRA)
        #expect(CVPixelBufferGetBaseAddress(buffer) == nil)
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
        let base = try #require(CVPixelBufferGetBaseAddress(buffer))
        #expect(UnsafeRawBufferPointer(start: base, count: CVPixelBufferGetDataSize(buffer)).allSatisfy { $0 == 0 })
        #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
        #expect(CVPixelBufferGetBaseAddress(buffer) == nil)
        #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnInvalidArgument)
    }

    @Test(
        "Impossible sizes and formats are rejected",
        arguments: [
            (0, 4, kCVPixelFormatType_32BGRA, kCVReturnInvalidSize),
            (4, -1, kCVPixelFormatType_32BGRA, kCVReturnInvalidSize),
            (.max, .max, kCVPixelFormatType_32BGRA, kCVReturnInvalidSize),
            (4, 4, 0x3031_3233, kCVReturnInvalidPixelFormat),
        ]
    )
    func whatCannotBeIsRefused(_ width: Int, _ height: Int, _ format: OSType, _ expected: CVReturn) {
        var buffer: CVPixelBuffer?
        #expect(CVPixelBufferCreate(nil, width, height, format, nil, &buffer) == expected)
        #expect(buffer == nil)
    }

    @Test("An alignment that is not a power of two is rejected")
    func anAlignmentThatIsNoPowerOfTwoIsRefused() throws {
        var buffer: CVPixelBuffer?
        var attributes: NSDictionary = [kCVPixelBufferBytesPerRowAlignmentKey: 48]
        let format = kCVPixelFormatType_32BGRA
        #expect(CVPixelBufferCreate(nil, 5, 5, format, attributes, &buffer) == kCVReturnInvalidPixelBufferAttributes)
        attributes = [kCVPixelBufferBytesPerRowAlignmentKey: 256]
        #expect(CVPixelBufferCreate(nil, 5, 5, format, attributes, &buffer) == kCVReturnSuccess)
        let made = try #require(buffer)
        #expect(CVPixelBufferGetBytesPerRow(made) == 256)
    }

    @Test("Memory of the caller is released exactly once")
    func memoryOfTheCallersIsGivenBackOnce() throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 16)
        defer { memory.deallocate() }
        nonisolated(unsafe) var calls = 0
        var buffer: CVPixelBuffer?
        let format = kCVPixelFormatType_32BGRA
        let release: CVPixelBufferReleaseBytesCallback = { _, bytes in
            if bytes == UnsafeRawPointer(memory) { calls += 1 }
        }
        let refused = CVPixelBufferCreateWithBytes(nil, 5, 5, format, memory, 19, release, nil, nil, &buffer)
        #expect(refused == kCVReturnInvalidArgument)
        #expect(
            CVPixelBufferCreateWithBytes(nil, 5, 5, format, memory, 20, release, nil, nil, &buffer) == kCVReturnSuccess
        )
        let bytesPerRow = CVPixelBufferGetBytesPerRow(try #require(buffer))
        #expect(calls == 0 && bytesPerRow == 20)
        buffer = nil
        #expect(calls == 1)
    }

    @Test("Propagated attachments are copied to another buffer")
    func attachmentsGoWithABufferWhereTheyAreTo() throws {
        let (one, two) = (try make(2, 2, kCVPixelFormatType_32BGRA), try make(2, 2, kCVPixelFormatType_32BGRA))
        CVBufferSetAttachment(one, "stays", 1, .shouldNotPropagate)
        CVBufferSetAttachment(
            one,
            kCVImageBufferYCbCrMatrixKey,
            kCVImageBufferYCbCrMatrix_ITU_R_709_2,
            .shouldPropagate
        )
        CVBufferPropagateAttachments(one, two)
        var mode = CVAttachmentMode.shouldNotPropagate
        let matrix = CVBufferCopyAttachment(two, kCVImageBufferYCbCrMatrixKey, &mode) as? String
        #expect(matrix == kCVImageBufferYCbCrMatrix_ITU_R_709_2 && mode == .shouldPropagate)
        #expect(CVBufferCopyAttachment(two, "stays", nil) == nil && CVBufferHasAttachment(one, "stays"))
        CVBufferRemoveAllAttachments(one)
        #expect(!CVBufferHasAttachment(one, "stays"))
    }

    @Test("Non-square pixels stretch the display width")
    func pixelsThatAreNotSquareStretchTheWidth() throws {
        let buffer = try make(720, 576, kCVPixelFormatType_32BGRA)
        let ratio: NSDictionary = [
            kCVImageBufferPixelAspectRatioHorizontalSpacingKey: 16,
            kCVImageBufferPixelAspectRatioVerticalSpacingKey: 15,
        ]
        CVBufferSetAttachment(buffer, kCVImageBufferPixelAspectRatioKey, ratio, .shouldPropagate)
        #expect(CVImageBufferGetDisplaySize(buffer) == CGSize(width: 768, height: 576))
        #expect(CVImageBufferGetEncodedSize(buffer) == CGSize(width: 720, height: 576))
    }
}
