import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxDSP

@Suite("Spatial geometry") struct SpatialGeometryTests {
    private let ahead = ListenerFrame(position: SIMD3(), forward: SIMD3(0, 0, -1), up: SIMD3(0, 1, 0))

    @Test(
        "A point has the direction in which a listener hears it",
        arguments: [
            (SIMD3<Double>(0, 0, -2), 0.0, 0.0), (SIMD3(2, 0, 0), 90, 0), (SIMD3(-2, 0, 0), -90, 0),
            (SIMD3(0, 2, 0), 0, 90),
            (SIMD3(1, 0, -1), 45, 0), (SIMD3(1, 0, 1), 135, 0), (SIMD3(0, -1, -1), 0, -45),
        ]
    )
    func directions(point: SIMD3<Double>, azimuth: Double, elevation: Double) {
        let (direction, distance) = ahead.location(of: point)
        #expect(abs(direction.azimuth - azimuth) < 1e-9 || abs(elevation) == 90)
        #expect(abs(direction.elevation - elevation) < 1e-9)
        #expect(abs(distance - (point * point).sum().squareRoot()) < 1e-12)
    }

    @Test("A head that turns to the right hears what is ahead on its left")
    func yawTurnsToTheRight() {
        let (forward, up) = ListenerFrame.vectors(yaw: 90, pitch: 0, roll: 0)
        let frame = ListenerFrame(position: SIMD3(), forward: forward, up: up)
        #expect(abs(frame.location(of: SIMD3(0, 0, -1)).direction.azimuth + 90) < 1e-9)
    }

    @Test(
        "A head that is raised hears what is ahead below, and one that is tilted to the right hears above on its left"
    )
    func pitchAndRoll() {
        let raised = ListenerFrame.vectors(yaw: 0, pitch: 30, roll: 0)
        let frame = ListenerFrame(position: SIMD3(), forward: raised.forward, up: raised.up)
        #expect(abs(frame.location(of: SIMD3(0, 0, -1)).direction.elevation + 30) < 1e-9)
        let tilted = ListenerFrame.vectors(yaw: 0, pitch: 0, roll: 90)
        let side = ListenerFrame(position: SIMD3(), forward: tilted.forward, up: tilted.up)
        #expect(abs(side.location(of: SIMD3(0, 1, 0)).direction.azimuth + 90) < 1e-9)
    }

    @Test(
        "Vectors without a direction give the frame that looks along −z",
        arguments: [SIMD3<Double>(), SIMD3(0, 1, 0)]
    )
    func degenerateVectors(forward: SIMD3<Double>) {
        #expect(ListenerFrame(position: SIMD3(), forward: forward, up: SIMD3(0, 1, 0)) == ahead)
    }

    @Test("Each distance model follows its formula and is clamped at both ends")
    func distanceModels() {
        var attenuation = DistanceAttenuation()
        (attenuation.reference, attenuation.maximum, attenuation.rolloff) = (2, 50, 1.5)
        for distance in [0.0, 1, 2, 3, 10, 50, 80] {
            let d = min(max(distance, 2), 50)
            attenuation.model = .exponential
            #expect(abs(attenuation.gain(at: distance) - pow(d / 2, -1.5)) < 1e-12)
            attenuation.model = .inverse
            #expect(abs(attenuation.gain(at: distance) - 2 / (2 + 1.5 * (d - 2))) < 1e-12)
            attenuation.model = .linear
            #expect(abs(attenuation.gain(at: distance) - max(0, 1 - 1.5 * (d - 2) / 48)) < 1e-12)
        }
    }

    @Test("Two loudspeakers have the same power together, wherever the source is")
    func equalPower() {
        for azimuth in stride(from: -180.0, through: 180, by: 7.5) {
            let gains = SpatialDirection(azimuth: azimuth, elevation: 0).equalPowerGains
            #expect(abs(gains.left * gains.left + gains.right * gains.right - 1) < 1e-12)
            let mirrored = SpatialDirection(azimuth: azimuth >= 0 ? 180 - azimuth : -180 - azimuth, elevation: 0)
            #expect(abs(mirrored.equalPowerGains.left - gains.left) < 1e-12)
        }
        #expect(SpatialDirection(azimuth: 90, elevation: 0).equalPowerGains.left < 1e-12)
    }

    @Test(
        "The low pass of an obstacle has its attenuation at 5 kHz",
        arguments: [-0.5, -3, -12, -40, -100],
        [44_100, 96_000]
    )
    func obstacles(decibels: Double, rate: Double) {
        let pole = ObstacleFilter.pole(decibels: decibels, sampleRate: rate)
        let angle = 2 * Double.pi * 5_000 / rate
        let power = (1 - pole) * (1 - pole) / (1 - 2 * pole * cos(angle) + pole * pole)
        #expect(abs(10 * log10(power) - decibels) < (decibels > -90 ? 0.001 : 3))
    }
}
