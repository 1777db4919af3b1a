public import Foundation

// Names of Core Foundation that appear in Core Video and Core Media, as aliases of Foundation types. Strings are
// `String`, so that keys can be passed directly; `CFString` is an object type of AVFAudio.

/// Core Foundation's name of an array type.
public typealias CFArray = NSArray
/// Core Foundation's name of a dictionary type.
public typealias CFDictionary = NSDictionary
/// Core Foundation's name of any object type.
public typealias CFTypeRef = AnyObject
/// Core Foundation's name of the integer type for indices and lengths.
public typealias CFIndex = Int

/// A range of indices.
public struct CFRange: Hashable, Sendable {
    /// The first index.
    public var location: CFIndex
    /// The number of indices.
    public var length: CFIndex

    /// Creates an empty range at 0.
    public init() {
        self.init(location: 0, length: 0)
    }

    /// Creates a range of `length` indices that starts at `location`.
    public init(location: CFIndex, length: CFIndex) {
        self.location = location
        self.length = length
    }
}

/// Returns a range of `len` indices that starts at `loc`.
public func CFRangeMake(_ loc: CFIndex, _ len: CFIndex) -> CFRange { CFRange(location: loc, length: len) }

/// A memory allocator.
///
/// Swift allocates all objects. An allocator is used only for the memory of blocks, and for memory of the caller that a
/// block buffer takes over: `kCFAllocatorNull` does not free it.
public final class CFAllocator: Sendable {
    package let frees: Bool

    fileprivate init(frees: Bool) {
        self.frees = frees
    }

    /// Allocates memory; returns `nil` if memory is exhausted.
    package func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? { frees ? malloc(max(byteCount, 1)) : nil }

    package func deallocate(_ memory: UnsafeMutableRawPointer) {
        if frees { free(memory) }
    }

    /// Returns the allocator for an optional argument.
    package static func resolved(_ allocator: CFAllocator?) -> CFAllocator { allocator ?? system }

    fileprivate static let system = CFAllocator(frees: true)
    fileprivate static let none = CFAllocator(frees: false)
}

/// The default allocator: `nil`, which uses `malloc` and `free`.
public let kCFAllocatorDefault: CFAllocator? = nil
/// An allocator that uses `malloc` and `free`.
public let kCFAllocatorSystemDefault: CFAllocator? = CFAllocator.system
/// An allocator that uses `malloc` and `free`.
public let kCFAllocatorMalloc: CFAllocator? = CFAllocator.system
/// An allocator that allocates no memory and frees none.
public let kCFAllocatorNull: CFAllocator? = CFAllocator.none
