import Foundation
import Glibc

/// Composes a piece, serves it with a local HTTP server at a limited rate, and plays the stream.
@main
struct Demo {
    /// The rate of a connection in bytes per second: twice the bit rate of the piece.
    private static let bytesPerSecond = 2 * Composition.bitRate / 8

    static func main() {
        let code: Int32
        do {
            code = try run(Plan(arguments: Array(CommandLine.arguments.dropFirst())))
        } catch let error as DemoError {
            say("syrinx-demo: \(error)")
            code = error.exitCode
        } catch {
            say("syrinx-demo: \(error)")
            code = 70
        }
        exit(code)
    }

    private static func run(_ plan: Plan) throws -> Int32 {
        switch plan {
        case .help:
            FileHandle.standardOutput.write(Data(Plan.helpText.utf8))
            return 0
        case .serve(let path):
            let scene = try Scene()
            defer { scene.clear() }
            let server = try serve(path.map { URL(fileURLWithPath: $0) } ?? compose(in: scene))
            FileHandle.standardOutput.write(Data((server.url + "\n").utf8))
            // A signal ends the process.
            while true { pause() }
        case .play(let options):
            let scene = try Scene()
            defer { scene.clear() }
            return try play(options, in: scene)
        }
    }

    private static func play(_ options: [String], in scene: Scene) throws -> Int32 {
        let syrinx = try besides("syrinx")
        let server = try serve(compose(in: scene))
        defer { server.stop() }
        say("Serving it at \(server.url), each connection at \(bytesPerSecond / 1000) kB/s: twice its bit rate.")
        let devices = scene.output(of: syrinx, ["devices", "--json"]).map { String(decoding: $0, as: UTF8.self) }
        let performance = Performance(
            url: server.url,
            options: options,
            devices: devices,
            recordingPath: recordingPath
        )
        if performance.isSilent {
            say("There is no sound device: the piece plays silently, in real time.")
        }
        let code = try scene.run(syrinx, performance.arguments)
        if let recording = performance.recording, access(recording, R_OK) == 0 {
            say("The recording is in \(recording)")
        }
        return code
    }

    private static func compose(in scene: Scene) throws -> URL {
        let score = Score()
        let file = scene.folder.appendingPathComponent("sixteen-bars.mp3")
        try Composition.write(score, to: file)
        say("Composed \(Int(score.duration)) seconds of music: \(score.parts.map(\.name).joined(separator: ", ")).")
        return file
    }

    private static func serve(_ file: URL) throws -> Server {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw DemoError(code: .unreadable, message: "\(file.path) cannot be read.", underlying: error)
        }
        let name = file.lastPathComponent.addingPercentEncoding(
            withAllowedCharacters: .alphanumerics.union(["-", "."])
        )
        return try Server(
            Server.Content(
                path: "/\(name ?? "audio")",
                mediaType: file.pathExtension == "mp3" ? "audio/mpeg" : "application/octet-stream",
                body: [UInt8](data),
                bytesPerSecond: bytesPerSecond
            )
        )
    }

    /// Returns a program in the folder of this one.
    private static func besides(_ name: String) throws -> URL {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name)
        guard access(program.path, X_OK) == 0 else { throw DemoError.cannotRun(program.path, errno: errno) }
        return program
    }

    /// The path of the recording: in the working folder if it is writable, otherwise in the temporary folder.
    private static var recordingPath: String {
        let current = FileManager.default.currentDirectoryPath
        let folder = access(current, W_OK) == 0 ? current : FileManager.default.temporaryDirectory.path
        return URL(fileURLWithPath: folder).appendingPathComponent("syrinx-demo.wav").path
    }

    /// Writes a line to standard error, because standard output may carry the player's JSON.
    private static func say(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
