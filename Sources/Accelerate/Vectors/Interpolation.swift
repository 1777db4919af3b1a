extension vDSP {
    // MARK: Interpolation

    /// Returns `a + c (b - a)`: the first vector for a constant c of 0, the second for 1.
    public static func linearInterpolate<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>,
        using interpolationConstant: T
    ) -> [T] {
        made(min(vectorA.count, vectorB.count)) {
            linearInterpolate(vectorA, vectorB, using: interpolationConstant, result: &$0)
        }
    }

    /// Writes `a + c (b - a)`: the first vector for a constant c of 0, the second for 1.
    public static func linearInterpolate<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>,
        using interpolationConstant: T,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        blending(vectorA, vectorB, interpolationConstant, &result, vDSP_vintb, vDSP_vintbD)
    }

    /// Returns the elements at fractional indices, on the lines between their neighbours.
    public static func linearInterpolate<T: vDSP_FloatingPoint>(
        elementsOf vector: some AccelerateBuffer<T>,
        using controlVector: some AccelerateBuffer<T>
    ) -> [T] {
        made(controlVector.count) { linearInterpolate(elementsOf: vector, using: controlVector, result: &$0) }
    }

    /// Writes the elements at fractional indices, on the lines between their neighbours.
    ///
    /// An index outside the vector counts as the nearest one.
    public static func linearInterpolate<T: vDSP_FloatingPoint>(
        elementsOf vector: some AccelerateBuffer<T>,
        using controlVector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        vector.withUnsafeBufferPointer { vector in
            guard let table = vector.baseAddress else { return }
            let count = UInt(vector.count)
            unary(controlVector, &result) {
                vDSP_vlint(table.of(Float.self), $0, $1, $2, $3, $4, count)
            } _: {
                vDSP_vlintD(table.of(Double.self), $0, $1, $2, $3, $4, count)
            }
        }
    }

    /// Returns the elements at fractional indices, on the parabolas through three neighbours.
    public static func quadraticInterpolate<T: vDSP_FloatingPoint>(
        elementsOf vector: some AccelerateBuffer<T>,
        using controlVector: some AccelerateBuffer<T>
    ) -> [T] {
        made(controlVector.count) { quadraticInterpolate(elementsOf: vector, using: controlVector, result: &$0) }
    }

    /// Writes the elements at fractional indices, on the parabolas through three neighbours.
    ///
    /// An index outside the vector counts as the nearest one.
    public static func quadraticInterpolate<T: vDSP_FloatingPoint>(
        elementsOf vector: some AccelerateBuffer<T>,
        using controlVector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        vector.withUnsafeBufferPointer { vector in
            guard let table = vector.baseAddress else { return }
            let count = UInt(vector.count)
            unary(controlVector, &result) {
                vDSP_vqint(table.of(Float.self), $0, $1, $2, $3, $4, count)
            } _: {
                vDSP_vqintD(table.of(Double.self), $0, $1, $2, $3, $4, count)
            }
        }
    }

    /// Returns the line through values at indices that rise, from 0 to the last index.
    public static func linearInterpolate<T: vDSP_FloatingPoint>(
        values: some AccelerateBuffer<T>,
        atIndices indices: some AccelerateBuffer<T>
    ) -> [T] {
        let last = indices.withUnsafeBufferPointer { $0.last.map(Double.init) ?? -1 }
        // An array that long has no place in memory: 2^40 elements and more.
        guard last >= 0, last < 0x1p40 else { return [] }
        return made(Int(last) + 1) { linearInterpolate(values: values, atIndices: indices, result: &$0) }
    }

    /// Writes the line through values at indices that rise.
    public static func linearInterpolate<T: vDSP_FloatingPoint>(
        values: some AccelerateBuffer<T>,
        atIndices indices: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        let points = UInt(min(values.count, indices.count))
        values.withUnsafeBufferPointer { values in
            indices.withUnsafeBufferPointer { indices in
                guard let values = values.baseAddress, let indices = indices.baseAddress else { return }
                change(&result) {
                    vDSP_vgenp(values.of(Float.self), 1, indices.of(Float.self), 1, $0, 1, $1, points)
                } _: {
                    vDSP_vgenpD(values.of(Double.self), 1, indices.of(Double.self), 1, $0, 1, $1, points)
                }
            }
        }
    }

    // MARK: Merging

    /// Returns a fade from the first vector at the first element to the second at the last.
    public static func taperedMerge<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(vectorA.count, vectorB.count)) { taperedMerge(vectorA, vectorB, result: &$0) }
    }

    /// Writes a fade from the first vector at the first element to the second at the last.
    public static func taperedMerge<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        binary(vectorA, vectorB, &result, vDSP_vtmerg, vDSP_vtmergD)
    }

    /// Returns the elements with a nonzero gate, up to the requested number.
    public static func compress<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        gatingVector: some AccelerateBuffer<T>,
        nonZeroGatingCount: Int?
    ) -> [T] {
        var kept: [T] = []
        vector.withUnsafeBufferPointer { vector in
            gatingVector.withUnsafeBufferPointer { gates in
                for (element, gate) in zip(vector, gates) where gate != 0 {
                    kept.append(element)
                }
            }
        }
        return nonZeroGatingCount.map { Array(kept.prefix(max($0, 0))) } ?? kept
    }

    /// Returns the elements at indices from 1 on.
    ///
    /// An index outside the vector counts as the nearest one.
    public static func gather<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        indices: some AccelerateBuffer<UInt>
    ) -> [T] {
        vector.withUnsafeBufferPointer { vector in
            guard !vector.isEmpty else { return [] }
            return indices.withUnsafeBufferPointer { indices in
                indices.map { vector[Int(min(max($0, 1), UInt(vector.count))) - 1] }
            }
        }
    }

    // MARK: Polynomials

    /// Returns the values of a polynomial.
    ///
    /// The coefficients begin with that of the highest power.
    public static func evaluatePolynomial<T: vDSP_FloatingPoint>(
        usingCoefficients coefficients: [T],
        withVariables variables: some AccelerateBuffer<T>
    ) -> [T] {
        made(variables.count) {
            evaluatePolynomial(usingCoefficients: coefficients, withVariables: variables, result: &$0)
        }
    }

    /// Writes the values of a polynomial.
    ///
    /// The coefficients begin with that of the highest power.
    public static func evaluatePolynomial<T: vDSP_FloatingPoint>(
        usingCoefficients coefficients: [T],
        withVariables variables: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        coefficients.withUnsafeBufferPointer { coefficients in
            guard let first = coefficients.baseAddress, !coefficients.isEmpty else { return }
            let power = UInt(coefficients.count - 1)
            unary(variables, &result) {
                vDSP_vpoly(first.of(Float.self), 1, $0, $1, $2, $3, $4, power)
            } _: {
                vDSP_vpolyD(first.of(Double.self), 1, $0, $1, $2, $3, $4, power)
            }
        }
    }
}
