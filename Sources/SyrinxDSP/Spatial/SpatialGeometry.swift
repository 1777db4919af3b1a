#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A listener's place and the directions of the head, in meters; x points right, y up and z backward.
package struct ListenerFrame: Equatable, Sendable {
    package var position: SIMD3<Double>
    private var forward: SIMD3<Double>
    private var up: SIMD3<Double>
    private var right: SIMD3<Double>

    /// A listener who looks along `forward`; `up` need not be at a right angle to it.
    ///
    /// Vectors without a direction, or of one line, give the frame that looks along −z.
    package init(position: SIMD3<Double>, forward: SIMD3<Double>, up: SIMD3<Double>) {
        self.position = position
        let ahead = Self.normalized(forward)
        let side = Self.normalized(Self.cross(ahead, up))
        let isFrame = (side * side).sum() > 0.5
        self.forward = isFrame ? ahead : SIMD3(0, 0, -1)
        right = isFrame ? side : SIMD3(1, 0, 0)
        self.up = isFrame ? Self.cross(side, ahead) : SIMD3(0, 1, 0)
    }

    /// The forward and up vectors of a head that is turned by `yaw` to the right, then raised by `pitch`, then tilted
    /// by `roll` to the right, in degrees.
    package static func vectors(
        yaw: Double,
        pitch: Double,
        roll: Double
    ) -> (forward: SIMD3<Double>, up: SIMD3<Double>) {
        let degree = Double.pi / 180
        let (sinYaw, cosYaw) = (sin(yaw * degree), cos(yaw * degree))
        let (sinPitch, cosPitch) = (sin(pitch * degree), cos(pitch * degree))
        let forward = SIMD3(sinYaw * cosPitch, sinPitch, -cosYaw * cosPitch)
        let level = SIMD3(-sinYaw * sinPitch, cosPitch, cosYaw * sinPitch)
        let up = level * cos(roll * degree) + cross(forward, level) * sin(roll * degree)
        return (forward, up)
    }

    /// Returns the direction and the distance of a point.
    package func location(of point: SIMD3<Double>) -> (direction: SpatialDirection, distance: Double) {
        let way = point - position
        let distance = (way * way).sum().squareRoot()
        guard distance > 0 else { return (SpatialDirection(azimuth: 0, elevation: 0), 0) }
        let (x, y, z) = ((way * right).sum(), (way * up).sum(), (way * forward).sum())
        let degree = 180 / Double.pi
        return (
            SpatialDirection(
                azimuth: atan2(x, z) * degree,
                elevation: asin(min(max(y / distance, -1), 1)) * degree
            ), distance
        )
    }

    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    private static func normalized(_ vector: SIMD3<Double>) -> SIMD3<Double> {
        let length = (vector * vector).sum().squareRoot()
        return length > 1e-9 ? vector / length : SIMD3()
    }
}

/// A direction relative to the listener's head, in degrees.
package struct SpatialDirection: Equatable, Sendable {
    /// −180…180: 0 is ahead, 90 is right.
    package var azimuth: Double
    /// −90…90: 90 is above.
    package var elevation: Double

    package init(azimuth: Double, elevation: Double) {
        self.azimuth = azimuth
        self.elevation = elevation
    }

    /// The direction as a vector: x to the right, y up, z ahead.
    package var vector: SIMD3<Double> {
        let degree = Double.pi / 180
        let flat = cos(elevation * degree)
        return SIMD3(flat * sin(azimuth * degree), sin(elevation * degree), flat * cos(azimuth * degree))
    }

    /// The equal-power gains of two loudspeakers.
    ///
    /// Directions behind the listener are mirrored to the front.
    package var equalPowerGains: (left: Double, right: Double) {
        var folded = azimuth
        if folded > 90 { folded = 180 - folded }
        if folded < -90 { folded = -180 - folded }
        let angle = (folded + 90) / 180 * Double.pi / 2
        return (cos(angle), sin(angle))
    }
}

/// The attenuation with distance.
///
/// The formulas are those of OpenAL 1.1, section 3.4, under the names of AVFAudio.
package struct DistanceAttenuation: Equatable, Sendable {
    package enum Model: Int, Sendable { case exponential = 1, inverse, linear }

    package var model = Model.inverse
    /// The distance in meters up to which the gain is 1.
    package var reference = 1.0
    /// The distance in meters from which the gain stays.
    package var maximum = 100_000.0
    package var rolloff = 1.0

    package init() {}

    /// Returns the linear gain of a source at `distance` meters.
    package func gain(at distance: Double) -> Double {
        let near = max(reference, 1e-6)
        let far = max(maximum, near)
        let place = min(max(distance, near), far)
        switch model {
        case .exponential: return min(pow(place / near, -rolloff), 1)
        case .inverse: return near / (near + max(rolloff, 0) * (place - near))
        case .linear: return far > near ? min(max(0, 1 - rolloff * (place - near) / (far - near)), 1) : 1
        }
    }
}

/// A one-pole low-pass filter given by its attenuation at 5 kHz, for obstruction and occlusion.
package enum ObstacleFilter {
    private static let frequency = 5_000.0

    /// Returns the pole of y ← (1 − p) x + p y with a gain of `decibels`, at most 0, at 5 kHz.
    ///
    /// From |H|² = (1 − p)² / (1 − 2p cos ω + p²). At sample rates under 12.5 kHz the frequency is 0.4 of the rate.
    package static func pole(decibels: Double, sampleRate: Double) -> Double {
        guard decibels < 0 else { return 0 }
        let power = pow(10, max(decibels, -100) / 10)
        let cosine = cos(2 * Double.pi * min(frequency / sampleRate, 0.4))
        let half = 1 - power * cosine
        let rest = 1 - power
        let pole = (half - max(half * half - rest * rest, 0).squareRoot()) / rest
        return min(max(pole, 0), 0.999999)
    }
}
