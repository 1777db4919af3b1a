import ByteStream
import Foundation
import MediaCodec

/// A folder that is removed with this object.
final class Scratch: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "syrinx-media-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appending(path: name) }

    /// Runs `ffmpeg` with these arguments; the last one names the file that it makes here.
    @discardableResult
    func make(_ arguments: [String]) throws -> URL {
        let file = file(arguments.last ?? "")
        _ = try run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments.dropLast() + [file.path])
        return file
    }
}

struct ToolError: Error {
    let message: String
}

/// Runs a program to its end, and returns what it wrote to standard output.
func run(_ program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let output = Pipe()
    let errors = FileManager.default.temporaryDirectory.appending(path: "syrinx-\(UUID().uuidString).txt")
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: errors) }
    let handle = try FileHandle(forWritingTo: errors)
    process.standardOutput = output
    process.standardError = handle
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        throw ToolError(message: "\(program) \(arguments.joined(separator: " ")): \(text)")
    }
    return data
}

/// Returns the samples that `ffmpeg` decodes, interleaved.
func reference(_ file: URL, _ options: [String] = []) throws -> [Float] {
    let data = try run("ffmpeg", ["-v", "error", "-nostdin", "-i", file.path] + options + ["-f", "f32le", "-"])
    return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
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
    var largest: Float = 0
    for (one, two) in zip(a, b) where one.bitPattern != two.bitPattern {
        largest = max(largest, abs(one - two))
        if !(one - two).isFinite { return .infinity }
    }
    return largest * 32768
}
