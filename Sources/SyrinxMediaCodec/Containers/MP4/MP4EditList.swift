internal import SyrinxByteStream

/// The edit list of a track: the audible parts of its media, in order (ISO/IEC 14496-12, section 8.6.6).
///
/// libavformat would drop whole packets because of it. The edit lists of audio tracks are therefore hidden from
/// libavformat (`MP4TrackHeader.read(through:)`), and applied by `MP4Parts`.
struct MP4EditList {
    struct Edit {
        /// The duration, in ticks of the movie.
        let duration: Int64
        /// The start, in ticks of the track; `nil` for a pause without media.
        let start: Int64?
    }

    private(set) var edits: [Edit] = []
    /// Ticks of the movie per second.
    let movieScale: Int64

    /// The maximum number of edits, because each takes one seek.
    private static let mostEdits: Int64 = 4096

    init(_ box: MP4Boxes.Box, _ boxes: MP4Boxes, _ movieScale: Int64) {
        self.movieScale = movieScale
        let width: Int64 = boxes.number(box.body, 1) == 1 ? 8 : 4
        var place = box.body.addingClamped(8)
        for _ in 0..<min(boxes.number(box.body.addingClamped(4), 4) ?? 0, Self.mostEdits) {
            let end = place.addingClamped(2 * width + 4)
            guard end <= box.end, let duration = boxes.number(place, width),
                let start = boxes.number(place.addingClamped(width), width)
            else { return }
            // A 32-bit number is signed too.
            let isEmpty = start < 0 || width == 4 && start > Int64(Int32.max)
            edits.append(Edit(duration: duration < 0 ? .max : duration, start: isEmpty ? nil : start))
            place = end
        }
    }
}
