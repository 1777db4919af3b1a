internal import CoreMedia
internal import Foundation
internal import SyrinxByteStream

/// The video of a composition track: that of its segments, at the times of the composition.
///
/// Empty segments show no picture. A picture that starts before its segment or ends after it is trimmed to the segment.
/// Use it on one thread at a time.
final class CompositionPictures: PictureSource {
    private typealias Edit = EditList<CompositionMedia>.Edit

    /// The segments with media.
    private let parts: [(edit: Edit, media: CompositionMedia, range: CMTimeRange)]
    private let opened = Opened()
    /// The index of the segment that is read now or next.
    private var index = 0
    private var isOpen = false
    private(set) var isAtEnd = false

    /// Shorter than any picture is shown.
    private static let moment = CMTime(value: 2, timescale: 1_000_000_000)

    init(_ list: EditList<CompositionMedia>) {
        parts = list.placed.compactMap { edit, range in edit.media.map { (edit, $0, range) } }
    }

    deinit { opened.close() }

    var name: String { "composition" }

    func next() throws -> DecodedPicture? {
        while index < parts.count {
            let (edit, media, range) = parts[index]
            let source = try isOpen ? opened.source(of: media) : open(edit.source.start, nil)
            guard let picture = try source.next(), picture.start < edit.source.end else {
                index += 1
                isOpen = false
                continue
            }
            guard picture.end > edit.source.start else { continue }
            isAtEnd = index == parts.count - 1 && (source.isAtEnd || picture.end >= edit.source.end)
            return place(picture, edit, range)
        }
        isAtEnd = true
        return nil
    }

    func seek(to time: CMTime, orFrom earliest: CMTime?) throws {
        isAtEnd = false
        guard let last = parts.last else { return }
        guard let found = parts.firstIndex(where: { $0.range.end > time }) else {
            index = parts.count - 1
            _ = try open(last.edit.source.end - Self.moment, earliest.map { Self.map($0, last.edit, last.range) })
            return
        }
        index = found
        let (edit, _, range) = parts[found]
        _ = try open(Self.map(time, edit, range), earliest.map { Self.map($0, edit, range) })
    }

    func cancel() { opened.cancel() }

    /// Opens the media of the current segment at a time of that media.
    private func open(_ time: CMTime, _ earliest: CMTime?) throws -> any PictureSource {
        let source = try opened.source(of: parts[index].media)
        try source.seek(to: time, orFrom: earliest)
        isOpen = true
        return source
    }

    /// Returns the media time for a time of the composition; for a time before the segment, its start.
    private static func map(_ time: CMTime, _ edit: Edit, _ range: CMTimeRange) -> CMTime {
        guard time.isNumeric, time > range.start else { return edit.source.start }
        return CMTimeMapTimeFromRangeToRange(time, fromRange: range, toRange: edit.source)
    }

    private func place(_ picture: DecodedPicture, _ edit: Edit, _ range: CMTimeRange) -> DecodedPicture {
        let place = { (time: CMTime) in
            CMTimeMapTimeFromRangeToRange(
                CMTimeMinimum(CMTimeMaximum(time, edit.source.start), edit.source.end),
                fromRange: edit.source,
                toRange: range
            )
        }
        let (start, end) = (place(picture.start), place(picture.end))
        return DecodedPicture(
            frame: picture.frame,
            start: start,
            duration: end - start,
            pixelAspectRatio: picture.pixelAspectRatio
        )
    }

    /// The open media source, which another thread may cancel.
    private final class Opened: Sendable {
        // Unchecked: one thread uses the source; any thread may call its `cancel()`.
        private struct State: @unchecked Sendable {
            var source: (any PictureSource)?
            var media: CompositionMedia?
            var isCancelled = false
        }
        private let state = Monitor(State())

        /// Returns the video of `media`, and opens it if necessary.
        func source(of media: CompositionMedia) throws -> any PictureSource {
            let known = state.update { state -> State in
                let isSame = state.media?.asset === media.asset && state.media?.track === media.track
                if !isSame { (state.source, state.media) = (nil, nil) }
                return state
            }
            if let source = known.source { return source }
            let new = State(source: try media.asset.openPictures(of: media.track), media: media)
            let isCancelled = state.update { state in
                (state.source, state.media) = (new.source, new.media)
                return state.isCancelled
            }
            guard !isCancelled, let source = new.source else {
                throw AVError(.operationCancelled, .cancelled, "Reading was cancelled")
            }
            return source
        }

        func close() { state.update { ($0.source, $0.media) = (nil, nil) } }

        func cancel() {
            state.update { state in
                state.isCancelled = true
                state.source?.cancel()
            }
        }
    }
}
