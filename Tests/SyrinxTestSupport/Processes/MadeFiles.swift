import Foundation
import Glibc
import Synchronization

/// Files that `ffmpeg` makes from nothing but its arguments and the files that they name.
///
/// Each is made once in a process, and copied for each request.
///
/// Starting the program takes longer than making most of these files does. Where expressions are evaluated it is the other way
/// round: the samples of a source that many files are made of are kept.
final class MadeFiles: Sendable {
    /// Those of this process, removed when it ends; `nil` if there is no place for them.
    static let shared = try? MadeFiles()

    /// A file, and whether it has been made, which is held while it is made.
    private final class Entry: Sendable {
        let path: String
        let isThere = Mutex(false)

        init(path: String) { self.path = path }
    }

    /// The samples of a source, kept from its second use on.
    private final class Source: Sendable {
        let path: String
        let state = Mutex((useCount: 0, isThere: false))

        init(path: String) { self.path = path }
    }

    /// Bytes of standard output that are kept.
    private static let largestOutput = 16 << 20

    private let folder: ScratchDirectory
    private let sources = Mutex<[String: Source]>([:])
    private let entries = Mutex<[[String]: Entry]>([:])

    init() throws {
        folder = try .ofProcess("syrinx-made")
    }

    /// Puts a copy of the file where the order says, as a new file of this moment.
    /// - Parameter run: Runs the program with these arguments, and returns its standard output.
    /// - Returns: Standard output.
    func give(_ order: MadeFileOrder, running run: ([String]) throws -> Data) throws -> Data {
        let entry = entries.withLock { entries in
            let new = Entry(path: folder.file("\(entries.count).\(order.ending)"))
            let entry = entries[order.key] ?? new
            entries[order.key] = entry
            return entry
        }
        let made: Data? = try entry.isThere.withLock { isThere in
            guard !isThere else { return nil }
            guard order.isToStandardOutput else {
                _ = try make(order, at: entry.path, run)
                isThere = true
                return nil
            }
            let output = try make(order, at: order.path, run)
            if output.count <= Self.largestOutput {
                try output.write(to: URL(fileURLWithPath: entry.path))
                isThere = true
            }
            return output
        }
        if let made { return made }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: entry.path), options: .alwaysMapped)
        guard !order.isToStandardOutput else { return bytes }
        try bytes.write(to: URL(fileURLWithPath: order.path))
        return Data()
    }

    private func make(_ order: MadeFileOrder, at path: String, _ run: ([String]) throws -> Data) throws -> Data {
        guard let name = order.source else { return try run(order.arguments + [path]) }
        let source = sources.withLock { sources in
            let source = sources[name] ?? Source(path: folder.file("source-\(sources.count).wav"))
            sources[name] = source
            return source
        }
        let isThere = try source.state.withLock { state in
            state.useCount += 1
            guard state.useCount == 2 else { return state.isThere }
            let samples = ["-c:a", "pcm_f64le", "-fflags", "+bitexact", "-map_metadata", "-1"]
            _ = try run(["-f", "lavfi", "-i", name] + samples + [source.path])
            state.isThere = true
            return true
        }
        return try run(isThere ? ["-i", source.path] + order.arguments[4...] + [path] : order.arguments + [path])
    }
}

/// Arguments of `ffmpeg` that decide all of what it makes.
struct MadeFileOrder: Sendable {
    /// All arguments but the last, with the contents of files in place of their paths, and the ending of the output.
    let key: [String]
    /// All arguments but the last.
    let arguments: [String]
    /// The absolute path of the output, or `-`.
    let path: String

    var isToStandardOutput: Bool { path == "-" }

    /// The ending of the output's path, which decides the container.
    var ending: String { (path as NSString).pathExtension }

