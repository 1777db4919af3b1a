import CoreMedia
import Testing

/// Samples that are pictures.
@Suite struct ImageSampleTests {
    private func picture(_ width: Int = 8, _ format: OSType = kCVPixelFormatType_32BGRA) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        #expect(CVPixelBufferCreate(kCFAllocatorDefault, width, 6, format, nil, &buffer) == kCVReturnSuccess)
        return try #require(buffer)
    }

    private let timing = CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: 25),
        presentationTimeStamp: CMTime(value: 3, timescale: 25),
        decodeTimeStamp: .invalid
    )

    @Test("A sample buffer retains its image buffer")
    func aSampleHoldsItsPicture() throws {
        let picture = try picture()
        let format = try CMFormatDescription(imageBuffer: picture)
        let buffer = try CMSampleBuffer(imageBuffer: picture, formatDescription: format, sampleTiming: timing)
        #expect(buffer.imageBuffer === picture && CMSampleBufferGetImageBuffer(buffer) === picture)
        #expect(buffer.dataBuffer == nil && buffer.numSamples == 1)
        #expect(buffer.presentationTimeStamp == CMTime(value: 3, timescale: 25))
        #expect(buffer.duration == CMTime(value: 1, timescale: 25))
        #expect(format.dimensions.width == 8 && format.dimensions.height == 6)
        #expect(format.mediaSubType == .pixelFormat_32BGRA)
        #expect(try CMSampleBuffer(copying: buffer).imageBuffer === picture)
        #expect(try CMSampleBuffer(copying: buffer, forRange: 0..<1).imageBuffer === picture)
        CMSampleBufferInvalidate(buffer)
        #expect(buffer.imageBuffer == nil)
    }

    @Test("A format description that does not match the image is rejected")
    func aDescriptionOfAnotherPictureIsRefused() throws {
        let other = try CMFormatDescription(imageBuffer: picture(10))
        let planar = try CMFormatDescription(imageBuffer: picture(8, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange))
        for format in [other, planar] {
            var made: CMSampleBuffer?
            var timing = timing
            let status = CMSampleBufferCreateReadyWithImageBuffer(
                allocator: nil,
                imageBuffer: try picture(),
                formatDescription: format,
                sampleTiming: &timing,
                sampleBufferOut: &made
            )
            #expect(status == kCMSampleBufferError_InvalidMediaFormat && made == nil)
        }
    }
}
