import AVFAudio
import CoreAudioTypes
import Foundation

/// Renders a recording and test signals through effects.
///
/// The command line is `syrinx-effect-gallery FOLDER [RECORDING]`; `Benchmarks/gallery` draws the results.
///
/// FOLDER gets `entries.json`, and for each entry WAV files of 32-bit float at 48 kHz in stereo, and a FLAC file of the recording.
/// Without a recording, a piece is made.
@main enum EffectGallery {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let path = arguments.first, arguments.count <= 2 else {
            FileHandle.standardError.write(Data("usage: syrinx-effect-gallery FOLDER [RECORDING]\n".utf8))
            exit(64)
        }
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let recording =
            try arguments.dropFirst().first.map { try Recording.read(URL(fileURLWithPath: $0)) } ?? Recording.compose()
        try write(recording, folder, "dry", isRecording: true)

        let signals: [(name: String, buffer: AVAudioPCMBuffer)] = [
            ("recording", recording), ("impulse", Signal.impulse()), ("pulse", Signal.pulse()),
            ("tone", Signal.tone()), ("steps", Signal.steps()),
        ]
        let entries = Entry.all()
        for entry in entries {
            for (name, input) in signals where entry.kind.signals.contains(name) {
                let isRecording = name == "recording"
                let sound = try entry.render(input, isRecording: isRecording)
                try write(sound, folder, "\(entry.slug).\(name)", isRecording: isRecording)
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let listing = Listing(
            stepLevels: Signal.stepLevels,
            stepSeconds: Signal.stepSeconds,
            entries: entries.map(\.line)
        )
        try encoder.encode(listing).write(to: folder.appendingPathComponent("entries.json"))
    }

    private static func write(_ sound: AVAudioPCMBuffer, _ folder: URL, _ name: String, isRecording: Bool) throws {
        let flac: [String: Any] = [
            AVFormatIDKey: kAudioFormatFLAC, AVSampleRateKey: sound.format.sampleRate, AVNumberOfChannelsKey: 2,
        ]
        for (kind, settings) in [("wav", sound.format.settings)] + (isRecording ? [("flac", flac)] : []) {
            let url = folder.appendingPathComponent("\(name).\(kind)")
            let file = try AVAudioFile(forWriting: url, settings: settings)
            try file.write(from: sound)
            file.close()
        }
    }
}

/// The contents of `entries.json`.
private struct Listing: Encodable {
    let stepLevels: [Double]
    let stepSeconds: Double
    let entries: [Entry.Line]
}
