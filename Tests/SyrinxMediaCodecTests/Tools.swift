import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport

extension ScratchDirectory {
    /// Runs `ffmpeg` with these arguments; the last one names the file that it makes here.
    @discardableResult
    func make(_ arguments: [String]) throws -> URL {
        let url = url(arguments.last ?? "")
        try FFmpeg.run(arguments.dropLast() + [url.path])
        return url
    }
}

/// Buffers to read into, one a channel.
final class Planes {
    let count: Int
    let capacity: Int
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    init(count: Int, capacity: Int) {
        self.count = count
        self.capacity = capacity
        pointers = .allocate(capacity: count)
        for channel in 0..<count {
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
            plane.initialize(repeating: .nan, count: capacity)
            (pointers + channel).initialize(to: plane)
        }
    }

    convenience init(interleaved: [Float], count: Int) {
        let frames = interleaved.count / count
        self.init(count: count, capacity: frames)
        for channel in 0..<count {
            for frame in 0..<frames { pointers[channel][frame] = interleaved[frame * count + channel] }
        }
    }

    deinit {
        for channel in 0..<count { pointers[channel].deallocate() }
        pointers.deallocate()
    }

    func interleaved(_ frames: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: frames * count) { buffer, filled in
            for channel in 0..<count {
                let plane = pointers[channel]
                var place = channel
                for frame in 0..<frames {
                    buffer[place] = plane[frame]
                    place += count
                }
            }
            filled = frames * count
        }
    }
}

extension MediaReader {
    /// Reads on to the end, or until `limit` frames; interleaved.
    func readAll(limit: Int = .max, block: Int = 4096) throws -> [Float] {
        let planes = Planes(count: info.channelCount, capacity: block)
        var all: [Float] = []
        var left = limit
        while left > 0 {
            let count = try read(into: planes.pointers, frameCount: min(block, left))
            if count == 0 { break }
            all += planes.interleaved(count)
            left -= count
        }
        return all
    }
}

/// The largest difference of two signals, in units of the last bit of 16.
func largestDifference(_ a: some Collection<Float>, _ b: some Collection<Float>) -> Float {
    SyrinxTestSupport.largestDifference(a, b) * 32768
}
