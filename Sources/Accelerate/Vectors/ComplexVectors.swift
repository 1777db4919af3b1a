extension vDSP {
    // MARK: Complex numbers beside each other and split

    /// Splits interleaved complex numbers into real and imaginary parts.
    public static func convert(
        interleavedComplexVector: [DSPComplex],
        toSplitComplexVector splitComplexVector: inout DSPSplitComplex
    ) {
        vDSP_ctoz(interleavedComplexVector, 2, &splitComplexVector, 1, vDSP_Length(interleavedComplexVector.count))
    }

    /// Writes split complex numbers beside each other, as many as the array has elements.
    public static func convert(
        splitComplexVector: DSPSplitComplex,
        toInterleavedComplexVector interleavedComplexVector: inout [DSPComplex]
    ) {
        let count = vDSP_Length(interleavedComplexVector.count)
        withUnsafePointer(to: splitComplexVector) { vDSP_ztoc($0, 1, &interleavedComplexVector, 2, count) }
    }

    /// Splits interleaved complex numbers into real and imaginary parts.
    public static func convert(
        interleavedComplexVector: [DSPDoubleComplex],
        toSplitComplexVector splitComplexVector: inout DSPDoubleSplitComplex
    ) {
        vDSP_ctozD(interleavedComplexVector, 2, &splitComplexVector, 1, vDSP_Length(interleavedComplexVector.count))
    }

    /// Writes split complex numbers beside each other, as many as the array has elements.
    public static func convert(
        splitComplexVector: DSPDoubleSplitComplex,
        toInterleavedComplexVector interleavedComplexVector: inout [DSPDoubleComplex]
    ) {
        let count = vDSP_Length(interleavedComplexVector.count)
        withUnsafePointer(to: splitComplexVector) { vDSP_ztocD($0, 1, &interleavedComplexVector, 2, count) }
    }

    // MARK: Split complex vectors

    /// Writes the sums of the elements of two complex vectors.
    public static func add(
        _ splitComplexA: DSPSplitComplex,
        to splitComplexB: DSPSplitComplex,
        count: Int,
        result: inout DSPSplitComplex
    ) {
        withUnsafePointer(to: splitComplexA) { a in
            withUnsafePointer(to: splitComplexB) { b in
                vDSP_zvadd(a, 1, b, 1, &result, 1, UInt(clamping: count))
            }
        }
    }

    /// Writes the sums of the elements of two complex vectors.
    public static func add(
        _ splitComplexA: DSPDoubleSplitComplex,
        to splitComplexB: DSPDoubleSplitComplex,
        count: Int,
        result: inout DSPDoubleSplitComplex
    ) {
        withUnsafePointer(to: splitComplexA) { a in
            withUnsafePointer(to: splitComplexB) { b in
                vDSP_zvaddD(a, 1, b, 1, &result, 1, UInt(clamping: count))
            }
        }
    }

    /// Writes the second complex vector minus the first, element by element.
    public static func subtract(
        _ splitComplexA: DSPSplitComplex,
        from splitComplexB: DSPSplitComplex,
        count: Int,
        result: inout DSPSplitComplex
    ) {
        withUnsafePointer(to: splitComplexA) { a in
            withUnsafePointer(to: splitComplexB) { b in
                vDSP_zvsub(b, 1, a, 1, &result, 1, UInt(clamping: count))
            }
        }
    }

    /// Writes the second complex vector minus the first, element by element.
    public static func subtract(
        _ splitComplexA: DSPDoubleSplitComplex,
        from splitComplexB: DSPDoubleSplitComplex,
        count: Int,
        result: inout DSPDoubleSplitComplex
    ) {
        withUnsafePointer(to: splitComplexA) { a in
            withUnsafePointer(to: splitComplexB) { b in
                vDSP_zvsubD(b, 1, a, 1, &result, 1, UInt(clamping: count))
            }
        }
    }

    /// Writes the first complex vector divided by the second, element by element.
    public static func divide(
        _ splitComplexA: DSPSplitComplex,
        by splitComplexB: DSPSplitComplex,
        count: Int,
        result: inout DSPSplitComplex
    ) {
        withUnsafePointer(to: splitComplexA) { a in
            withUnsafePointer(to: splitComplexB) { b in
                vDSP_zvdiv(b, 1, a, 1, &result, 1, UInt(clamping: count))
            }
        }
    }

    /// Writes the first complex vector divided by the second, element by element.
    public static func divide(
        _ splitComplexA: DSPDoubleSplitComplex,
        by splitComplexB: DSPDoubleSplitComplex,
        count: Int,
        result: inout DSPDoubleSplitComplex
    ) {
        withUnsafePointer(to: splitComplexA) { a in
            withUnsafePointer(to: splitComplexB) { b in
                vDSP_zvdivD(b, 1, a, 1, &result, 1, UInt(clamping: count))
            }
        }
    }

    /// Writes the products of two complex vectors, or of the conjugates of the first and the second.
    public static func multiply(
        _ splitComplexA: DSPSplitComplex,
        by splitComplexB: DSPSplitComplex,
        count: Int,
        useConjugate: Bool,
        result: inout DSPSplitComplex
    ) {
        withUnsafePointer(to: splitComplexA) { a in
            withUnsafePointer(to: splitComplexB) { b in
                vDSP_zvmul(a, 1, b, 1, &result, 1, UInt(clamping: count), useConjugate ? -1 : 1)
            }
        }
    }

    /// Writes the products of two complex vectors, or of the conjugates of the first and the second.
    public static func multiply(
        _ splitComplexA: DSPDoubleSplitComplex,
        by splitComplexB: DSPDoubleSplitComplex,
        count: Int,
        useConjugate: Bool,
        result: inout DSPDoubleSplitComplex
    ) {
        withUnsafePointer(to: splitComplexA) { a in
            withUnsafePointer(to: splitComplexB) { b in
                vDSP_zvmulD(a, 1, b, 1, &result, 1, UInt(clamping: count), useConjugate ? -1 : 1)
            }
        }
    }

    /// Writes complex numbers multiplied by real ones.
    public static func multiply(
        _ splitComplex: DSPSplitComplex,
        by vector: some AccelerateBuffer<Float>,
        result: inout DSPSplitComplex
    ) {
        vector.withUnsafeBufferPointer { vector in
            guard let start = vector.baseAddress else { return }
            withUnsafePointer(to: splitComplex) { vDSP_zrvmul($0, 1, start, 1, &result, 1, UInt(vector.count)) }
        }
    }

    /// Writes complex numbers multiplied by real ones.
    public static func multiply(
        _ splitComplex: DSPDoubleSplitComplex,
        by vector: some AccelerateBuffer<Double>,
        result: inout DSPDoubleSplitComplex
    ) {
        vector.withUnsafeBufferPointer { vector in
            guard let start = vector.baseAddress else { return }
            withUnsafePointer(to: splitComplex) { vDSP_zrvmulD($0, 1, start, 1, &result, 1, UInt(vector.count)) }
        }
    }

    /// Writes complex numbers divided by real ones.
    public static func divide(
        _ splitComplex: DSPSplitComplex,
        by vector: some AccelerateBuffer<Float>,
        result: inout DSPSplitComplex
    ) {
        vector.withUnsafeBufferPointer { vector in
            guard let start = vector.baseAddress else { return }
            withUnsafePointer(to: splitComplex) { vDSP_zrvdiv($0, 1, start, 1, &result, 1, UInt(vector.count)) }
        }
    }

    /// Writes complex numbers divided by real ones.
    public static func divide(
        _ splitComplex: DSPDoubleSplitComplex,
        by vector: some AccelerateBuffer<Double>,
        result: inout DSPDoubleSplitComplex
    ) {
        vector.withUnsafeBufferPointer { vector in
            guard let start = vector.baseAddress else { return }
            withUnsafePointer(to: splitComplex) { vDSP_zrvdivD($0, 1, start, 1, &result, 1, UInt(vector.count)) }
        }
    }

    /// Writes the conjugates of complex numbers.
    public static func conjugate(_ splitComplex: DSPSplitComplex, count: Int, result: inout DSPSplitComplex) {
        withUnsafePointer(to: splitComplex) { vDSP_zvconj($0, 1, &result, 1, UInt(clamping: count)) }
    }

    /// Copies complex numbers.
    public static func copy(_ source: DSPSplitComplex, to destination: inout DSPSplitComplex, count: Int) {
        withUnsafePointer(to: source) { vDSP_zvmov($0, 1, &destination, 1, UInt(clamping: count)) }
    }

    /// Writes the conjugates of complex numbers.
    public static func conjugate(_ splitComplex: DSPDoubleSplitComplex, count: Int, result: inout DSPDoubleSplitComplex)
    {
        withUnsafePointer(to: splitComplex) { vDSP_zvconjD($0, 1, &result, 1, UInt(clamping: count)) }
    }

    /// Copies complex numbers.
    public static func copy(_ source: DSPDoubleSplitComplex, to destination: inout DSPDoubleSplitComplex, count: Int) {
        withUnsafePointer(to: source) { vDSP_zvmovD($0, 1, &destination, 1, UInt(clamping: count)) }
    }
}
