extension vDSP {
    // MARK: Magnitudes and angles

    /// Writes the absolute values of complex numbers, as many as the result has elements.
    public static func absolute(_ splitComplex: DSPSplitComplex, result: inout some AccelerateMutableBuffer<Float>) {
        result.withUnsafeMutableBufferPointer { result in
            guard let start = result.baseAddress else { return }
            withUnsafePointer(to: splitComplex) { vDSP_zvabs($0, 1, start, 1, UInt(result.count)) }
        }
    }

    /// Writes the absolute values of complex numbers, as many as the result has elements.
    public static func absolute(
        _ splitComplex: DSPDoubleSplitComplex,
        result: inout some AccelerateMutableBuffer<Double>
    ) {
        result.withUnsafeMutableBufferPointer { result in
            guard let start = result.baseAddress else { return }
            withUnsafePointer(to: splitComplex) { vDSP_zvabsD($0, 1, start, 1, UInt(result.count)) }
        }
    }

    /// Writes the squares of the absolute values of complex numbers, as many as the result has elements.
    public static func squareMagnitudes(
        _ splitComplex: DSPSplitComplex,
        result: inout some AccelerateMutableBuffer<Float>
    ) {
        result.withUnsafeMutableBufferPointer { result in
            guard let start = result.baseAddress else { return }
            withUnsafePointer(to: splitComplex) { vDSP_zvmags($0, 1, start, 1, UInt(result.count)) }
        }
    }

    /// Writes the squares of the absolute values of complex numbers, as many as the result has elements.
    public static func squareMagnitudes(
        _ splitComplex: DSPDoubleSplitComplex,
        result: inout some AccelerateMutableBuffer<Double>
    ) {
        result.withUnsafeMutableBufferPointer { result in
            guard let start = result.baseAddress else { return }
            withUnsafePointer(to: splitComplex) { vDSP_zvmagsD($0, 1, start, 1, UInt(result.count)) }
        }
    }

    /// Writes the angles of complex numbers, in radians, as many as the result has elements.
    public static func phase(_ splitComplex: DSPSplitComplex, result: inout some AccelerateMutableBuffer<Float>) {
        result.withUnsafeMutableBufferPointer { result in
            guard let start = result.baseAddress else { return }
            withUnsafePointer(to: splitComplex) { vDSP_zvphas($0, 1, start, 1, UInt(result.count)) }
        }
    }

    /// Writes the angles of complex numbers, in radians, as many as the result has elements.
    public static func phase(_ splitComplex: DSPDoubleSplitComplex, result: inout some AccelerateMutableBuffer<Double>)
    {
        result.withUnsafeMutableBufferPointer { result in
            guard let start = result.baseAddress else { return }
            withUnsafePointer(to: splitComplex) { vDSP_zvphasD($0, 1, start, 1, UInt(result.count)) }
        }
    }
}

extension Array where Element == Float {
    /// Creates an array of `count` scaled numbers, which alternate between real and imaginary parts.
    public init(fromSplitComplex splitComplex: DSPSplitComplex, scale: Float, count: Int) {
        let pairs = Swift.max(count, 0) / 2
        self = made(2 * pairs) { (numbers: inout UnsafeMutableBufferPointer<Float>) in
            for index in 0..<pairs {
                numbers[2 * index] = splitComplex.realp[index] * scale
                numbers[2 * index + 1] = splitComplex.imagp[index] * scale
            }
        }
    }
}

extension Array where Element == Double {
    /// Creates an array of `count` scaled numbers, which alternate between real and imaginary parts.
    public init(fromSplitComplex splitComplex: DSPDoubleSplitComplex, scale: Double, count: Int) {
        let pairs = Swift.max(count, 0) / 2
        self = made(2 * pairs) { (numbers: inout UnsafeMutableBufferPointer<Double>) in
            for index in 0..<pairs {
                numbers[2 * index] = splitComplex.realp[index] * scale
                numbers[2 * index + 1] = splitComplex.imagp[index] * scale
            }
        }
    }
}
