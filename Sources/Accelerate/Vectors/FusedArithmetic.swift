extension vDSP {
    // MARK: A product and a sum

    /// Returns `a * b + vector`.
    public static func add<T: vDSP_FloatingPoint>(
        multiplication: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        _ vector: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(multiplication.a.count, multiplication.b.count, vector.count)) {
            add(multiplication: multiplication, vector, result: &$0)
        }
    }

    /// Writes `a * b + vector`.
    public static func add<T: vDSP_FloatingPoint>(
        multiplication: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        ternary(multiplication.a, multiplication.b, vector, &result, vDSP_vma, vDSP_vmaD)
    }

    /// Returns `a * b + scalar`.
    public static func add<T: vDSP_FloatingPoint>(
        multiplication: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        _ scalar: T
    ) -> [T] {
        made(min(multiplication.a.count, multiplication.b.count)) {
            add(multiplication: multiplication, scalar, result: &$0)
        }
    }

    /// Writes `a * b + scalar`.
    public static func add<T: vDSP_FloatingPoint>(
        multiplication: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        _ scalar: T,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        blending(multiplication.a, multiplication.b, scalar, &result, vDSP_vmsa, vDSP_vmsaD)
    }

    /// Returns `a * b + vector`, with one number `b`.
    public static func add<T: vDSP_FloatingPoint>(
        multiplication: (a: some AccelerateBuffer<T>, b: T),
        _ vector: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(multiplication.a.count, vector.count)) { add(multiplication: multiplication, vector, result: &$0) }
    }

    /// Writes `a * b + vector`, with one number `b`.
    public static func add<T: vDSP_FloatingPoint>(
        multiplication: (a: some AccelerateBuffer<T>, b: T),
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        adding(multiplication.a, multiplication.b, vector, &result, vDSP_vsma, vDSP_vsmaD)
    }

    /// Returns `a * b + scalar`, with one number `b`.
    public static func add<T: vDSP_FloatingPoint>(multiplication: (a: some AccelerateBuffer<T>, b: T), _ scalar: T)
        -> [T]
    {
        made(multiplication.a.count) { add(multiplication: multiplication, scalar, result: &$0) }
    }

    /// Writes `a * b + scalar`, with one number `b`.
    public static func add<T: vDSP_FloatingPoint>(
        multiplication: (a: some AccelerateBuffer<T>, b: T),
        _ scalar: T,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        limiting(multiplication.a, multiplication.b, scalar, &result, vDSP_vsmsa, vDSP_vsmsaD)
    }

    /// Returns `a * b - vector`.
    public static func subtract<T: vDSP_FloatingPoint>(
        multiplication: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        _ vector: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(multiplication.a.count, multiplication.b.count, vector.count)) {
            subtract(multiplication: multiplication, vector, result: &$0)
        }
    }

    /// Writes `a * b - vector`.
    public static func subtract<T: vDSP_FloatingPoint>(
        multiplication: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        ternary(multiplication.a, multiplication.b, vector, &result, vDSP_vmsb, vDSP_vmsbD)
    }

    /// Returns `a * b - vector`, with one number `b`.
    public static func subtract<T: vDSP_FloatingPoint>(
        multiplication: (a: some AccelerateBuffer<T>, b: T),
        _ vector: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(multiplication.a.count, vector.count)) {
            subtract(multiplication: multiplication, vector, result: &$0)
        }
    }

    /// Writes `a * b - vector`, with one number `b`.
    public static func subtract<T: vDSP_FloatingPoint>(
        multiplication: (a: some AccelerateBuffer<T>, b: T),
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        adding(multiplication.a, multiplication.b, vector, &result, vDSP_vsmsb, vDSP_vsmsbD)
    }

    // MARK: Two products

    /// Returns `a * b + c * d`.
    public static func add<T: vDSP_FloatingPoint>(
        multiplication multiplicationAB: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        multiplication multiplicationCD: (c: some AccelerateBuffer<T>, d: some AccelerateBuffer<T>)
    ) -> [T] {
        made(
            min(multiplicationAB.a.count, multiplicationAB.b.count, multiplicationCD.c.count, multiplicationCD.d.count)
        ) { add(multiplication: multiplicationAB, multiplication: multiplicationCD, result: &$0) }
    }

    /// Writes `a * b + c * d`.
    public static func add<T: vDSP_FloatingPoint>(
        multiplication multiplicationAB: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        multiplication multiplicationCD: (c: some AccelerateBuffer<T>, d: some AccelerateBuffer<T>),
        result: inout some AccelerateMutableBuffer<T>
    ) {
        quaternary(
            multiplicationAB.a,
            multiplicationAB.b,
            multiplicationCD.c,
            multiplicationCD.d,
            &result,
            vDSP_vmma,
            vDSP_vmmaD
        )
    }

    /// Returns `a * b - c * d`.
    public static func subtract<T: vDSP_FloatingPoint>(
        multiplication multiplicationAB: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        multiplication multiplicationCD: (c: some AccelerateBuffer<T>, d: some AccelerateBuffer<T>)
    ) -> [T] {
        made(
            min(multiplicationAB.a.count, multiplicationAB.b.count, multiplicationCD.c.count, multiplicationCD.d.count)
        ) { subtract(multiplication: multiplicationAB, multiplication: multiplicationCD, result: &$0) }
    }

    /// Writes `a * b - c * d`.
    public static func subtract<T: vDSP_FloatingPoint>(
        multiplication multiplicationAB: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        multiplication multiplicationCD: (c: some AccelerateBuffer<T>, d: some AccelerateBuffer<T>),
        result: inout some AccelerateMutableBuffer<T>
    ) {
        quaternary(
            multiplicationAB.a,
            multiplicationAB.b,
            multiplicationCD.c,
            multiplicationCD.d,
            &result,
            vDSP_vmmsb,
            vDSP_vmmsbD
        )
    }

    // MARK: A sum or difference, times

    /// Returns `(a + b) * vector`.
    public static func multiply<T: vDSP_FloatingPoint>(
        addition: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        _ vector: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(addition.a.count, addition.b.count, vector.count)) {
            multiply(addition: addition, vector, result: &$0)
        }
    }

    /// Writes `(a + b) * vector`.
    public static func multiply<T: vDSP_FloatingPoint>(
        addition: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        ternary(addition.a, addition.b, vector, &result, vDSP_vam, vDSP_vamD)
    }

    /// Returns `(a + b) * scalar`.
    public static func multiply<T: vDSP_FloatingPoint>(
        addition: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        _ scalar: T
    ) -> [T] {
        made(min(addition.a.count, addition.b.count)) { multiply(addition: addition, scalar, result: &$0) }
    }

    /// Writes `(a + b) * scalar`.
    public static func multiply<T: vDSP_FloatingPoint>(
        addition: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        _ scalar: T,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        blending(addition.a, addition.b, scalar, &result, vDSP_vasm, vDSP_vasmD)
    }

    /// Returns `(a - b) * vector`.
    public static func multiply<T: vDSP_FloatingPoint>(
        subtraction: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        _ vector: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(subtraction.a.count, subtraction.b.count, vector.count)) {
            multiply(subtraction: subtraction, vector, result: &$0)
        }
    }

    /// Writes `(a - b) * vector`.
    public static func multiply<T: vDSP_FloatingPoint>(
        subtraction: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        ternary(subtraction.a, subtraction.b, vector, &result, vDSP_vsbm, vDSP_vsbmD)
    }

    /// Returns `(a - b) * scalar`.
    public static func multiply<T: vDSP_FloatingPoint>(
        subtraction: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        _ scalar: T
    ) -> [T] {
        made(min(subtraction.a.count, subtraction.b.count)) { multiply(subtraction: subtraction, scalar, result: &$0) }
    }

    /// Writes `(a - b) * scalar`.
    public static func multiply<T: vDSP_FloatingPoint>(
        subtraction: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        _ scalar: T,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        blending(subtraction.a, subtraction.b, scalar, &result, vDSP_vsbsm, vDSP_vsbsmD)
    }

    /// Returns `(a + b) * (c + d)`.
    public static func multiply<T: vDSP_FloatingPoint>(
        addition additionAB: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        addition additionCD: (c: some AccelerateBuffer<T>, d: some AccelerateBuffer<T>)
    ) -> [T] {
        made(min(additionAB.a.count, additionAB.b.count, additionCD.c.count, additionCD.d.count)) {
            multiply(addition: additionAB, addition: additionCD, result: &$0)
        }
    }

    /// Writes `(a + b) * (c + d)`.
    public static func multiply<T: vDSP_FloatingPoint>(
        addition additionAB: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        addition additionCD: (c: some AccelerateBuffer<T>, d: some AccelerateBuffer<T>),
        result: inout some AccelerateMutableBuffer<T>
    ) {
        quaternary(additionAB.a, additionAB.b, additionCD.c, additionCD.d, &result, vDSP_vaam, vDSP_vaamD)
    }

    /// Returns `(a + b) * (c - d)`.
    public static func multiply<T: vDSP_FloatingPoint>(
        addition additionAB: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        subtraction subtractionCD: (c: some AccelerateBuffer<T>, d: some AccelerateBuffer<T>)
    ) -> [T] {
        made(min(additionAB.a.count, additionAB.b.count, subtractionCD.c.count, subtractionCD.d.count)) {
            multiply(addition: additionAB, subtraction: subtractionCD, result: &$0)
        }
    }

    /// Writes `(a + b) * (c - d)`.
    public static func multiply<T: vDSP_FloatingPoint>(
        addition additionAB: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        subtraction subtractionCD: (c: some AccelerateBuffer<T>, d: some AccelerateBuffer<T>),
        result: inout some AccelerateMutableBuffer<T>
    ) {
        quaternary(additionAB.a, additionAB.b, subtractionCD.c, subtractionCD.d, &result, vDSP_vasbm, vDSP_vasbmD)
    }

    /// Returns `(a - b) * (c - d)`.
    public static func multiply<T: vDSP_FloatingPoint>(
        subtraction subtractionAB: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        subtraction subtractionCD: (c: some AccelerateBuffer<T>, d: some AccelerateBuffer<T>)
    ) -> [T] {
        made(min(subtractionAB.a.count, subtractionAB.b.count, subtractionCD.c.count, subtractionCD.d.count)) {
            multiply(subtraction: subtractionAB, subtraction: subtractionCD, result: &$0)
        }
    }

    /// Writes `(a - b) * (c - d)`.
    public static func multiply<T: vDSP_FloatingPoint>(
        subtraction subtractionAB: (a: some AccelerateBuffer<T>, b: some AccelerateBuffer<T>),
        subtraction subtractionCD: (c: some AccelerateBuffer<T>, d: some AccelerateBuffer<T>),
        result: inout some AccelerateMutableBuffer<T>
    ) {
        quaternary(
            subtractionAB.a,
            subtractionAB.b,
            subtractionCD.c,
            subtractionCD.d,
            &result,
            vDSP_vsbsbm,
            vDSP_vsbsbmD
        )
    }
}
