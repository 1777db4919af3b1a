// Calls of C functions with three or more arguments, and of those that return a number. `Dispatch.swift` has the other
// families.

func ternary<T: vDSP_FloatingPoint>(
    _ a: some AccelerateBuffer<T>,
    _ b: some AccelerateBuffer<T>,
    _ c: some AccelerateBuffer<T>,
    _ result: inout some AccelerateMutableBuffer<T>,
    _ float: Ternary<Float>,
    _ double: Ternary<Double>
) {
    access(a, &result) { a, result, n in
        b.withUnsafeBufferPointer { b in
            c.withUnsafeBufferPointer { c in
                guard let bStart = b.baseAddress, let cStart = c.baseAddress else { return }
                let n = min(n, UInt(b.count), UInt(c.count))
                choose(T.self) {
                    float(
                        a.of(Float.self),
                        1,
                        bStart.of(Float.self),
                        1,
                        cStart.of(Float.self),
                        1,
                        result.of(Float.self),
                        1,
                        n
                    )
                } double: {
                    double(
                        a.of(Double.self),
                        1,
                        bStart.of(Double.self),
                        1,
                        cStart.of(Double.self),
                        1,
                        result.of(Double.self),
                        1,
                        n
                    )
                }
            }
        }
    }
}

func quaternary<T: vDSP_FloatingPoint>(
    _ a: some AccelerateBuffer<T>,
    _ b: some AccelerateBuffer<T>,
    _ c: some AccelerateBuffer<T>,
    _ d: some AccelerateBuffer<T>,
    _ result: inout some AccelerateMutableBuffer<T>,
    _ float: Quaternary<Float>,
    _ double: Quaternary<Double>
) {
    access(a, &result) { a, result, n in
        b.withUnsafeBufferPointer { b in
            c.withUnsafeBufferPointer { c in
                d.withUnsafeBufferPointer { d in
                    guard let bStart = b.baseAddress, let cStart = c.baseAddress, let dStart = d.baseAddress else {
                        return
                    }
                    let n = min(n, UInt(b.count), UInt(c.count), UInt(d.count))
                    choose(T.self) {
                        float(
                            a.of(Float.self),
                            1,
                            bStart.of(Float.self),
                            1,
                            cStart.of(Float.self),
                            1,
                            dStart.of(Float.self),
                            1,
                            result.of(Float.self),
                            1,
                            n
                        )
                    } double: {
                        double(
                            a.of(Double.self),
                            1,
                            bStart.of(Double.self),
                            1,
                            cStart.of(Double.self),
                            1,
                            dStart.of(Double.self),
                            1,
                            result.of(Double.self),
                            1,
                            n
                        )
                    }
                }
            }
        }
    }
}

func scaling<T: vDSP_FloatingPoint>(
    _ a: some AccelerateBuffer<T>,
    _ b: T,
    _ result: inout some AccelerateMutableBuffer<T>,
    _ float: Scaling<Float>,
    _ double: Scaling<Double>
) {
    access(a, &result) { a, result, n in
        withUnsafePointer(to: b) { b in
            choose(T.self) {
                float(a.of(Float.self), 1, b.of(Float.self), result.of(Float.self), 1, n)
            } double: {
                double(a.of(Double.self), 1, b.of(Double.self), result.of(Double.self), 1, n)
            }
        }
    }
}

func scaled<T: vDSP_FloatingPoint>(
    _ a: T,
    _ b: some AccelerateBuffer<T>,
    _ result: inout some AccelerateMutableBuffer<T>,
    _ float: Scaled<Float>,
    _ double: Scaled<Double>
) {
    access(b, &result) { b, result, n in
        withUnsafePointer(to: a) { a in
            choose(T.self) {
                float(a.of(Float.self), b.of(Float.self), 1, result.of(Float.self), 1, n)
            } double: {
                double(a.of(Double.self), b.of(Double.self), 1, result.of(Double.self), 1, n)
            }
        }
    }
}

func limiting<T: vDSP_FloatingPoint>(
    _ a: some AccelerateBuffer<T>,
    _ b: T,
    _ c: T,
    _ result: inout some AccelerateMutableBuffer<T>,
    _ float: Limiting<Float>,
    _ double: Limiting<Double>
) {
    access(a, &result) { a, result, n in
        withUnsafePointer(to: b) { b in
            withUnsafePointer(to: c) { c in
                choose(T.self) {
                    float(a.of(Float.self), 1, b.of(Float.self), c.of(Float.self), result.of(Float.self), 1, n)
                } double: {
                    double(a.of(Double.self), 1, b.of(Double.self), c.of(Double.self), result.of(Double.self), 1, n)
                }
            }
        }
    }
}

