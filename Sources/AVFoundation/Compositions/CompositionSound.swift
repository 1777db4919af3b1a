internal import CoreAudioTypes
internal import CoreMedia
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The audio of a composition track at one sample rate, with silence in empty segments.
///
/// The sample rate is that of the first segment; the channel count is the largest of all segments. Use it on one thread
/// at a time.
final class CompositionSound: SoundSource {
    let sampleRate: Double
    let channelCount: Int
    /// The segments, each with its frames in the composition.
    private let parts: [(edit: EditList<CompositionMedia>.Edit, frames: Range<Int64>)]
    private let memory: SampleMemory
    private var position: Int64 = 0
    private var index = 0
    private let opened = Opened()
    private var sound: ConvertedSound?

    /// The number of frames that are read from a segment at a time.
    private static let chunk = 4096

    init(_ list: EditList<CompositionMedia>) throws {
        let formats = list.edits.compactMap { $0.media?.track.descriptions.first?.audioStreamBasicDescription }
        let rate = formats.first?.mSampleRate ?? 44100
        sampleRate = rate
        channelCount = Int(formats.map(\.mChannelsPerFrame).max() ?? 2)
        parts = list.placed.map { ($0.edit, $0.range.frames(rate)) }
        memory = SampleMemory(.planarFloat(rate, channelCount), capacity: Self.chunk)
    }

    func seek(toFrame frame: Int64) throws {
        position = max(frame, 0)
        index = parts.firstIndex { $0.frames.contains(position) } ?? parts.count
        sound = nil
    }

    func read(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) throws -> Int {
        while index < parts.count, position >= parts[index].frames.upperBound {
            index += 1
            sound = nil
        }
        guard index < parts.count else { return 0 }
        let (edit, frames) = parts[index]
        let wanted = Int(clamping: min(Int64(min(frameCount, Self.chunk)), frames.upperBound - position))
        var count = 0
        if let media = edit.media {
            let sound = try sound ?? open(media, edit, frames)
            self.sound = sound
            count = try sound.read(into: memory.list, from: 0, count: wanted)
        }
        for channel in 0..<channelCount {
            if count > 0, let samples = memory.floats(channel) { channels[channel].update(from: samples, count: count) }
            // An empty segment, or media that ends before its stated duration.
            (channels[channel] + count).update(repeating: 0, count: wanted - count)
        }
        position += Int64(wanted)
        return wanted
    }

    func cancel() { opened.cancel() }

    private func open(
        _ media: CompositionMedia,
        _ edit: EditList<CompositionMedia>.Edit,
        _ frames: Range<Int64>
    ) throws -> ConvertedSound {
        let source = try media.asset.openSound(of: media.track)
        try opened.set(source)
        let own = edit.source.frames(source.sampleRate)
        let speed = edit.source.duration == edit.duration ? 1 : edit.source.duration.seconds / edit.duration.seconds
        // The frame of the media for `position`.
        let offset = Double(position - frames.lowerBound) / sampleRate * speed * source.sampleRate
        let first = own.lowerBound.addingClamped(Int64(clamped: offset.rounded()))
        return try ConvertedSound(
            source,
            to: .planarFloat(sampleRate, channelCount),
            frames: first..<max(first, own.upperBound),
            limit: frames.upperBound - position,
            speed: speed
        )
    }

    /// The open source, which another thread may cancel.
    private final class Opened: Sendable {
        // Unchecked: any thread may call `cancel()` of a source, and no other method is called.
        private struct State: @unchecked Sendable {
            var source: (any SoundSource)?
            var isCancelled = false
        }
        private let state = Monitor(State())

        func set(_ source: any SoundSource) throws {
            let state = self.state
            let box = State(source: source)
            let isCancelled = state.update { state in
                state.source = box.source
                return state.isCancelled
            }
            if isCancelled { throw AVError(.operationCancelled, .cancelled, "Reading was cancelled") }
        }

        func cancel() {
            state.update { state in
                state.isCancelled = true
                state.source?.cancel()
            }
        }
    }
}
