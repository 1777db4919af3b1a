internal import CSyrinxCoreMedia
internal import CoreVideo
internal import Foundation

/// Memory that block buffers share: allocated at first use, and freed with the last buffer.
final class MemoryBlock {
    /// The functions that allocate and free the memory.
    enum Source {
        case allocator(CFAllocator)
        case custom(CMBlockBufferCustomBlockSource)
        case closures(allocate: (Int) -> UnsafeMutableRawPointer?, free: (UnsafeMutableRawPointer, Int) -> Void)
    }

    let length: Int
    private(set) var base: UnsafeMutableRawPointer?
    private let source: Source

    /// Creates a block with memory of the caller, or with a deferred allocation if `base` is `nil`.
    init(_ base: UnsafeMutableRawPointer?, length: Int, source: Source) {
        self.base = base
        self.length = length
        self.source = source
    }

    /// Allocates the memory, unless it is already allocated.
    func allocate() -> OSStatus {
        guard base == nil else { return kCMBlockBufferNoErr }
        switch source {
        case .allocator(let allocator): base = allocator.allocate(length)
        case .custom(let custom):
            guard let allocate = custom.AllocateBlock else { return kCMBlockBufferBadCustomBlockSourceErr }
            base = allocate(custom.refCon, length)
        case .closures(let allocate, _): base = allocate(length)
        }
        return base == nil ? kCMBlockBufferBlockAllocationFailedErr : kCMBlockBufferNoErr
    }

    deinit {
        guard let base else { return }
        switch source {
        case .allocator(let allocator): allocator.deallocate(base)
        case .custom(let custom): custom.FreeBlock?(custom.refCon, base, length)
        case .closures(_, let free): free(base, length)
        }
    }
}