func blending<T: vDSP_FloatingPoint>(
    _ a: some AccelerateBuffer<T>,
    _ b: some AccelerateBuffer<T>,
    _ c: T,
    _ result: inout some AccelerateMutableBuffer<T>,
    _ float: Blending<Float>,
    _ double: Blending<Double>
) {
    access(a, &result) { a, result, n in
        b.withUnsafeBufferPointer { b in
            withUnsafePointer(to: c) { c in
                guard let bStart = b.baseAddress else { return }
                let n = min(n, UInt(b.count))
                choose(T.self) {
                    float(a.of(Float.self), 1, bStart.of(Float.self), 1, c.of(Float.self), result.of(Float.self), 1, n)
                } double: {
                    double(
                        a.of(Double.self),
                        1,
                        bStart.of(Double.self),
                        1,
                        c.of(Double.self),
                        result.of(Double.self),
                        1,
                        n
                    )
                }
            }
        }
    }
}

func adding<T: vDSP_FloatingPoint>(
    _ a: some AccelerateBuffer<T>,
    _ b: T,
    _ c: some AccelerateBuffer<T>,
    _ result: inout some AccelerateMutableBuffer<T>,
    _ float: Adding<Float>,
    _ double: Adding<Double>
) {
    access(a, &result) { a, result, n in
        withUnsafePointer(to: b) { b in
            c.withUnsafeBufferPointer { c in
                guard let cStart = c.baseAddress else { return }
                let n = min(n, UInt(c.count))
                choose(T.self) {
                    float(a.of(Float.self), 1, b.of(Float.self), cStart.of(Float.self), 1, result.of(Float.self), 1, n)
                } double: {
                    double(
                        a.of(Double.self),
                        1,
                        b.of(Double.self),
                        cStart.of(Double.self),
                        1,
                        result.of(Double.self),
                        1,
                        n
                    )
                }
            }
        }
    }
}

/// Returns the number that a function makes of a vector, and of an empty one.
func reduction<T: vDSP_FloatingPoint>(
    _ a: some AccelerateBuffer<T>,
    _ float: Reduction<Float>,
    _ double: Reduction<Double>
) -> T {
    var result: T = 0
    a.withUnsafeBufferPointer { a in
        withUnsafeMutablePointer(to: &result) { result in
            // A pointer to no elements may be null; none is read.
            let start = a.baseAddress ?? UnsafePointer(result)
            choose(T.self) {
                float(start.of(Float.self), 1, result.of(Float.self), UInt(a.count))
            } double: {
                double(start.of(Double.self), 1, result.of(Double.self), UInt(a.count))
            }
        }
    }
    return result
}

/// Returns the number that a function makes of two vectors.
func pairing<T: vDSP_FloatingPoint>(
    _ a: some AccelerateBuffer<T>,
    _ b: some AccelerateBuffer<T>,
    _ float: Pairing<Float>,
    _ double: Pairing<Double>
) -> T {
    var result: T = 0
    a.withUnsafeBufferPointer { a in
        b.withUnsafeBufferPointer { b in
            withUnsafeMutablePointer(to: &result) { result in
                guard let first = a.baseAddress, let second = b.baseAddress else { return }
                let n = UInt(min(a.count, b.count))
                choose(T.self) {
                    float(first.of(Float.self), 1, second.of(Float.self), 1, result.of(Float.self), n)
                } double: {
                    double(first.of(Double.self), 1, second.of(Double.self), 1, result.of(Double.self), n)
                }
            }
        }
    }
    return result
}

/// Returns the element that a function finds in a vector, and its index.
func search<T: vDSP_FloatingPoint>(
    _ a: some AccelerateBuffer<T>,
    _ float: Search<Float>,
    _ double: Search<Double>
) -> (UInt, T) {
    var result: T = 0
    var index: UInt = 0
    a.withUnsafeBufferPointer { a in
        withUnsafeMutablePointer(to: &result) { result in
            let start = a.baseAddress ?? UnsafePointer(result)
            choose(T.self) {
                float(start.of(Float.self), 1, result.of(Float.self), &index, UInt(a.count))
            } double: {
                double(start.of(Double.self), 1, result.of(Double.self), &index, UInt(a.count))
            }
        }
    }
    return (index, result)
}

/// Changes a vector with a function.
func change<T: vDSP_FloatingPoint>(
    _ vector: inout some AccelerateMutableBuffer<T>,
    _ float: (UnsafeMutablePointer<Float>, UInt) -> Void,
    _ double: (UnsafeMutablePointer<Double>, UInt) -> Void
) {
    vector.withUnsafeMutableBufferPointer { vector in
        guard let start = vector.baseAddress else { return }
        choose(T.self) {
            float(start.of(Float.self), UInt(vector.count))
        } double: {
            double(start.of(Double.self), UInt(vector.count))
        }
    }
}
