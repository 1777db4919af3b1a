import AVFAudio
import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxAnalysis

@Suite("Hashes and fingerprints of sound")
struct SoundIdentityTests {
    private func hash(_ channels: [[Float]], sampleRate: Double = 44_100, pieces: Int = 100_000) -> String {
        let hash = SoundHash(sampleRate: sampleRate, channelCount: channels.count)
        let count = channels.first?.count ?? 0
        for start in stride(from: 0, to: count, by: pieces) {
            let piece = channels.map { Array($0[start..<min(start + pieces, count)]) }
            withChannels(piece) { hash.append($0, frameCount: $1) }
        }
        return hash.finalize()
    }

    /// A tone of integers of so many bits.
    private func tone(bits: Int) -> [[Float]] {
        let scale = Float(1 << (bits - 1))
        return [440.0, 554].map { frequency in
            sineWave(frequency: frequency, sampleRate: 44_100, frameCount: 10_000).map {
                ($0 * scale).rounded() / scale
            }
        }
    }

    @Test("The hash is SHA-256 of rate, channels and interleaved floats")
    func definition() {
        // printf '\x44\xac\0\0\2\0\0\0' and the floats 0.5, -1, 0, 0.25, little-endian, into sha256sum.
        let wanted = "98efb71e76bbb2a6af8cbdbd8606547ebf918c1cd20fb21792a80175f292a3fe"
        #expect(hash([[0.5, 0], [-1, 0.25]]) == wanted)
        #expect(hash([[0.5, -0.0], [-1, 0.25]], pieces: 1) == wanted)
    }

    @Test("The hash depends on each sample, the order of channels, their number and the rate")
    func differences() {
        let tone = tone(bits: 16)
        var other = tone
        other[1][9999] += 1 / 32768
        let hashes = [
            hash(tone), hash(other), hash(tone.reversed()), hash([tone[0]]), hash(tone, sampleRate: 48_000),
            hash(tone.map { Array($0.dropLast()) }),
        ]
        #expect(Set(hashes).count == hashes.count)
        #expect(hash(tone) == hash(tone, pieces: 77))
    }

    @Test("WAV, FLAC and ALAC of the same sound have the same hash, and 24 bits that of 16", arguments: [16, 24])
    func losslessFiles(bits: Int) throws {
        let scratch = try ScratchDirectory()
        let tone = tone(bits: bits)
        let wanted = hash(tone)
        var kinds: [(String, AudioFormatID, Int)] = [
            ("a.wav", kAudioFormatLinearPCM, bits), ("a.flac", kAudioFormatFLAC, bits),
            ("a.m4a", kAudioFormatAppleLossless, bits),
        ]
        if bits == 16 { kinds.append(("b.wav", kAudioFormatLinearPCM, 24)) }
        for (name, format, depth) in kinds {
            let path = URL(fileURLWithPath: scratch.file(name))
            try write(tone, to: path, format: format, bits: depth)
            #expect(try hash(of: path) == wanted, "\(name), \(depth) bits")
        }
    }

    private func write(_ channels: [[Float]], to path: URL, format: AudioFormatID, bits: Int) throws {
        let file = try AVAudioFile(
            forWriting: path,
            settings: [
                AVFormatIDKey: format, AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: channels.count,
                AVLinearPCMBitDepthKey: bits, AVEncoderBitDepthHintKey: bits,
            ]
        )
        let count = AVAudioFrameCount(channels[0].count)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: count))
        buffer.frameLength = count
        let target = try #require(buffer.floatChannelData)
        for (channel, samples) in channels.enumerated() {
            for (frame, sample) in samples.enumerated() { target[channel][frame] = sample }
        }
        try file.write(from: buffer)
        file.close()
    }

    private func hash(of path: URL) throws -> String {
        let file = try AVAudioFile(forReading: path)
        let format = file.processingFormat
        let hash = SoundHash(sampleRate: format.sampleRate, channelCount: Int(format.channelCount))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 3000))
        while file.framePosition < file.length {
            try file.read(into: buffer)
            guard buffer.frameLength > 0, let channels = buffer.floatChannelData else { break }
            hash.append(channels, frameCount: Int(buffer.frameLength))
        }
        return hash.finalize()
    }

    // MARK: Fingerprints

    private func melody(gain: Float = 1) -> [Float] {
        let notes = [262.0, 330, 392, 523, 440, 349, 294, 494]
        return (0..<20 * 11_025).map { frame in
            let note = notes[frame / 5512 % notes.count]
            return gain * Float(0.4 * sin(2 * .pi * note * Double(frame) / 11_025))
        }
    }

    private func fingerprint(_ wave: [Float], pieces: Int) throws -> String? {
        let fingerprint = try AcousticFingerprint(sampleRate: 11_025, channelCount: 2)
        for start in stride(from: 0, to: wave.count, by: pieces) {
            let piece = Array(wave[start..<min(start + pieces, wave.count)])
            withChannels([piece, piece]) { fingerprint.append($0, frameCount: $1) }
        }
        return fingerprint.finish()
    }

    @Test(
        "Fingerprints do not depend on the cut of buffers, and differ for other sound",
        .enabled(if: AcousticFingerprint.isAvailable)
    )
    func fingerprints() throws {
        let melody = melody()
        let first = try #require(try fingerprint(melody, pieces: 4096))
        // Algorithm 1 (base64url of a first byte of 1).
        #expect(first.hasPrefix("AQ"))
        #expect(try fingerprint(melody, pieces: 1000) == first)
        #expect(try fingerprint(melody.reversed(), pieces: 4096) != first)
        #expect(try fingerprint([0.5, -0.5], pieces: 2) == nil)
    }

    @Test("What is behind two minutes does not change a fingerprint", .enabled(if: AcousticFingerprint.isAvailable))
    func lengthOfFingerprints() throws {
        let long = Array((0..<6).map { _ in melody() }.joined())
        #expect(try fingerprint(long, pieces: 4096) == fingerprint(long + melody(gain: 0.5), pieces: 4096))
    }

    @Test("Without the library, and for rates that it does not take, the error says so")
    func missingLibrary() {
        #expect(ChromaprintLibrary("libsyrinx-missing.so.1") == nil)
        #expect { try AcousticFingerprint(sampleRate: 44_100, channelCount: 2, library: nil) } throws: {
            ($0 as? AnalysisError)?.code == .chromaprintMissing
        }
        guard AcousticFingerprint.isAvailable else { return }
        for (rate, channels) in [(500.0, 1), (.infinity, 1), (44_100, 0)] {
            #expect { try AcousticFingerprint(sampleRate: rate, channelCount: channels) } throws: {
                ($0 as? AnalysisError)?.code == .badParameter
            }
        }
    }
}
