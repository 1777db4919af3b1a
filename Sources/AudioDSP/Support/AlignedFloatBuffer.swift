/// Floats that their holder owns: allocated once, zeroed, aligned for any vector instruction, freed with the holder.
struct AlignedFloatBuffer: ~Copyable {
    /// The widest vector register of the machines that run this (AVX-512), in bytes; libavutil's transforms ask for it.
    private static let alignment = 64

    let pointer: UnsafeMutablePointer<Float>
    let count: Int

    init(count: Int) {
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
