/// The result of a function of Core Video: 0 is success.
public typealias CVReturn = Int32

/// Success.
public let kCVReturnSuccess: CVReturn = 0
/// The first error code.
public let kCVReturnFirst: CVReturn = -6660
/// An unspecified error.
public let kCVReturnError: CVReturn = -6660
/// A parameter is invalid.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// The memory could not be allocated.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// The operation is not supported.
public let kCVReturnUnsupported: CVReturn = -6663
/// The pixel format is not supported.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// The width or height is 0, negative, or too large.
public let kCVReturnInvalidSize: CVReturn = -6681
/// The attributes are invalid or not supported.
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
/// A pool has reached its maximum number of buffers.
public let kCVReturnWouldExceedAllocationThreshold: CVReturn = -6689
/// A pool could not be allocated.
public let kCVReturnPoolAllocationFailed: CVReturn = -6690
/// The attributes of a pool are invalid.
public let kCVReturnInvalidPoolAttributes: CVReturn = -6691
/// The operation may succeed if it is repeated.
public let kCVReturnRetry: CVReturn = -6692
/// The last error code.
public let kCVReturnLast: CVReturn = -6699
