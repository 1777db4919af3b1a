import Glibc

/// The functions of FFTW that make and run plans, of single or double precision.
struct FFTW {
    private typealias Pointer = UnsafeMutableRawPointer
    private typealias Plan = @convention(c) (Int32, Pointer, Pointer, Int32, UInt32) -> Pointer?
    private typealias RealPlan = @convention(c) (Int32, Pointer, Pointer, UInt32) -> Pointer?
    private typealias Execute = @convention(c) (Pointer) -> Void

    private let complexPlan: Plan
    private let realPlan: RealPlan
    private let execute: Execute
    private let size: Int

    /// Loads the library, which stays loaded; `nil` where there is none.
    init?(library: String, prefix: String) {
        guard let handle = dlopen(library, RTLD_NOW),
            let complex = dlsym(handle, "\(prefix)_plan_dft_1d"),
            let real = dlsym(handle, "\(prefix)_plan_dft_r2c_1d"),
            let execute = dlsym(handle, "\(prefix)_execute")
        else { return nil }
        // The types are those of fftw3.h.
        complexPlan = unsafeBitCast(complex, to: Plan.self)
        realPlan = unsafeBitCast(real, to: RealPlan.self)
        self.execute = unsafeBitCast(execute, to: Execute.self)
        size = prefix == "fftwf" ? 4 : 8
    }

    /// The transform of complex numbers, out of place.
    func complex(_ count: Int) -> (() -> Void)? {
        let (input, output) = (memory(2 * count), memory(2 * count))
        // -1 is forward, and no flag FFTW_MEASURE.
        guard let plan = complexPlan(Int32(count), input, output, -1, 0) else { return nil }
        fill(input, 2 * count)
        return { execute(plan) }
    }

    /// The transform of real numbers, out of place.
    func real(_ count: Int) -> (() -> Void)? {
        let (input, output) = (memory(count), memory(count + 2))
        guard let plan = realPlan(Int32(count), input, output, 0) else { return nil }
        fill(input, count)
        return { execute(plan) }
    }

    private func memory(_ count: Int) -> Pointer { .allocate(byteCount: count * size, alignment: 64) }

    /// After the plan is made, because that overwrites the numbers.
    private func fill(_ memory: Pointer, _ count: Int) {
        if size == 4 {
            memory.assumingMemoryBound(to: Float.self).update(
                from: AccelerateBenchmark.noise(count, as: Float.self),
                count: count
            )
        } else {
            memory.assumingMemoryBound(to: Double.self).update(
                from: AccelerateBenchmark.noise(count, as: Double.self),
                count: count
            )
        }
    }
}
