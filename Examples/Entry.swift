import AVFoundation

/// Uses of the libraries as audio apps have them, each in a file of this folder.
///
/// Every one imports one module of the package. The articles of the documentation quote the parts between `// snippet: NAME` and `// end`.
@main
struct Examples {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().map { $0 }
        let urls = arguments.dropFirst().map { URL(fileURLWithPath: $0) }
        switch (arguments.first, urls.count) {
        case ("synthesise", 1): try synthesise(frequency: 440, seconds: 2, to: urls[0])
        case ("effect", 2): try changePitch(of: urls[0], cents: 300, to: urls[1])
        case ("sequence", 3...): try playInSequence(Array(urls.dropLast()), to: urls[urls.count - 1])
        case ("seek", 2): try skipToTheMiddle(of: urls[0], to: urls[1])
        case ("tremolo", 2): try addTremolo(to: urls[0], depth: 0.8, output: urls[1])
        case ("voice", 2): try treatVoice(urls[0], to: urls[1])
        case ("note", 1):
            try await recordNote(urls[0], seconds: 5)
            try await playTwice(AVAudioPlayer(contentsOf: urls[0]))
        case ("ring", 2): try await modulate(urls[0], to: urls[1])
        case ("circle", 2): try circle(urls[0], to: urls[1])
        case ("midi", 3): try renderSong(urls[0], soundBank: urls[1], to: urls[2])
        case ("scale", 2): try renderScale(of: urls[0], to: urls[1])
        case ("organ", 2): try await renderOrgan(urls[0], to: urls[1])
        case ("chord", 1): try await playChord(with: urls[0])
        case ("together", 1...): try await playTogether(urls.map { try AVAudioPlayer(contentsOf: $0) })
        case ("parameters", 0): for line in describeParameters(of: AVAudioUnitDelay()) { print(line) }
        case ("device", 0):
            let observers = watchDevice { print($0) }
            try await Task.sleep(for: .seconds(60))
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
        case ("play", 1): try await play(urls[0])
        case ("join", 3):
            try await join(urls[0], urls[1], fadeDuration: CMTime(value: 1, timescale: 1), to: urls[2])
        case ("frames", 2):
            for file in try await writeFrames(of: urls[0], at: [0, 1, 2], to: urls[1]) { print(file.path) }
        case ("brightness", 1):
            let all = CMTimeRange(start: .zero, duration: .positiveInfinity)
            for (time, level) in try await brightness(of: AVURLAsset(url: urls[0]), in: all) {
                print(time.seconds, level)
            }
        case ("scrub", 1): try await scrub(urls[0])
        case ("levels", 1): for level in try levels(of: urls[0]) { print(level) }
        default:
            print(
                """
                examples synthesise OUTPUT
                examples effect INPUT OUTPUT
                examples sequence INPUT... OUTPUT
                examples seek INPUT OUTPUT
                examples tremolo INPUT OUTPUT
                examples voice INPUT OUTPUT
                examples ring INPUT OUTPUT
                examples note OUTPUT
                examples circle INPUT OUTPUT
                examples midi SONG SOUNDBANK OUTPUT
                examples scale RECORDING OUTPUT
                examples organ SONG OUTPUT
                examples chord RECORDING
                examples together INPUT...
                examples parameters
                examples device
                examples play INPUT
                examples frames FILM FOLDER
                examples brightness FILM
                examples scrub INPUT
                examples join FIRST SECOND OUTPUT
                examples levels INPUT
                """
            )
        }
    }
}
