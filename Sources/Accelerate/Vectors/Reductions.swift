extension vDSP {
    // MARK: Sums

    /// Returns the sum of the elements.
    public static func sum<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> T {
        reduction(vector, vDSP_sve, vDSP_sveD)
    }

    /// Returns the sum of the squares of the elements.
    public static func sumOfSquares<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> T {
        reduction(vector, vDSP_svesq, vDSP_svesqD)
    }

    /// Returns the sum of the absolute values of the elements.
    public static func sumOfMagnitudes<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> T {
        reduction(vector, vDSP_svemg, vDSP_svemgD)
    }

    /// Returns the sum of the elements and that of their squares.
    public static func sumAndSumOfSquares<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> (
        elementsSum: T, squaresSum: T
    ) {
        (sum(vector), sumOfSquares(vector))
    }

    // MARK: Means

    /// Returns the mean of the elements, which is not a number if there are none.
    public static func mean<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> T {
        reduction(vector, vDSP_meanv, vDSP_meanvD)
    }

    /// Returns the mean of the absolute values of the elements.
    public static func meanMagnitude<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> T {
        reduction(vector, vDSP_meamgv, vDSP_meamgvD)
    }

    /// Returns the mean of the squares of the elements.
    public static func meanSquare<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> T {
        reduction(vector, vDSP_measqv, vDSP_measqvD)
    }

    /// Returns the root of the mean of the squares of the elements.
    public static func rootMeanSquare<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> T {
        reduction(vector, vDSP_rmsqv, vDSP_rmsqvD)
    }

    /// Returns the root of the mean square of the differences from the mean.
    public static func standardDeviation<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> T {
        var deviation: T = 0
        withUnsafeMutablePointer(to: &deviation) { deviation in
            vector.withUnsafeBufferPointer { vector in
                let start = vector.baseAddress ?? UnsafePointer(deviation)
                var (mean, meanD): (Float, Double) = (0, 0)
                let n = UInt(vector.count)
                choose(T.self) {
                    vDSP_normalize(start.of(Float.self), 1, nil, 1, &mean, deviation.of(Float.self), n)
                } double: {
                    vDSP_normalizeD(start.of(Double.self), 1, nil, 1, &meanD, deviation.of(Double.self), n)
                }
            }
        }
        return deviation
    }

    // MARK: Extremes

    /// Returns the greatest element, or minus infinity if there is none.
    public static func maximum<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> T {
        reduction(vector, vDSP_maxv, vDSP_maxvD)
    }

    /// Returns the greatest absolute value.
    public static func maximumMagnitude<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> T {
        reduction(vector, vDSP_maxmgv, vDSP_maxmgvD)
    }

    /// Returns the least element, or infinity if there is none.
    public static func minimum<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> T {
        reduction(vector, vDSP_minv, vDSP_minvD)
    }

    /// Returns the least absolute value, or infinity if there is none.
    public static func minimumMagnitude<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> T {
        reduction(vector, vDSP_minmgv, vDSP_minmgvD)
    }

    /// Returns the index of the greatest element, the first of equal ones, and the element.
    public static func indexOfMaximum<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> (UInt, T) {
        search(vector, vDSP_maxvi, vDSP_maxviD)
    }

    /// Returns the index of the greatest absolute value, the first of equal ones, and the absolute value.
    public static func indexOfMaximumMagnitude<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> (UInt, T) {
        search(vector, vDSP_maxmgvi, vDSP_maxmgviD)
    }

    /// Returns the index of the least element, the first of equal ones, and the element.
    public static func indexOfMinimum<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> (UInt, T) {
        search(vector, vDSP_minvi, vDSP_minviD)
    }

    /// Returns the index of the least absolute value, the first of equal ones, and the absolute value.
    public static func indexOfMinimumMagnitude<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> (UInt, T) {
        search(vector, vDSP_minmgvi, vDSP_minmgviD)
    }

    // MARK: Of two vectors

    /// Returns the sum of the products of the elements.
    public static func dot<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>
    ) -> T {
        pairing(vectorA, vectorB, vDSP_dotpr, vDSP_dotprD)
    }

    /// Returns the sum of the squares of the differences of the elements.
    public static func distanceSquared<T: vDSP_FloatingPoint>(
        _ pointA: some AccelerateBuffer<T>,
        _ pointB: some AccelerateBuffer<T>
    ) -> T {
        pairing(pointA, pointB, vDSP_distancesq, vDSP_distancesqD)
    }
}
