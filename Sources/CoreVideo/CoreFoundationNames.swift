public import Foundation

// Names of Core Foundation that the functions of Core Video and Core Media take, each for the type of Foundation that stands in its
// place. Texts are `String`, so that keys are taken as they are; `CFString` is AVFAudio's, an object.

/// Core Foundation's name of an array.
public typealias CFArray = NSArray
/// Core Foundation's name of a dictionary.
public typealias CFDictionary = NSDictionary
/// Core Foundation's name of any object.
public typealias CFTypeRef = AnyObject
/// Core Foundation's name of a position or length.
public typealias CFIndex = Int

/// A range of positions.
public struct CFRange: Hashable, Sendable {
    /// The first position.
    public var location: CFIndex
    /// The number of positions.
    public var length: CFIndex

    /// An empty range at 0.
    public init() {
        self.init(location: 0, length: 0)
    }

    /// A range of `length` positions from `location` on.
    public init(location: CFIndex, length: CFIndex) {
        self.location = location
        self.length = length
    }
}

/// Returns a range of `len` positions from `loc` on.
public func CFRangeMake(_ loc: CFIndex, _ len: CFIndex) -> CFRange { CFRange(location: loc, length: len) }

/// A source of memory.
///
/// Objects are always allocated by Swift. The allocator decides only about the memory of blocks, which the C library gives, and
/// about memory of the caller's that a block buffer takes over: `kCFAllocatorNull` leaves that alone.
public final class CFAllocator: Sendable {
    package let frees: Bool

    fileprivate init(frees: Bool) {
        self.frees = frees
    }

    /// Returns memory, or `nil` if there is none left.
    package func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? { frees ? malloc(max(byteCount, 1)) : nil }

    package func deallocate(_ memory: UnsafeMutableRawPointer) {
        if frees { free(memory) }
    }

    /// The allocator that a caller asks for.
    package static func resolved(_ allocator: CFAllocator?) -> CFAllocator { allocator ?? system }

    fileprivate static let system = CFAllocator(frees: true)
    fileprivate static let none = CFAllocator(frees: false)
}

/// The usual allocator: `nil`, which stands for `malloc` and `free`.
public let kCFAllocatorDefault: CFAllocator? = nil
/// The allocator that stands for `malloc` and `free`.
public let kCFAllocatorSystemDefault: CFAllocator? = CFAllocator.system
/// The allocator that stands for `malloc` and `free`.
public let kCFAllocatorMalloc: CFAllocator? = CFAllocator.system
/// The allocator that gives no memory and frees none.
public let kCFAllocatorNull: CFAllocator? = CFAllocator.none
