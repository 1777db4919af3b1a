import Foundation

/// Returns the part of samples that is not a tone, largest over each block.
///
/// It is here, and not beside the tests, because this module is optimised and tests are not.
/// - Parameters:
///   - samples: The tone, and what else there is.
///   - frequency: Of the tone, in hertz.
///   - sampleRate: In hertz.
///   - blockSize: Samples in a block. The first block begins at sample 2; there is none for what is left at the end.
public func largestToneResiduals(
    _ samples: [Float],
    frequency: Double,
    sampleRate: Double,
    blockSize: Int
) -> [Float] {
    // Of a tone alone the sum of each sample and the one two before it is the one between times a constant.
    let factor = Float(2 * cos(2 * Double.pi * frequency / sampleRate))
    return stride(from: 2, to: samples.count - blockSize, by: blockSize).map { start in
        (start..<start + blockSize).reduce(Float(0)) {
            max($0, abs(samples[$1] - factor * samples[$1 - 1] + samples[$1 - 2]))
        }
    }
}