    /// The expressions that the file is made of alone, if it is, and they are evaluated for long.
    var source: String? {
        guard arguments.count > 3, arguments[..<3] == ["-f", "lavfi", "-i"] else { return nil }
        guard arguments.count(where: { $0 == "-i" }) == 1, !arguments.contains("-filter_complex") else { return nil }
        guard arguments[3].hasPrefix("aevalsrc"), let start = arguments[3].range(of: ":d=", options: .backwards) else {
            return nil
        }
        let seconds = Double(arguments[3][start.upperBound...].prefix { $0.isNumber || $0 == "." }) ?? 0
        return seconds >= 4 ? arguments[3] : nil
    }

    private static let many: Set = ["hls", "dash", "segment", "stream_segment", "ssegment", "tee"]
    /// Endings and names of Ogg, where each file has a serial number by chance, which distinguishes the streams of a chain.
    private static let ogg: Set = ["ogg", "oga", "ogv", "opus", "spx"]
    /// The endings of files that name others.
    private static let lists: Set = ["m3u8", "m3u", "mpd", "txt", "ffconcat", "cue", "sdp", ""]

    /// - Returns: `nil` if more than these arguments decides what is made, or many files are; and for Ogg and noise without a seed,
    ///   where chance decides.
    init?(_ all: [String]) {
        guard let path = all.last, path == "-" || path.hasPrefix("/"), !path.contains("%") else { return nil }
        arguments = Array(all.dropLast())
        self.path = path
        let ending = (path as NSString).pathExtension
        guard !["m3u8", "mpd"].contains(ending) else { return nil }
        guard !Self.ogg.contains(ending), !arguments.contains(where: Self.isByChance) else { return nil }
        var key = arguments
        var (inputCount, sourceCount) = (0, 0)
        for (index, option) in arguments.enumerated().dropLast() {
            let value = arguments[index + 1]
            if option == "-f" {
                guard !Self.many.contains(value), !Self.ogg.contains(value) else { return nil }
                if value == "lavfi" { sourceCount += 1 }
            }
            guard option == "-i" else { continue }
            inputCount += 1
            guard value.hasPrefix("/") else { continue }
            let ending = (value as NSString).pathExtension
            guard !Self.lists.contains(ending), !value.contains("%"), let print = Self.fingerprint(of: value) else {
                return nil
            }
            sourceCount += 1
            key[index + 1] = "\(print).\(ending)"
        }
        guard inputCount > 0, inputCount == sourceCount else { return nil }
        guard !key.contains(where: { $0.contains(ScratchDirectory.parent) }) else { return nil }
        self.key = key + [path == "-" ? "-" : ending]
    }

    /// Whether a source makes noise without a seed.
    private static func isByChance(_ argument: String) -> Bool {
        let sources = argument.split { ",;".contains($0) }
        return sources.contains { source in
            source.contains("anoisesrc") && !["seed=", ":s=", "=s="].contains(where: source.contains)
        }
    }

    /// Returns a name for the contents of a file, no two of which have the same by chance; `nil` if it is no regular file, or cannot
    /// be read.
    private static func fingerprint(of path: String) -> String? {
        let kind = try? URL(fileURLWithPath: path).resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey]
        )
        guard kind?.isRegularFile == true else { return nil }
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else { return nil }
        return data.withUnsafeBytes { bytes in
            var sums: (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, UInt64(bytes.count))
            func take(_ word: UInt64) {
                sums.0 = (sums.0 ^ word) &* 0xFF51_AFD7_ED55_8CCD
                sums.0 ^= sums.0 >> 32
                sums.1 = (sums.1 &+ word) &* 0xC4CE_B9FE_1A85_EC53
                sums.1 ^= sums.1 >> 29
            }
            var place = 0
            while place + 8 <= bytes.count {
                take(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                place += 8
            }
            for byte in bytes[place...] { take(UInt64(byte)) }
            return "\(bytes.count)-\(String(sums.0, radix: 16))-\(String(sums.1, radix: 16))"
        }
    }
}
