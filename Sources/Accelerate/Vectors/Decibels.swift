extension vDSP {
    // MARK: Decibels

    /// Returns `10 log10(power / zeroReference)`.
    public static func powerToDecibels<T: vDSP_FloatingPoint>(_ power: some AccelerateBuffer<T>, zeroReference: T)
        -> [T]
    {
        made(power.count) { convert(power: power, toDecibels: &$0, zeroReference: zeroReference) }
    }

    /// Writes `10 log10(power / zeroReference)`.
    public static func convert<T: vDSP_FloatingPoint>(
        power: some AccelerateBuffer<T>,
        toDecibels decibels: inout some AccelerateMutableBuffer<T>,
        zeroReference: T
    ) {
        convertToDecibels(power, &decibels, zeroReference, flag: 0)
    }

    /// Returns `20 log10(amplitude / zeroReference)`, for amplitudes that are not negative.
    public static func amplitudeToDecibels<T: vDSP_FloatingPoint>(
        _ amplitude: some AccelerateBuffer<T>,
        zeroReference: T
    ) -> [T] {
        made(amplitude.count) { convert(amplitude: amplitude, toDecibels: &$0, zeroReference: zeroReference) }
    }

    /// Writes `20 log10(amplitude / zeroReference)`, for amplitudes that are not negative.
    public static func convert<T: vDSP_FloatingPoint>(
        amplitude: some AccelerateBuffer<T>,
        toDecibels decibels: inout some AccelerateMutableBuffer<T>,
        zeroReference: T
    ) {
        convertToDecibels(amplitude, &decibels, zeroReference, flag: 1)
    }

    private static func convertToDecibels<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        _ decibels: inout some AccelerateMutableBuffer<T>,
        _ zeroReference: T,
        flag: UInt32
    ) {
        scaling(vector, zeroReference, &decibels) {
            vDSP_vdbcon($0, $1, $2, $3, $4, $5, flag)
        } _: {
            vDSP_vdbconD($0, $1, $2, $3, $4, $5, flag)
        }
    }

    // MARK: Polar coordinates

    /// Returns the radius and angle of each pair of coordinates x and y.
    public static func rectangularToPolar<T: vDSP_FloatingPoint>(_ rectangularCoordinates: some AccelerateBuffer<T>)
        -> [T]
    {
        made(rectangularCoordinates.count) {
            convert(rectangularCoordinates: rectangularCoordinates, toPolarCoordinates: &$0)
        }
    }

    /// Writes the radius and angle of each pair of coordinates x and y.
    public static func convert<T: vDSP_FloatingPoint>(
        rectangularCoordinates: some AccelerateBuffer<T>,
        toPolarCoordinates polarCoordinates: inout some AccelerateMutableBuffer<T>
    ) {
        unary(rectangularCoordinates, &polarCoordinates) {
            vDSP_polar($0, 2, $2, 2, $4 / 2)
        } _: {
            vDSP_polarD($0, 2, $2, 2, $4 / 2)
        }
    }

    /// Returns the coordinates x and y of each pair of a radius and an angle.
    public static func polarToRectangular<T: vDSP_FloatingPoint>(_ polarCoordinates: some AccelerateBuffer<T>) -> [T] {
        made(polarCoordinates.count) { convert(polarCoordinates: polarCoordinates, toRectangularCoordinates: &$0) }
    }

    /// Writes the coordinates x and y of each pair of a radius and an angle.
    public static func convert<T: vDSP_FloatingPoint>(
        polarCoordinates: some AccelerateBuffer<T>,
        toRectangularCoordinates rectangularCoordinates: inout some AccelerateMutableBuffer<T>
    ) {
        unary(polarCoordinates, &rectangularCoordinates) {
            vDSP_rect($0, 2, $2, 2, $4 / 2)
        } _: {
            vDSP_rectD($0, 2, $2, 2, $4 / 2)
        }
    }
}
