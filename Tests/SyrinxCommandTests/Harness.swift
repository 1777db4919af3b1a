import Foundation
import Synchronization
public import SyrinxByteStream
import SyrinxTestSupport
import Testing

/// Runs the command as scripts do: the built program, as a process of its own.
enum Syrinx {
    /// The program beside the test bundle.
    static let path: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (bundle as NSString).deletingLastPathComponent + "/syrinx"
    }()

    /// No sound server, no proxy, no cache on disk: what the test gives is all there is.
    static let environment = [
        "PULSE_SERVER": "unix:/nonexistent/syrinx-test", "http_proxy": "", "HTTP_PROXY": "", "https_proxy": "",
        "no_proxy": "127.0.0.1", "XDG_CACHE_HOME": "", "HOME": "", "DBUS_SESSION_BUS_ADDRESS": "",
    ]

    /// Runs it to its end.
    static func run(_ arguments: String..., stdin: Data = Data(), timeout: Double = 60) throws -> ProcessResult {
        try runProcess(path, arguments, environment: environment, stdin: stdin, timeout: timeout)
    }
}

extension ProcessResult {
    /// The lines of standard error.
    var errorLines: [Substring] { errors.split(separator: "\n") }

    /// The objects of standard output, one a line.
    var objects: [[String: Any]] { Events.parse(output) }

    /// The states that the events tell, in order.
    var states: [String] { objects.compactMap { $0["event"] as? String == "state" ? $0["state"] as? String : nil } }
}

/// Events as a script reads them.
enum Events {
    /// The objects in complete lines of `text`, which may come from a terminal.
    static func parse(_ text: String) -> [[String: Any]] {
        func isBreak(_ character: Character) -> Bool { character == "\n" || character == "\r\n" }
        guard let end = text.lastIndex(where: isBreak) else { return [] }
        return text[..<end].split(whereSeparator: isBreak).compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }
}

/// The command while it runs: its events can be waited for, and commands sent.
final class RunningSyrinx {
    let process: ChildProcess
    private let directory: ScratchDirectory
    private var input: Int32
    /// The events of the lines that have been read, and the bytes of these lines.
    private var parsed: (events: [[String: Any]], length: UInt64) = ([], 0)

    convenience init(_ arguments: String...) throws { try self.init(arguments: arguments) }

    /// Runs `program` with the command's own environment, and `environment` over that.
    init(program: String = Syrinx.path, arguments: [String], environment: [String: String] = [:]) throws {
        directory = try ScratchDirectory()
        var ends: [Int32] = [-1, -1]
        // A pair of sockets, because these are closed in other children from the beginning.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let status = socketpair(AF_UNIX, kind, 0, &ends)
        try #require(status == 0)
        input = ends[1]
        process = try ChildProcess(
            program,
            arguments,
            environment: Syrinx.environment.merging(environment) { $1 },
            stdin: .descriptor(ends[0]),
            stdout: .file(directory.file("out")),
            stderr: .file(directory.file("err"))
        )
        close(ends[0])
    }

    deinit {
        closeInput()
        if process.exitStatus == nil { process.kill() }
    }

    /// All events so far.
    ///
    /// Each line is parsed once: a test that waits asks every millisecond.
    var events: [[String: Any]] {
        guard let file = FileHandle(forReadingAtPath: directory.file("out")) else { return parsed.events }
        defer { try? file.close() }
        try? file.seek(toOffset: parsed.length)
        let data = (try? file.readToEnd()) ?? Data()
        if let end = data.lastIndex(of: UInt8(ascii: "\n")) {
            let lines = data[...end]
            parsed.events += Events.parse(String(decoding: lines, as: UTF8.self))
            parsed.length += UInt64(lines.count)
        }
        return parsed.events
    }

    /// Standard output so far.
    var output: String { text("out") }

    /// Standard error so far.
    var errors: String { text("err") }

    func send(_ line: String) { type(line + "\n") }

    /// Writes to standard input.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(input, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Waits until an event of this kind, for which `condition` holds, has come.
    func event(
        _ name: String,
        after index: Int = 0,
        timeout: Double = 60,
        _ condition: ([String: Any]) -> Bool = { _ in true }
    ) throws -> [String: Any] {
        var found: [String: Any]?
        waitUntil(timeout: timeout) {
            found = events.dropFirst(index).first { $0["event"] as? String == name && condition($0) }
            return found != nil || process.exitStatus != nil
        }
        return try #require(found, "no event \(name); events: \(events.suffix(5)), errors: \(errors)")
    }

