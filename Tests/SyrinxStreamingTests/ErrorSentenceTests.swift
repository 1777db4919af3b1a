import AVFAudio
import Foundation
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxDevice
import SyrinxMediaCodec
import SyrinxStreaming
import SyrinxTestSupport
import Testing

/// The text that people read of an error is `localizedDescription`, which by default is the name of a type and a number.
@Suite struct ErrorSentenceTests {
    private static let sentence = "The sky has fallen."

    private static func thrown(_ body: () throws -> Void) -> (any Error)? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    /// One of each public type, and the words that are to be read.
    private func samples() throws -> [String: (error: (any Error)?, words: String)] {
        let cause = SyrinxError(.unknown, Self.sentence, name: "input")
        let missing = URL(fileURLWithPath: "/no/such/file.wav")
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44100, channels: 2))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 16))
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44100, channels: 1))
        let converter = try #require(AVAudioConverter(from: mono, to: mono))
        return [
            "SyrinxError": (SyrinxError(.timedOut, Self.sentence, name: "input"), "input: \(Self.sentence)"),
            "DeviceError": (DeviceError(.deviceLost, Self.sentence, device: "card"), "card: \(Self.sentence)"),
            "ParserError": (ParserError.failedToParseBytes(cause), "input: \(Self.sentence)"),
            "ReaderError": (ReaderError.notEnoughData, "has not arrived"),
            "AnalysisError": (AnalysisError(.badParameter, Self.sentence), Self.sentence),
            "AVAudioFileError": (Self.thrown { _ = try AVAudioFile(forReading: missing) }, missing.path),
            "AVAudioRecordingError": (
                Self.thrown { _ = try AVAudioPlayer(contentsOf: missing) }, missing.path
            ),
            "AVAudioConverterError": (
                Self.thrown { try converter.convert(to: buffer, from: buffer) }, "The buffer has the format"
            ),
            "AVMIDIError": (Self.thrown { try AVAudioSequencer().load(from: Data([1, 2, 3])) }, "MIDI"),
            "AVAudioEngineError": (Self.thrown { _ = try AVAudioEngine().renderOffline(16, to: buffer) }, "manual"),
        ]
    }

    @Test("The message of an error is a full sentence")
    func messages() {
        #expect(SyrinxError(.timedOut, "the server sent nothing", name: "a").message == "The server sent nothing.")
        #expect(DeviceError(.deviceLost, "it is gone (code 3)", device: "a").message == "It is gone (code 3).")
        #expect(SyrinxError(.corrupt, Self.sentence, name: "a").message == Self.sentence)
        #expect(SyrinxError(.unknown, "", name: "a").message == "")
    }

    @Test("Every public error says its sentence")
    func sentences() throws {
        for (type, sample) in try samples() {
            let error = try #require(sample.error, "\(type)")
            #expect("\(Swift.type(of: error))" == type)
            for text in [error.localizedDescription, (error as NSError).localizedDescription] {
                #expect(text.contains(sample.words), "\(type): \(text)")
                #expect(!text.contains("error 1"), "\(type): \(text)")
            }
        }
        #expect(
            ReaderError.decodingFailed(.init(.unknown, Self.sentence, name: "x")).localizedDescription.contains(
                Self.sentence
            )
        )
    }

    @Test("There is no public error without a sentence")
    func noneIsLeftOut() throws {
        let sources = repositoryRoot.appendingPathComponent("Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        let declaration =
            /public (?:struct|enum|final class|class) (\w+)[^:{\n]*:[^{\n]*\b(?:Error|LocalizedError|CustomNSError)\b/
        var found: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: declaration) { found.insert(String(match.output.1)) }
        }
        // Apple's own, in a module that stands without Foundation.
        found.remove("DFTError")
        // AVFoundation's tests have that one.
        found.remove("AVError")
        // The tests of SyrinxPlayback and SyrinxPodcastLibrary have these.
        found.remove("PlaybackError")
        found.remove("PodcastError")
        #expect(found == Set(try samples().keys))
    }
}
