/// Floats that their holder owns: allocated once, zeroed, aligned for any vector instruction, freed with the holder.
package struct AlignedFloatBuffer: ~Copyable {
    /// The size of the widest vector register in bytes (AVX-512), which libavutil's transforms require as alignment.
    private static let alignment = 64

    /// The first float.
    package let pointer: UnsafeMutablePointer<Float>
    let count: Int

    /// Allocates floats, all of them 0.
    /// - Parameter count: Their number; 1 at least.
    package init(count: Int) {
        self.count = max(count, 1)
        let raw = UnsafeMutableRawPointer.allocate(
            byteCount: self.count * MemoryLayout<Float>.stride,
            alignment: Self.alignment
        )
        pointer = raw.bindMemory(to: Float.self, capacity: self.count)
        pointer.initialize(repeating: 0, count: self.count)
    }

    deinit {
        pointer.deallocate()
    }

    @_noLocks @_noAllocation
    func clear() {
        pointer.update(repeating: 0, count: count)
    }
}
