import SyrinxDSP

/// The common interface of both kernels, for the tests that apply to both.
protocol Kernel: AnyObject {
    func requiredInput(forOutput frameCount: Int) -> Int
    func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int)
    func endInput()
    func read(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) -> Int
    var inputPosition: Double { get }
    var framesWritten: Int64 { get }
    func reset()
}

extension TimePitchKernel: Kernel {}
extension ResamplerKernel: Kernel {}

/// One pointer a channel, with memory behind them.
final class Planes {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let channelCount: Int
    let frameCount: Int

    init(channelCount: Int, frameCount: Int) {
        self.channelCount = channelCount
        self.frameCount = frameCount
        pointers = .allocate(capacity: channelCount)
        for channel in 0..<channelCount {
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: frameCount)
            plane.initialize(repeating: 0, count: frameCount)
            (pointers + channel).initialize(to: plane)
        }
    }

    deinit {
        for channel in 0..<channelCount { pointers[channel].deallocate() }
        pointers.deallocate()
    }
}

/// Feeds a kernel what it asks for, and collects what it gives.
final class Drive {
    let kernel: any Kernel
    let input: [[Float]]
    let planes: Planes
    var fed = 0
    var output: [[Float]]
    var ended = false

    init(_ kernel: any Kernel, _ input: [[Float]], block: Int = 4096) {
        self.kernel = kernel
        self.input = input
        planes = Planes(channelCount: input.count, frameCount: block)
        output = input.map { _ in [] }
    }

    func feed(_ count: Int) {
        var left = count
        while left > 0 {
            let now = min(left, planes.frameCount, input[0].count - fed)
            guard now > 0 else {
                kernel.endInput()
                return
            }
            for channel in input.indices {
                input[channel].withUnsafeBufferPointer { samples in
                    guard let base = samples.baseAddress else { return }
                    planes.pointers[channel].update(from: base + fed, count: now)
                }
            }
            kernel.write(planes.pointers, frameCount: now)
            fed += now
            left -= now
        }
    }

    /// Reads one block, giving what is required before.
    @discardableResult
    func pull(_ count: Int) -> Int {
        feed(kernel.requiredInput(forOutput: count))
        let got = kernel.read(into: planes.pointers, frameCount: count)
        for channel in output.indices {
            output[channel].append(contentsOf: UnsafeBufferPointer(start: planes.pointers[channel], count: got))
        }
        ended = got < count
        return got
    }

    /// Reads to the end, or up to an output frame, in blocks of one size.
    @discardableResult
    func run(block: Int, until end: Int = .max) -> [[Float]] {
        while !ended, output[0].count < end { pull(min(block, end - output[0].count)) }
        return output
    }
}

/// The whole output of a time-pitch kernel.
func stretched(
    _ input: [[Float]],
    rate: Double,
    cents: Double = 0,
    block: Int = 1024,
    overlap: Double = 8,
    algorithm: TimePitchAlgorithm = .automatic,
    preservesFormants: Bool = false
) -> [[Float]] {
    let kernel = TimePitchKernel(sampleRate: 44100, channelCount: input.count, maximumFrameCount: 4096)
    kernel.setRate(rate)
    kernel.setPitch(cents: cents)
    kernel.setOverlap(overlap)
    kernel.setAlgorithm(algorithm)
    kernel.setPreservesFormants(preservesFormants)
    return Drive(kernel, input).run(block: block)
}
