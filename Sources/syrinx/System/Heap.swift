import Foundation

/// The heap of the process.
enum Heap {
    /// Returns memory to the system that has been freed, and that glibc would keep for later.
    ///
    /// Takes milliseconds. Without effect with other C libraries. Any thread.
    static func returnUnusedMemory() {
        // The module map of Glibc has no malloc.h.
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        // The declaration of glibc: int malloc_trim(size_t).
        let trim = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)
        _ = trim(0)
    }
}
