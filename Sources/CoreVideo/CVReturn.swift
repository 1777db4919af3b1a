/// The result of a function of Core Video: 0 is success.
public typealias CVReturn = Int32

/// No failure.
public let kCVReturnSuccess: CVReturn = 0
/// The first of the failures.
public let kCVReturnFirst: CVReturn = -6660
/// A failure of no further known kind.
public let kCVReturnError: CVReturn = -6660
/// A parameter is out of its range.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// The memory could not be allocated.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// The operation is not possible here.
public let kCVReturnUnsupported: CVReturn = -6663
/// The pixel format is not one of those that are known here.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// The width or height is 0, negative, or too large.
public let kCVReturnInvalidSize: CVReturn = -6681
/// The attributes cannot be met.
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
/// A pool has as many buffers as it may have.
public let kCVReturnWouldExceedAllocationThreshold: CVReturn = -6689
/// A pool could not be allocated.
public let kCVReturnPoolAllocationFailed: CVReturn = -6690
/// The attributes of a pool cannot be met.
public let kCVReturnInvalidPoolAttributes: CVReturn = -6691
/// The operation may succeed if it is tried again.
public let kCVReturnRetry: CVReturn = -6692
/// The last of the failures.
public let kCVReturnLast: CVReturn = -6699
