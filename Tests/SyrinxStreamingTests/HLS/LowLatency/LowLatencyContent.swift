import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// A container of parts.
enum LowLatencyKind: String, CaseIterable, Sendable {
    case fragmented, transport

    func content(seconds: Double, bitRate: String = "96k", in scratch: ScratchDirectory) throws
        -> LowLatencyOrigin.Content
    {
        switch self {
        case .fragmented: try .fragmented(seconds: seconds, bitRate: bitRate, in: scratch)
        case .transport: try .transport(seconds: seconds, bitRate: bitRate, in: scratch)
        }
    }
}

/// The largest difference between samples and a sine of their own: what is left of them when it has been taken away.
func sineDeviation(_ samples: some Collection<Float>) -> Float {
    // A sine goes on as twice the cosine of its step tells.
    let samples = Array(samples)
    let step = Float(2 * cos(2 * Double.pi * 440 / 44_100))
    return (2..<samples.count).reduce(0) { largest, index in
        max(largest, abs(samples[index] - step * samples[index - 1] + samples[index - 2]))
    }
}

extension LowLatencyOrigin {
    /// The number of the part that was asked for first, or that the first segment begins with.
    var firstPart: Int? {
        server.requests.lazy.compactMap { request in
            guard let name = request.path.split(separator: "/").last, let number = Int(name.dropFirst()) else {
                return nil
            }
            return name.hasPrefix("p") ? number : name.hasPrefix("s") ? number * self.content.partsPerSegment : nil
        }.first
    }
}

extension LowLatencyOrigin.Content {
    /// Expects samples to be the sine of all parts from the first one that was asked for.
    func expectWhole(_ samples: [Float], from origin: LowLatencyOrigin) throws {
        expectWhole(samples, fromPart: try #require(origin.firstPart))
    }

    func expectWhole(_ samples: [Float], fromPart part: Int, deviation: Float = 2e-3, tolerance: Double = 12 * 1024) {
        // The first packets lack those before them, and the last one holds the end of the sine.
        let sound = samples[4096..<(samples.count - 4096)]
        #expect(sineDeviation(sound) < deviation, "\(sineDeviation(sound))")
        let expected = Double(parts.count - part) * duration * 44_100
        #expect(abs(Double(samples.count) - expected) < tolerance, "\(samples.count) of \(expected)")
    }

    /// Parts of fragmented MP4 with a sine in AAC, each of eleven packets (255 ms).
    static func fragmented(
        seconds: Double,
        source: [String]? = nil,
        bitRate: String,
        in scratch: ScratchDirectory
    ) throws -> Self {
        let file = scratch.file("low.mp4")
        let flags = ["-movflags", "empty_moov+default_base_moof", "-frag_duration", "250000"]
        let aac = ["-c:a", "aac", "-b:a", bitRate, "-aac_pns", "0"]
        try FFmpeg.run((source ?? HLSFixtures.sine(seconds: seconds)) + aac + flags + [file])
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
        var content = Self()
        content.duration = 11 * 1024 / 44_100
        content.initialization = []
        var place = 0
        var part: [UInt8] = []
        while let size = MP4Box.size(bytes[place...].prefix(16)), place + Int(size) <= bytes.count {
            let box = bytes[place..<place + Int(size)]
            place += Int(size)
            switch MP4Box.kind(box.dropFirst(4).prefix(4)) {
            case "ftyp", "moov": content.initialization? += box
            case "moof": part += box
            case "mdat":
                content.parts.append(part + box)
                part = []
            default: break
            }
        }
        return content
    }

    /// Parts of a transport stream, in which tables come at the start of segments only.
    static func transport(seconds: Double, bitRate: String, in scratch: ScratchDirectory) throws -> Self {
        let file = scratch.file("low.ts")
        let aac = ["-c:a", "aac", "-b:a", bitRate, "-aac_pns", "0", "-pes_payload_size", "0"]
        try FFmpeg.run(HLSFixtures.sine(seconds: seconds) + aac + ["-f", "mpegts", file])
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
        var content = Self()
        content.duration = 11 * 1024 / 44_100
        content.partsAreIndependent = false
        var tables: [UInt8] = []
        var packets = 0
        var part: [UInt8] = []
        for place in stride(from: 0, to: bytes.count - 187, by: 188) {
            let packet = bytes[place..<place + 188]
            let pid = Int(packet[place + 1] & 0x1F) << 8 | Int(packet[place + 2])
            if pid < 0x100 || pid == 0x1000 {
                if tables.count < 3 * 188, pid != 0x11 { tables += packet }
                continue
            }
            if packet[place + 1] & 0x40 != 0 {
                if packets > 0, packets.isMultiple(of: 11) {
                    content.parts.append(part)
                    part = []
                }
                packets += 1
            }
            part += packet
        }
        content.parts.append(part)
        for index in stride(from: 0, to: content.parts.count, by: content.partsPerSegment) {
            content.parts[index] = tables.prefix(2 * 188) + content.parts[index]
        }
        return content
    }
}
