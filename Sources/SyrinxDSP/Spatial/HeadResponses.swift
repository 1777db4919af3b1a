#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The response of both ears to a sound from one direction.
package struct HeadResponse {
    package var direction: SpatialDirection
    package var left: [Float]
    package var right: [Float]

    package init(direction: SpatialDirection, left: [Float], right: [Float]) {
        self.direction = direction
        self.left = left
        self.right = right
    }
}

/// The responses of a head to all directions, as filters for both ears.
///
/// Responses are kept without their delays on a grid of 5° by 10°. Between its points responses and delays are
/// interpolated apart, so that no comb filter arises. Made on any thread; reading neither allocates nor locks.
package final class HeadResponses: @unchecked Sendable {
    // Unchecked: constant after `init`.
    private static let azimuthCount = 72
    private static let elevationCount = 19
    private static let azimuthStep = 5.0
    private static let elevationStep = 10.0
    /// Taps of the filter that delays by parts of a frame, and the frames by which it delays besides.
    private static let delayTaps = 16
    private static let delayOffset = 7

    /// The responses, of the left ear and the right, and the delays in frames.
    private let responses: AlignedFloatBuffer
    private let delays: UnsafeMutablePointer<SIMD2<Double>>
    private let responseLength: Int
    /// The frames of a filter.
    package let frameCount: Int

    /// Fills the grid with the response and the delays in frames at each of its directions.
    private init(
        responseLength: Int,
        sampleRate: Double,
        _ response: (_ place: Int, _ left: inout [Float], _ right: inout [Float]) -> SIMD2<Double>
    ) {
        self.responseLength = responseLength
        let limit = Double(
            BinauralMixer.maximumPartitions * BinauralMixer.blockFrames(sampleRate: sampleRate) - responseLength
                - Self.delayTaps - 1
        )
        let count = Self.azimuthCount * Self.elevationCount
        responses = AlignedFloatBuffer(count: count * 2 * responseLength)
        delays = .allocate(capacity: count)
        var longest = 0.0
        var left = [Float](repeating: 0, count: responseLength)
        var right = left
        for index in 0..<count {
            // No head is so large that a delay passes the room of a filter.
            let delay = response(index, &left, &right).clamped(lowerBound: .zero, upperBound: .init(repeating: limit))
            (delays + index).initialize(to: delay)
            longest = max(longest, delay.max())
            for frame in 0..<responseLength {
                responses.pointer[2 * index * responseLength + frame] = left[frame]
                responses.pointer[(2 * index + 1) * responseLength + frame] = right[frame]
            }
        }
        frameCount = responseLength + Int(longest) + 1 + Self.delayTaps
    }

    deinit { delays.deallocate() }

    /// The responses of a head that was measured in some directions, with the nearest four measurements for each other
    /// one.
    ///
    /// - Parameter measured: At least one response; all of one length and of the sample rate.
    /// - Parameter isEqualized: Whether the mean over all directions is made flat, as `DiffuseField` does.
    package convenience init(measured: [HeadResponse], sampleRate: Double, isEqualized: Bool = false) {
        let nearest = Self.nearest(measured)
        let measured =
            isEqualized
            ? DiffuseField.equalized(
                measured,
                weights: Self.shares(nearest, of: measured.count),
                sampleRate: sampleRate
            ) : measured
        let whole = measured.map { (Self.onset($0.left), Self.onset($0.right)) }
        let first = whole.map { min($0.0, $0.1) }.min() ?? 0
        // 5.8 ms contain a head's response down to −60 dB; longer responses are faded out.
        let length = min(measured.map(\.left.count).max() ?? 1, Int(0.0058 * sampleRate))
        self.init(responseLength: max(length, 1), sampleRate: sampleRate) { place, left, right in
            var delay = SIMD2<Double>()
            for frame in 0..<length { (left[frame], right[frame]) = (0, 0) }
            for (index, weight) in nearest[place] {
                let (response, onsets) = (measured[index], whole[index])
                delay += weight * SIMD2(Double(onsets.0 - first), Double(onsets.1 - first))
                Self.add(response.left, from: onsets.0, Float(weight), to: &left)
                Self.add(response.right, from: onsets.1, Float(weight), to: &right)
            }
            return delay
        }
    }

    /// Returns the responses after `DiffuseField` equalization.
    package static func equalized(_ measured: [HeadResponse], sampleRate: Double) -> [HeadResponse] {
        DiffuseField.equalized(measured, weights: shares(nearest(measured), of: measured.count), sampleRate: sampleRate)
    }

    /// Returns the measured responses and weights that form each direction of the grid.
    private static func nearest(_ measured: [HeadResponse]) -> [[(index: Int, weight: Double)]] {
        let vectors = measured.map(\.direction.vector)
        return (0..<azimuthCount * elevationCount).map { index in
            let vector = gridDirection(index).vector
            return weights(of: vectors.map { ($0 * vector).sum() })
        }
    }

    /// Returns the share of each measurement in all directions, by the solid angles of the grid's cells.
    private static func shares(_ nearest: [[(index: Int, weight: Double)]], of count: Int) -> [Double] {
        var shares = [Double](repeating: 0, count: count)
        let degree = Double.pi / 180
        for (place, parts) in nearest.enumerated() {
            let elevation = gridDirection(place).elevation
            let (lower, upper) = (max(elevation - elevationStep / 2, -90), min(elevation + elevationStep / 2, 90))
            let cell = (sin(upper * degree) - sin(lower * degree)) / 2 / Double(azimuthCount)
            for part in parts { shares[part.index] += cell * part.weight }
        }
        return shares
    }

    private static func gridDirection(_ index: Int) -> SpatialDirection {
        SpatialDirection(
            azimuth: Double(index % azimuthCount) * azimuthStep - 180,
            elevation: Double(index / azimuthCount) * elevationStep - 90
        )
    }

    /// The responses of a rigid sphere of 8.75 cm with ears on both sides.
    ///
    /// Delay: R. Woodworth, "Experimental Psychology", 1938. Shadow: C. Brown, R. Duda, "A structural model for
    /// binaural sound synthesis", IEEE Transactions on Speech and Audio Processing 6, 1998, equation 3.
    package convenience init(sphericalHeadAt sampleRate: Double) {
        let (radius, speed) = (0.0875, 343.0)
        let length = max(Int(0.0014 * sampleRate), 8)
        self.init(responseLength: length, sampleRate: sampleRate) { place, left, right in
            let angle = acos(min(max(Self.gridDirection(place).vector.x, -1), 1))
            func ear(_ incidence: Double, _ response: inout [Float]) -> Double {
                let alpha = 1.05 + 0.95 * cos(min(incidence / (150 * Double.pi / 180), 2) * Double.pi)
                // Bilinear: (1 + α s/2ω₀) / (1 + s/2ω₀) with ω₀ = c/a.
                let k = 2 * sampleRate * radius / (2 * speed)
                let (b0, b1, a1) = ((1 + alpha * k) / (1 + k), (1 - alpha * k) / (1 + k), (1 - k) / (1 + k))
                var (last, output) = (0.0, 0.0)
                for frame in 0..<length {
                    let input = frame == 0 ? 1.0 : 0
                    output = b0 * input + b1 * last - a1 * output
                    last = input
                    response[frame] = Float(output)
                }
                let delay = incidence < .pi / 2 ? 1 - cos(incidence) : 1 + incidence - .pi / 2
                return delay * radius / speed * sampleRate
            }
            return SIMD2(ear(.pi - angle, &left), ear(angle, &right))
        }
    }

    /// Returns the onset of a response: three frames before the first frame with a tenth of the maximum.
    private static func onset(_ response: [Float]) -> Int {
        let highest = response.reduce(0) { max($0, abs($1)) }
        let first = response.firstIndex { abs($0) >= highest / 10 } ?? 0
        return max(first - 3, 0)
    }

    /// The four nearest of the cosines' directions with weights of the inverse square of their angles; one alone if it
    /// fits.
    private static func weights(of cosines: [Double]) -> [(index: Int, weight: Double)] {
        var nearest: [Int] = []
        for index in cosines.indices {
            guard nearest.count < 4 || cosines[index] > cosines[nearest[3]] else { continue }
            let place = nearest.firstIndex { cosines[index] > cosines[$0] } ?? nearest.count
            nearest.insert(index, at: place)
            if nearest.count > 4 { nearest.removeLast() }
        }
        let angles = nearest.map { acos(min(max(cosines[$0], -1), 1)) }
        guard let closest = angles.first, closest > 1e-3 else { return nearest.prefix(1).map { ($0, 1) } }
        let shares = angles.map { 1 / ($0 * $0) }
        let sum = shares.reduce(0, +)
        return zip(nearest, shares).map { ($0, $1 / sum) }
    }

    private static func add(_ response: [Float], from onset: Int, _ weight: Float, to sum: inout [Float]) {
        let fade = max(sum.count / 8, 1)
        for frame in 0..<min(sum.count, response.count - onset) {
            let rest = sum.count - frame
            let window = rest < fade && response.count - onset > sum.count ? Float(rest) / Float(fade) : 1
            sum[frame] += response[onset + frame] * weight * window
        }
    }

    /// Writes the filters of a direction into `frameCount` taps for each ear, which must be 0.
    ///
    /// The first tap is first.
    ///
    /// - Parameter scratch: Memory for `frameCount` values.
    package func fill(
        _ direction: SpatialDirection,
        left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>,
        scratch: UnsafeMutablePointer<Float>
    ) {
        let azimuth = (direction.azimuth + 180) / Self.azimuthStep
        let elevation = min(max((direction.elevation + 90) / Self.elevationStep, 0), Double(Self.elevationCount - 1))
        let column = min(max(Int(azimuth), 0), Self.azimuthCount - 1)
        let row = min(Int(elevation), Self.elevationCount - 2)
        let (x, y) = (min(max(azimuth - Double(column), 0), 1), elevation - Double(row))
        let next = column + 1 < Self.azimuthCount ? column + 1 : 0
        let cells = (
            row * Self.azimuthCount + column, row * Self.azimuthCount + next,
            (row + 1) * Self.azimuthCount + column, (row + 1) * Self.azimuthCount + next
        )
        let weights = SIMD4((1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y)
        var delay = delays[cells.0] * weights[0] + delays[cells.1] * weights[1]
        delay += delays[cells.2] * weights[2] + delays[cells.3] * weights[3]
        for ear in 0..<2 {
            let rows = (
                responses.pointer + (2 * cells.0 + ear) * responseLength,
                responses.pointer + (2 * cells.1 + ear) * responseLength,
                responses.pointer + (2 * cells.2 + ear) * responseLength,
                responses.pointer + (2 * cells.3 + ear) * responseLength
            )
            let shares = SIMD4(Float(weights[0]), Float(weights[1]), Float(weights[2]), Float(weights[3]))
            for frame in 0..<responseLength {
                let upper = rows.0[frame] * shares[0] + rows.1[frame] * shares[1]
                scratch[frame] = upper + rows.2[frame] * shares[2] + rows.3[frame] * shares[3]
            }
            place(scratch, delay: delay[ear], into: ear == 0 ? left : right)
        }
    }

    /// Adds a delayed response to taps that must be 0.
    private func place(_ response: UnsafePointer<Float>, delay: Double, into taps: UnsafeMutablePointer<Float>) {
        let whole = Int(delay)
        let part = delay - Double(whole)
        for tap in 0..<Self.delayTaps {
            addScaled(response, Self.delayTap(tap, part), to: taps + (whole + tap), count: responseLength)
        }
    }

    /// A tap of a sinc under a window of Blackman's; a delay of no part of a frame is one tap of 1.
    private static func delayTap(_ tap: Int, _ part: Double) -> Float {
        let x = Double(tap - delayOffset) - part
        if abs(x) < 1e-9 { return 1 }
        if part < 1e-9 { return 0 }
        let u = x / Double(delayTaps / 2) * Double.pi
        let window = 0.42 + 0.5 * cos(u) + 0.08 * cos(2 * u)
        return Float(sin(Double.pi * x) / (Double.pi * x) * window)
    }
}
