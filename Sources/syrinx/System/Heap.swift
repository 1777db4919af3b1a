import Foundation

/// Functions for the heap of the process.
enum Heap {
    /// Returns freed memory to the system, which glibc would otherwise keep.
    ///
    /// Takes a few milliseconds. Has no effect with other C libraries. Thread-safe.
    static func returnUnusedMemory() {
        // Glibc's module map does not include malloc.h.
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        // The declaration in glibc is int malloc_trim(size_t).
        let trim = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)
        _ = trim(0)
    }
}
