import Foundation

/// The samples of a WAV file, one array a channel.
struct WAVFile {
    var sampleRate = 44_100
    var channels: [[Float]] = []

    struct Unreadable: Error {}

    init(sampleRate: Int, channels: [[Float]]) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// Reads 16-bit integers or 32-bit floats.
    init(contentsOf path: String) throws {
        let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func number(at place: Int, bytes: Int) -> Int {
            (0..<bytes).reduce(0) { $0 | Int(data[place + $1]) << (8 * $1) }
        }
        var (place, count, bits) = (12, 0, 0)
        while place + 8 <= data.count {
            let name = String(decoding: data[place..<place + 4], as: UTF8.self)
            let size = number(at: place + 4, bytes: 4)
            if name == "fmt ", place + 24 <= data.count {
                count = number(at: place + 10, bytes: 2)
                sampleRate = number(at: place + 12, bytes: 4)
                bits = number(at: place + 22, bytes: 2)
            }
            if name == "data", count > 0, bits == 16 || bits == 32 {
                let frameBytes = count * bits / 8
                let frames = min(size, data.count - place - 8) / frameBytes
                let start = place + 8
                channels = (0..<count).map { channel in
                    (0..<frames).map { frame in
                        let at = start + frame * frameBytes + channel * bits / 8
                        let raw = number(at: at, bytes: bits / 8)
                        return bits == 16
                            ? Float(Int16(truncatingIfNeeded: raw)) / 32768
                            : Float(bitPattern: UInt32(truncatingIfNeeded: raw))
                    }
                }
                return
            }
            place += 8 + size + size % 2
        }
        throw Unreadable()
    }

    /// Writes 32-bit floats.
    func write(to path: String) throws {
        let frames = channels.first?.count ?? 0
        let frameBytes = 4 * channels.count
        var data = Data()
        func append(_ text: String) { data.append(contentsOf: text.utf8) }
        func append(_ value: Int, bytes: Int) {
            for byte in 0..<bytes { data.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
        }
        append("RIFF")
        append(36 + frames * frameBytes, bytes: 4)
        append("WAVEfmt ")
        append(16, bytes: 4)
        append(3, bytes: 2)
        append(channels.count, bytes: 2)
        append(sampleRate, bytes: 4)
        append(sampleRate * frameBytes, bytes: 4)
        append(frameBytes, bytes: 2)
        append(32, bytes: 2)
        append("data")
        append(frames * frameBytes, bytes: 4)
        var samples = [Float](repeating: 0, count: frames * channels.count)
        for (channel, values) in channels.enumerated() {
            for (frame, value) in values.enumerated() { samples[frame * channels.count + channel] = value }
        }
        samples.withUnsafeBytes { data.append(contentsOf: $0) }
        try data.write(to: URL(fileURLWithPath: path))
    }
}
