import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxTestSupport

@testable import SyrinxStreaming

/// Presentations that the tests make with `ffmpeg`.
enum HLSFixtures {
    /// A kind of segments.
    enum Kind: String, CaseIterable, Sendable {
        case transport
        case fragmented
        case ranges
        case encrypted
        case packedAAC
        case packedMP3
        case packedAC3
        case transportMP3
    }

    static let key: [UInt8] = Array(1...16)

    /// A chirp with a click each second, of which every moment is unlike every other.
    static func chirp(seconds: Double) -> [String] {
        ["-f", "lavfi", "-i", "aevalsrc=0.3*sin(2*PI*(200+40*t)*t)+0.2*lt(mod(t\\,1)\\,0.004):s=44100:d=\(seconds)"]
    }

    static func sine(seconds: Double, frequency: Int = 440) -> [String] {
        ["-f", "lavfi", "-i", "sine=\(frequency):r=44100:d=\(seconds)"]
    }

    /// Makes a presentation in a folder of `scratch`, whose playlist is `index.m3u8`, and returns the folder.
    static func make(
        _ kind: Kind,
        in scratch: ScratchDirectory,
        named name: String? = nil,
        source: [String] = chirp(seconds: 10),
        bitRate: String = "96k",
        segmentSeconds: Double = 2
    ) throws -> String {
        let folder = scratch.file(name ?? kind.rawValue)
        // Only what is made of nothing but the arguments is the same each time.
        guard !source.contains(where: { $0.hasPrefix("/") }) else {
            try make(kind, at: folder, source, bitRate, segmentSeconds)
            return folder
        }
        let made = try folders.value([kind.rawValue, bitRate, "\(segmentSeconds)"] + source) {
            let made = try ScratchDirectory.ofProcess()
            try make(kind, at: made.path, source, bitRate, segmentSeconds)
            return made
        }
        try FileManager.default.copyItem(atPath: made.path, toPath: folder)
        return folder
    }

    /// The presentations that have been made, by kind, bit rate, length of segments and source.
    private static let folders = MadeOnce<[String], ScratchDirectory>()

    private static func make(
        _ kind: Kind,
        at folder: String,
        _ source: [String],
        _ bitRate: String,
        _ segmentSeconds: Double
    ) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // Noise that a decoder makes up would differ with what it decoded before.
        let aac = ["-c:a", "aac", "-b:a", bitRate, "-aac_pns", "0"]
        let live = ["-f", "hls", "-hls_time", "\(segmentSeconds)", "-hls_list_size", "0", "-hls_playlist_type", "vod"]
        let index = folder + "/index.m3u8"
        func packed(_ codec: [String], _ format: String, _ options: [String] = []) throws {
            let segments = ["-f", "segment", "-segment_time", "\(segmentSeconds)", "-segment_format", format]
            let list = ["-segment_list_type", "m3u8", "-segment_list", index]
            let name = folder + "/s%d." + (format == "adts" ? "aac" : format)
            try FFmpeg.run(source + codec + segments + options + list + [name])
            // What the segment muxer leaves out.
            let text = try String(contentsOfFile: index, encoding: .utf8)
            try text.replacingOccurrences(of: "#EXT-X-ALLOW-CACHE:YES\n", with: "")
                .write(toFile: index, atomically: true, encoding: .utf8)
        }
        switch kind {
        case .transport: try FFmpeg.run(source + aac + live + [index])
        case .transportMP3: try FFmpeg.run(source + ["-c:a", "libmp3lame", "-b:a", bitRate] + live + [index])
        case .fragmented: try FFmpeg.run(source + aac + live + ["-hls_segment_type", "fmp4", index])
        case .ranges: try FFmpeg.run(source + aac + live + ["-hls_flags", "single_file", index])
        case .encrypted:
            try Data(key).write(to: URL(fileURLWithPath: folder + "/key"))
            try "key\n\(folder)/key\n".write(toFile: folder + "/info", atomically: true, encoding: .utf8)
            try FFmpeg.run(source + aac + live + ["-hls_key_info_file", folder + "/info", index])
        case .packedAAC: try packed(aac, "adts")
        case .packedAC3: try packed(["-c:a", "ac3", "-b:a", "192k"], "ac3")
        case .packedMP3:
            let options = ["-segment_format_options", "write_xing=0:id3v2_version=0"]
            try packed(["-c:a", "libmp3lame", "-b:a", bitRate], "mp3", options)
        }
    }

    /// The samples that `ffmpeg` decodes from a presentation in a file.
    static func decoded(_ folder: String) throws -> [Float] {
        let data = try FFmpeg.run(
            ["-allowed_extensions", "ALL", "-i", folder + "/index.m3u8", "-f", "f32le", "-c:a", "pcm_f32le", "-"]
        )
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    static func file(_ folder: String, _ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
    }

    static func text(_ folder: String, _ name: String = "index.m3u8") throws -> String {
        try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    }

    /// Serves all files of a folder under `prefix`.
    static func serve(_ folder: String, on server: ScriptedHTTPServer, under prefix: String = "") throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let type = name.hasSuffix(".m3u8") ? "application/vnd.apple.mpegurl" : "application/octet-stream"
            server.route("\(prefix)/\(name)", .file(try file(folder, name), type: type))
        }
    }
}

/// A presentation that is read by a test.
final class HLSReading {
    let stream: HLSStream
    let reader: any SampleReader
    private let limit: DispatchWorkItem

    /// Seconds after which whatever still waits is cancelled, so that a test fails and does not hang.
    private static let longestTime = 40.0

    init(_ url: String, network: HTTPByteStream.Options = quickNetwork) throws {
        guard let url = URL(string: url) else { throw SyrinxError(.badURL, "no URL", name: url) }
        let input = StreamingInput.url(url)
        let bytes = try input.makeByteStream(network: network)
        if let resource = bytes as? HTTPByteStream { try resource.waitForResponse() }
        let typed = (bytes as? HTTPByteStream).flatMap { HLSStream(typed: $0, of: input, network: network) }
        guard let stream = bytes as? HLSStream ?? typed else {
            throw SyrinxError(.unknown, "no presentation", name: "\(url)")
        }
        self.stream = stream
        limit = DispatchWorkItem { [weak stream] in stream?.cancel() }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.longestTime, execute: limit)
        reader = try input.open(stream)
        stream.readAhead()
    }

    convenience init(path: String) throws { try self.init(URL(fileURLWithPath: path).absoluteString) }

    deinit {
        limit.cancel()
        stream.cancel()
    }

    /// The code of a failure, as users see it.
    static func code(of error: any Error) -> String {
        (error as? SyrinxError)?.code.rawValue ?? "\(error)"
    }

    /// Reads the first channel, up to `count` frames of it.
    func read(_ count: Int = .max) throws -> [Float] {
        let frames = HLSFrames(channelCount: reader.info.channelCount, capacity: 4096)
        var samples: [Float] = []
        while samples.count < count {
            let got = try reader.read(into: frames.channels, frameCount: min(4096, count - samples.count))
            if got == 0 { break }
            samples += UnsafeBufferPointer(start: frames.channels[0], count: got)
        }
        return samples
    }
}
