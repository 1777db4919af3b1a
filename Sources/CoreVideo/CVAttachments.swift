public import Foundation

/// Whether an attachment goes with a buffer to others that are made of it.
public enum CVAttachmentMode: UInt32, Sendable {
    /// The attachment stays.
    case shouldNotPropagate = 0
    /// The attachment goes with the buffer.
    case shouldPropagate = 1
}

/// The key of the matrix between red, green, blue and luma, chroma: one of the texts `kCVImageBufferYCbCrMatrix_…`.
public let kCVImageBufferYCbCrMatrixKey: String = "CVImageBufferYCbCrMatrix"
/// The matrix of high definition (ITU-R BT.709).
public let kCVImageBufferYCbCrMatrix_ITU_R_709_2: String = "ITU_R_709_2"
/// The matrix of standard definition (ITU-R BT.601).
public let kCVImageBufferYCbCrMatrix_ITU_R_601_4: String = "ITU_R_601_4"
/// The matrix of ultra-high definition (ITU-R BT.2020).
public let kCVImageBufferYCbCrMatrix_ITU_R_2020: String = "ITU_R_2020"
/// The matrix of early high definition (SMPTE 240M).
public let kCVImageBufferYCbCrMatrix_SMPTE_240M_1995: String = "SMPTE_240M_1995"
/// The key of the shape of a pixel, a dictionary of its spacings.
public let kCVImageBufferPixelAspectRatioKey: String = "CVPixelAspectRatio"
/// The key of a pixel's width in relation to its height.
public let kCVImageBufferPixelAspectRatioHorizontalSpacingKey: String = "HorizontalSpacing"
/// The key of a pixel's height in relation to its width.
public let kCVImageBufferPixelAspectRatioVerticalSpacingKey: String = "VerticalSpacing"

/// Attaches a value to a buffer, in the place of one that the key has.
public func CVBufferSetAttachment(
    _ buffer: CVBuffer,
    _ key: String,
    _ value: Any,
    _ attachmentMode: CVAttachmentMode
) { buffer.setAttachment(key, value, attachmentMode) }

/// Returns an attachment, and says whether it goes with the buffer; `nil` if there is none of that key.
public func CVBufferCopyAttachment(
    _ buffer: CVBuffer,
    _ key: String,
    _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Any? {
    guard let attachment = buffer.attachment(key) else { return nil }
    attachmentMode?.pointee = attachment.mode
    return attachment.value
}

/// Returns the attachments of a mode.
public func CVBufferCopyAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
    NSDictionary(dictionary: buffer.attachments(attachmentMode))
}

/// Returns whether a buffer has an attachment of that key.
public func CVBufferHasAttachment(_ buffer: CVBuffer, _ key: String) -> Bool { buffer.attachment(key) != nil }

/// Removes an attachment.
public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: String) {
    buffer.setAttachment(key, nil, .shouldNotPropagate)
}

/// Removes all attachments.
public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) { buffer.removeAttachments() }

/// Copies the attachments that go with `sourceBuffer` to `destinationBuffer`.
public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
    for (key, value) in sourceBuffer.attachments(.shouldPropagate) {
        destinationBuffer.setAttachment(key, value, .shouldPropagate)
    }
}
