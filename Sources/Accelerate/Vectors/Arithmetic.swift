extension vDSP {
    // MARK: Addition

    /// Returns the sums of a number and of each element.
    public static func add<T: vDSP_FloatingPoint>(_ scalar: T, _ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { add(scalar, vector, result: &$0) }
    }

    /// Writes the sums of a number and of each element.
    public static func add<T: vDSP_FloatingPoint>(
        _ scalar: T,
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        scaling(vector, scalar, &result, vDSP_vsadd, vDSP_vsaddD)
    }

    /// Returns the sums of the elements of two vectors.
    public static func add<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(vectorA.count, vectorB.count)) { add(vectorA, vectorB, result: &$0) }
    }

    /// Writes the sums of the elements of two vectors.
    public static func add<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        binary(vectorA, vectorB, &result, vDSP_vadd, vDSP_vaddD)
    }

    // MARK: Subtraction

    /// Returns the first vector minus the second, element by element.
    public static func subtract<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(vectorA.count, vectorB.count)) { subtract(vectorA, vectorB, result: &$0) }
    }

    /// Writes the first vector minus the second, element by element.
    public static func subtract<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        binary(vectorB, vectorA, &result, vDSP_vsub, vDSP_vsubD)
    }

    // MARK: Multiplication

    /// Returns the products of a number and of each element.
    public static func multiply<T: vDSP_FloatingPoint>(_ scalar: T, _ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { multiply(scalar, vector, result: &$0) }
    }

    /// Writes the products of a number and of each element.
    public static func multiply<T: vDSP_FloatingPoint>(
        _ scalar: T,
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        scaling(vector, scalar, &result, vDSP_vsmul, vDSP_vsmulD)
    }

    /// Returns the products of the elements of two vectors.
    public static func multiply<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(vectorA.count, vectorB.count)) { multiply(vectorA, vectorB, result: &$0) }
    }

    /// Writes the products of the elements of two vectors.
    public static func multiply<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        binary(vectorA, vectorB, &result, vDSP_vmul, vDSP_vmulD)
    }

    // MARK: Division

    /// Returns the elements of a vector divided by a number.
    public static func divide<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>, _ scalar: T) -> [T] {
        made(vector.count) { divide(vector, scalar, result: &$0) }
    }

    /// Writes the elements of a vector divided by a number.
    public static func divide<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        _ scalar: T,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        scaling(vector, scalar, &result, vDSP_vsdiv, vDSP_vsdivD)
    }

    /// Returns a number divided by each element.
    public static func divide<T: vDSP_FloatingPoint>(_ scalar: T, _ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { divide(scalar, vector, result: &$0) }
    }

    /// Writes a number divided by each element.
    public static func divide<T: vDSP_FloatingPoint>(
        _ scalar: T,
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        scaled(scalar, vector, &result, vDSP_svdiv, vDSP_svdivD)
    }

    /// Returns the first vector divided by the second, element by element.
    public static func divide<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(vectorA.count, vectorB.count)) { divide(vectorA, vectorB, result: &$0) }
    }

    /// Writes the first vector divided by the second, element by element.
    public static func divide<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        binary(vectorB, vectorA, &result, vDSP_vdiv, vDSP_vdivD)
    }

    // MARK: Sums and differences

    /// Writes the sum of two vectors, and the first minus the second, element by element.
    public static func addSubtract<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>,
        addResult: inout some AccelerateMutableBuffer<T>,
        subtractResult: inout some AccelerateMutableBuffer<T>
    ) {
        // Read before either is written.
        let sums = add(vectorA, vectorB)
        subtract(vectorA, vectorB, result: &subtractResult)
        access(sums, &addResult) { $1.update(from: $0, count: Int($2)) }
    }
}
