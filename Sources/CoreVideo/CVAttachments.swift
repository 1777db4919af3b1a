public import Foundation

/// Whether an attachment propagates to buffers that are derived from its buffer.
public enum CVAttachmentMode: UInt32, Sendable {
    /// The attachment does not propagate.
    case shouldNotPropagate = 0
    /// The attachment propagates to derived buffers.
    case shouldPropagate = 1
}

/// The key of the matrix for converting RGB to YCbCr, with one of the values `kCVImageBufferYCbCrMatrix_…`.
public let kCVImageBufferYCbCrMatrixKey: String = "CVImageBufferYCbCrMatrix"
/// The matrix for high-definition video (ITU-R BT.709).
public let kCVImageBufferYCbCrMatrix_ITU_R_709_2: String = "ITU_R_709_2"
/// The matrix for standard-definition video (ITU-R BT.601).
public let kCVImageBufferYCbCrMatrix_ITU_R_601_4: String = "ITU_R_601_4"
/// The matrix for ultra-high-definition video (ITU-R BT.2020).
public let kCVImageBufferYCbCrMatrix_ITU_R_2020: String = "ITU_R_2020"
/// The matrix for early high-definition video (SMPTE 240M).
public let kCVImageBufferYCbCrMatrix_SMPTE_240M_1995: String = "SMPTE_240M_1995"
/// The key of the pixel aspect ratio, a dictionary of two spacings.
public let kCVImageBufferPixelAspectRatioKey: String = "CVPixelAspectRatio"
/// The key of the horizontal spacing of the pixel aspect ratio.
public let kCVImageBufferPixelAspectRatioHorizontalSpacingKey: String = "HorizontalSpacing"
/// The key of the vertical spacing of the pixel aspect ratio.
public let kCVImageBufferPixelAspectRatioVerticalSpacingKey: String = "VerticalSpacing"

/// Attaches a value to a buffer, and replaces an attachment with the same key.
public func CVBufferSetAttachment(
    _ buffer: CVBuffer,
    _ key: String,
    _ value: Any,
    _ attachmentMode: CVAttachmentMode
) { buffer.setAttachment(key, value, attachmentMode) }

/// Returns an attachment and its propagation mode; `nil` if the buffer has no attachment with this key.
public func CVBufferCopyAttachment(
    _ buffer: CVBuffer,
    _ key: String,
    _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Any? {
    guard let attachment = buffer.attachment(key) else { return nil }
    attachmentMode?.pointee = attachment.mode
    return attachment.value
}

/// Returns the attachments with a propagation mode.
public func CVBufferCopyAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
    NSDictionary(dictionary: buffer.attachments(attachmentMode))
}

/// Returns whether a buffer has an attachment with this key.
public func CVBufferHasAttachment(_ buffer: CVBuffer, _ key: String) -> Bool { buffer.attachment(key) != nil }

/// Removes an attachment.
public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: String) {
    buffer.setAttachment(key, nil, .shouldNotPropagate)
}

/// Removes all attachments.
public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) { buffer.removeAttachments() }

/// Copies the attachments of `sourceBuffer` that propagate to `destinationBuffer`.
public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
    for (key, value) in sourceBuffer.attachments(.shouldPropagate) {
        destinationBuffer.setAttachment(key, value, .shouldPropagate)
    }
}
