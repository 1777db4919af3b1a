import Foundation

@testable import SyrinxDSP

/// Returns what `body` makes of `input` in place, in blocks of `block` frames; it is given the first frame of each.
func processed(
    _ input: [[Float]],
    block: Int,
    _ body: (_ planes: UnsafePointer<UnsafeMutablePointer<Float>>, _ place: Int, _ count: Int) -> Void
) -> [[Float]] {
    let planes = Planes(channelCount: input.count, frameCount: block)
    var output = input.map { _ in [Float]() }
    var place = 0
    while place < input[0].count {
        let count = min(block, input[0].count - place)
        for channel in input.indices {
            for frame in 0..<count { planes.pointers[channel][frame] = input[channel][place + frame] }
        }
        body(UnsafePointer(planes.pointers), place, count)
        for channel in input.indices { output[channel] += (0..<count).map { planes.pointers[channel][$0] } }
        place += count
    }
    return output
}

/// A sine of `frequency` Hz.
func tone(_ frequency: Double, amplitude: Double = 0.5, frameCount: Int, sampleRate: Double = 48_000) -> [Float] {
    (0..<frameCount).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / sampleRate)) }
}

/// Returns `samples` behind a high pass of fourth order.
func highPassed(_ samples: [Float], frequency: Double, sampleRate: Double = 48_000) -> [Float] {
    var output = [samples]
    for _ in 0..<2 {
        var filter = SmoothedFilter(sampleRate: sampleRate, channelCount: 1)
        filter.set(FilterSettings(.highPass, frequency: frequency), isActive: true)
        output = processed(output, block: 512) { planes, _, count in
            filter.process(planes, channelCount: 1, frameCount: count)
        }
    }
    return output[0]
}
