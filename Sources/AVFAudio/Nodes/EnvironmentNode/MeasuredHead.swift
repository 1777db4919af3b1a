import CSyrinxMySofa
import Foundation
import Synchronization
package import SyrinxDSP

/// The measured head of libmysofa: MIT KEMAR with its normal pinna.
///
/// By Gardner and Martin, MIT Media Lab, 1994.
package enum MeasuredHead {
    /// The places of the file of libmysofa's package.
    static let paths = [
        "/usr/share/libmysofa/MIT_KEMAR_normal_pinna.sofa", "/usr/local/share/libmysofa/MIT_KEMAR_normal_pinna.sofa",
        "/usr/share/libmysofa/default.sofa", "/usr/local/share/libmysofa/default.sofa",
    ]

    private static let known = Mutex<[Double: HeadResponses]>([:])

    /// Whether a file is there.
    package static var isInstalled: Bool { paths.contains { FileManager.default.isReadableFile(atPath: $0) } }

    /// The version of libmysofa.
    package static var libraryVersion: String {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        mysofa_getversion(&major, &minor, &patch)
        return "\(major).\(minor).\(patch)"
    }

    /// Returns the head's responses at a sample rate, equalised for the diffuse field; `nil` if there is no file, or
    /// none that can be read.
    ///
    /// Kept for each sample rate. Not on the render thread: the first call reads a file of 1 MB and resamples it.
    package static func responses(sampleRate: Double) -> HeadResponses? {
        known.withLock { known in
            if let responses = known[sampleRate] { return responses }
            guard let measured = measurements(sampleRate: sampleRate) else { return nil }
            let responses = HeadResponses(measured: measured, sampleRate: sampleRate, isEqualized: true)
            known[sampleRate] = responses
            return responses
        }
    }

    /// Returns the responses of the first file that can be read, as loud as libmysofa makes them.
    package static func measurements(sampleRate: Double) -> [HeadResponse]? {
        for path in paths where FileManager.default.isReadableFile(atPath: path) {
            var (length, status): (Int32, Int32) = (0, 0)
            guard let file = mysofa_open(path, Float(sampleRate), &length, &status) else { continue }
            defer { mysofa_close(file) }
            guard status == 0, let data = file.pointee.hrtf?.pointee, data.R == 2, data.C == 3 else { continue }
            let (count, frames) = (Int(data.M), Int(data.N))
            guard count > 0, frames > 0, Int(data.DataIR.elements) >= count * 2 * frames,
                Int(data.SourcePosition.elements) >= count * 3, let responses = data.DataIR.values,
                let positions = data.SourcePosition.values
            else { continue }
            return (0..<count).map { index in
                let place = positions + 3 * index
                // SOFA: x ahead, y to the left, z up (AES69, cartesian coordinates).
                let (x, y, z) = (Double(place[0]), Double(place[1]), Double(place[2]))
                let flat = (x * x + y * y).squareRoot()
                let first = responses + 2 * index * frames
                return HeadResponse(
                    direction: SpatialDirection(
                        azimuth: atan2(-y, x) * 180 / .pi,
                        elevation: atan2(z, flat) * 180 / .pi
                    ),
                    left: Array(UnsafeBufferPointer(start: first, count: frames)),
                    right: Array(UnsafeBufferPointer(start: first + frames, count: frames))
                )
            }
        }
        return nil
    }
}
