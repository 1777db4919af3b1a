internal import CoreMedia
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxStreaming

// Assets as inputs of a streamer.
extension AVAsset {
    /// Returns the asset as an input of a streamer; `nil` if streamers cannot open it.
    /// - Parameter mix: The volumes of the tracks of a composition, which are applied to its samples.
    func streamingInput(_ mix: AVAudioMix?) -> StreamingInput? {
        switch self {
        case let asset as AVURLAsset: asset.isDelegated ? .bytes(asset.byteSource) : .url(asset.url)
        case let asset as AVComposition: .bytes(asset.byteSource(mix))
        default: nil
        }
    }

    /// Whether a mix applies to the samples, as opposed to the player's output.
    var mixesTracks: Bool { self is AVComposition }
}

extension AVURLAsset {
    /// The bytes from the delegate of the resource loader.
    fileprivate var byteSource: StreamingInput.ByteSource {
        StreamingInput.ByteSource(name: Redaction.redact(url)) { () throws(SyrinxError) in
            do {
                return try self.makeStream()
            } catch {
                throw SyrinxError(AVError(error, url: self.url))
            }
        }
    }
}

extension AVURLAsset {
    /// Returns silence with the duration of the video; `nil` without video, or with audio.
    func silentInput() -> StreamingInput? {
        guard let description = try? describe(), !description.hasSound, description.duration.isNumeric else {
            return nil
        }
        let seconds = description.duration.seconds
        let name = Redaction.redact(url)
        let source = StreamingInput.ByteSource(name: name) { () throws(SyrinxError) in
            let silence = Silence()
            let frames = Int64(clamped: (seconds * silence.sampleRate).rounded())
            return SoundByteStream(silence, frameCount: frames, name: name)
        }
        return .bytes(source)
    }
}

/// The silent audio of a video without audio.
private final class Silence: SoundSource {
    let sampleRate = 44_100.0
    let channelCount = 1

    func seek(toFrame frame: Int64) throws {}

    func read(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) throws -> Int {
        channels[0].update(repeating: 0, count: frameCount)
        return frameCount
    }

    func cancel() {}
}

extension AVComposition {
    /// The mixed audio tracks as the bytes of a file; silence if the composition has video only.
    fileprivate func byteSource(_ mix: AVAudioMix?) -> StreamingInput.ByteSource {
        StreamingInput.ByteSource(name: "composition") { () throws(SyrinxError) in
            do {
                let description = try self.describe()
                let tracks = description.tracks.filter { $0.mediaType == .audio }
                guard !description.tracks.isEmpty else {
                    throw AVError(.noSourceTrack, .noTrack, "the composition has no tracks.")
                }
                let sound: any SoundSource
                if tracks.isEmpty { sound = Silence() } else { sound = try MixedSound(tracks, of: self, mix: mix) }
                let frames = (description.duration.seconds * sound.sampleRate).rounded()
                return SoundByteStream(sound, frameCount: Int64(clamped: frames), name: "composition")
            } catch {
                throw SyrinxError(AVError(error, url: nil))
            }
        }
    }
}

extension SyrinxError {
    fileprivate init(_ error: AVError) {
        self.init(error.reason, error.message, name: error.url.map(Redaction.redact) ?? "composition")
    }
}
