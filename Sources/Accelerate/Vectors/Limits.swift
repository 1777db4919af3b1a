extension vDSP {
    // MARK: Distances

    /// Returns the roots of `x² + y²`.
    public static func hypot<T: vDSP_FloatingPoint>(_ x: some AccelerateBuffer<T>, _ y: some AccelerateBuffer<T>) -> [T]
    {
        made(min(x.count, y.count)) { hypot(x, y, result: &$0) }
    }

    /// Writes the roots of `x² + y²`.
    public static func hypot<T: vDSP_FloatingPoint>(
        _ x: some AccelerateBuffer<T>,
        _ y: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        binary(x, y, &result, vDSP_vdist, vDSP_vdistD)
    }

    /// Returns the distances of the points `(x0, y0)` and `(x1, y1)`.
    public static func hypot<T: vDSP_FloatingPoint>(
        x0: some AccelerateBuffer<T>,
        x1: some AccelerateBuffer<T>,
        y0: some AccelerateBuffer<T>,
        y1: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(x0.count, x1.count, y0.count, y1.count)) { hypot(x0: x0, x1: x1, y0: y0, y1: y1, result: &$0) }
    }

    /// Writes the distances of the points `(x0, y0)` and `(x1, y1)`.
    public static func hypot<T: vDSP_FloatingPoint>(
        x0: some AccelerateBuffer<T>,
        x1: some AccelerateBuffer<T>,
        y0: some AccelerateBuffer<T>,
        y1: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        quaternary(x0, y0, x1, y1, &result, vDSP_vpythg, vDSP_vpythgD)
    }

    // MARK: Limits

    /// Returns the elements, limited to the bounds.
    public static func clip<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>, to bounds: ClosedRange<T>) -> [T]
    {
        made(vector.count) { clip(vector, to: bounds, result: &$0) }
    }

    /// Writes the elements, limited to the bounds.
    public static func clip<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        to bounds: ClosedRange<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        limiting(vector, bounds.lowerBound, bounds.upperBound, &result, vDSP_vclip, vDSP_vclipD)
    }

    /// Returns the elements, with values inside the bounds replaced: negative ones by the lower bound, others by the
    /// upper bound.
    public static func invertedClip<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        to bounds: ClosedRange<T>
    ) -> [T] {
        made(vector.count) { invertedClip(vector, to: bounds, result: &$0) }
    }

    /// Writes the elements, with values inside the bounds replaced: negative ones by the lower bound, others by the
    /// upper bound.
    public static func invertedClip<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        to bounds: ClosedRange<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        limiting(vector, bounds.lowerBound, bounds.upperBound, &result, vDSP_viclip, vDSP_viclipD)
    }

    /// Returns `x` for elements of the limit or more, and `-x` for others.
    public static func limit<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        limit: T,
        withOutputConstant x: T
    ) -> [T] {
        made(vector.count) { vDSP.limit(vector, limit: limit, withOutputConstant: x, result: &$0) }
    }

    /// Writes `x` for elements of the limit or more, and `-x` for others.
    public static func limit<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        limit: T,
        withOutputConstant x: T,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        limiting(vector, limit, x, &result, vDSP_vlim, vDSP_vlimD)
    }

    /// The result of ``threshold(_:to:with:)`` for an element below the threshold.
    public enum ThresholdRule<T: BinaryFloatingPoint & Sendable>: Sendable {
        /// The threshold.
        case clampToThreshold
        /// Zero.
        case zeroFill
        /// The negated constant; and the constant for an element at or above the threshold.
        case signedConstant(_ signedConstant: T)
    }

    /// Returns the elements, with values below a threshold replaced according to a rule.
    public static func threshold<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        to lowerBound: T,
        with rule: ThresholdRule<T>
    ) -> [T] {
        made(vector.count) { threshold(vector, to: lowerBound, with: rule, result: &$0) }
    }

    /// Writes the elements, with values below a threshold replaced according to a rule.
    public static func threshold<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        to lowerBound: T,
        with rule: ThresholdRule<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        switch rule {
        case .clampToThreshold: scaling(vector, lowerBound, &result, vDSP_vthr, vDSP_vthrD)
        case .zeroFill: scaling(vector, lowerBound, &result, vDSP_vthres, vDSP_vthresD)
        case .signedConstant(let constant):
            limiting(vector, lowerBound, constant, &result, vDSP_vthrsc, vDSP_vthrscD)
        }
    }
}