    /// Returns the index of the first event with this state.
    func firstIndex(ofState state: String) -> Int? {
        events.firstIndex { $0["event"] as? String == "state" && $0["state"] as? String == state }
    }

    func state(_ state: String, after index: Int = 0) throws -> [String: Any] {
        try event("state", after: index) { $0["state"] as? String == state }
    }

    private func text(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: directory.file(name)) ?? Data(), as: UTF8.self)
    }
}

extension ChildProcess {
    /// The most memory that it has held so far, in bytes; 0 once it has ended.
    ///
    /// What `wait4` tells would be no less than the memory of the test: that counts for the child until it is the command.
    var residentPeak: Int { memory("VmHWM:") }

    /// The memory that it holds, in bytes; 0 once it has ended.
    var resident: Int { memory("VmRSS:") }

    private func memory(_ field: String) -> Int {
        // Until it is the command, it is a copy of the test, with the test's memory.
        let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard let executable, executable != own else { return 0 }
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
        let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        return (kilobytes ?? 0) << 10
    }
}

/// Inputs that the tests make for themselves.
enum Fixture {
    /// The options that encode each format.
    static let formats: [(name: String, options: [String])] = [
        ("cbr.mp3", ["-c:a", "libmp3lame", "-b:a", "128k"]),
        ("vbr.mp3", ["-c:a", "libmp3lame", "-q:a", "4"]),
        ("a.aac", ["-c:a", "aac", "-f", "adts"]),
        ("end.m4a", ["-c:a", "aac"]),
        ("front.m4a", ["-c:a", "aac", "-movflags", "+faststart"]),
        ("a.flac", ["-c:a", "flac"]),
        ("a.wav", ["-c:a", "pcm_s16le"]),
        ("a.ogg", ["-c:a", "libvorbis"]),
        ("a.opus", ["-c:a", "libopus"]),
    ]

    /// A sound that is different everywhere: a rising tone and noise, stereo.
    static func make(_ path: String, seconds: Double = 3, _ options: [String] = [], sampleRate: Int = 44_100) throws {
        let rising =
            "0.4*sin(2*PI*(200*t+80*t*t))+0.02*(random(0)-0.5)|0.4*sin(2*PI*(300*t+50*t*t))+0.02*(random(1)-0.5)"
        let source = "aevalsrc=exprs=\(rising):s=\(sampleRate):d=\(seconds)"
        try FFmpeg.make(path, from: source, options)
    }

    /// A minute in three chapters of 20 s, Alpha, Beta and Gamma, with title, artist and album.
    static func makeChaptered(_ path: String, _ options: [String] = ["-c:a", "aac", "-f", "mp4"]) throws {
        let scratch = try ScratchDirectory()
        var text = ";FFMETADATA1\ntitle=Three Parts\nartist=The Reader\nalbum=Tests\n"
        for (index, title) in ["Alpha", "Beta", "Gamma"].enumerated() {
            text += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(index * 20_000)\nEND=\((index + 1) * 20_000)\ntitle=\(title)\n"
        }
        try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.file("chapters")))
        let tone = "sine=frequency=440:sample_rate=44100:duration=60"
        let inputs = ["-f", "lavfi", "-i", tone, "-i", scratch.file("chapters")]
        try FFmpeg.run(inputs + ["-map_metadata", "1", "-map_chapters", "1"] + options + [path])
    }

    /// Returns the samples that ffmpeg decodes, one array for each channel.
    static func decode(_ path: String, _ options: [String] = [], channelCount: Int = 2) throws -> [[Float]] {
        deinterleave(try FFmpeg.decode(path, options), channelCount: channelCount)
    }

    /// The largest difference between two recordings of the same length.
    static func largestDifference(_ a: [[Float]], _ b: [[Float]]) -> Float {
        zip(a, b).map { SyrinxTestSupport.largestDifference($0, $1) }.max() ?? 0
    }
}

// Tests name codes as the contract does.
extension ErrorCode: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
