public import CoreMedia
public import Foundation
internal import Synchronization
internal import SyrinxByteStream

/// An asset that is assembled from parts of other assets.
open class AVComposition: AVAsset, @unchecked Sendable {
    // Unchecked: a lock guards the mutable state.
    fileprivate let parts = Mutex<[AVCompositionTrack]>([])

    /// Creates an empty composition.
    override init() {
        super.init()
    }

    override func describe() throws -> AssetDescription {
        AssetDescription(duration: duration, tracks: parts.withLock { $0 })
    }

    /// The end of the last track.
    open override var duration: CMTime { parts.withLock { $0 }.map(\.timeRange.end).max() ?? .zero }

    override func openSound(of track: AVAssetTrack) throws -> any SoundSource {
        guard let track = parts.withLock({ $0 }).first(where: { $0.trackID == track.trackID }) else {
            return try super.openSound(of: track)
        }
        return try CompositionSound(track.edits)
    }

    override func openPictures(of track: AVAssetTrack?) throws -> any PictureSource {
        let found = parts.withLock { $0 }.first { part in
            track.map { $0.trackID == part.trackID } ?? true && part.mediaType == .video
        }
        guard let found else { throw AVError(.noSourceTrack, .noTrack, "The composition has no moving pictures") }
        return CompositionPictures(found.edits)
    }
}

/// A composition that can be edited before it is read.
///
/// ```swift
/// let composition = AVMutableComposition()
/// for name in ["intro.m4a", "episode.m4a"] {
///     let asset = AVURLAsset(url: URL(fileURLWithPath: name))
///     let range = CMTimeRange(start: .zero, duration: try await asset.load(.duration))
///     try composition.insertTimeRange(range, of: asset, at: .invalid) // at the end
/// }
/// let player = AVPlayer(playerItem: AVPlayerItem(asset: composition))
/// ```
open class AVMutableComposition: AVComposition, @unchecked Sendable {
    /// Creates an empty composition.
    public override init() {
        super.init()
    }

    /// Adds an empty track.
    /// - Parameters:
    ///   - mediaType: The media type.
    ///   - preferredTrackID: The ID of the track. If it is taken, or is `kCMPersistentTrackID_Invalid`, the track gets
    ///     a new ID.
    @discardableResult
    open func addMutableTrack(
        withMediaType mediaType: AVMediaType,
        preferredTrackID: CMPersistentTrackID
    ) -> AVMutableCompositionTrack? {
        parts.withLock { parts in
            let taken = Set(parts.map(\.trackID))
            let isFree = preferredTrackID > 0 && !taken.contains(preferredTrackID)
            let number = isFree ? preferredTrackID : (1...Int32.max).first { !taken.contains($0) } ?? 1
            let track = AVMutableCompositionTrack(composition: self, trackID: number, mediaType: mediaType)
            parts.append(track)
            return track
        }
    }

    /// Removes a track.
    open func removeTrack(_ track: AVCompositionTrack) { parts.withLock { $0.removeAll { $0 === track } } }

    /// Inserts a range of all tracks of an asset at a time of the composition.
    ///
    /// If a track of the asset starts later or ends earlier than the range, the composition's track has an empty
    /// segment there.
    /// - Parameters:
    ///   - timeRange: The range of the asset.
    ///   - asset: The asset whose tracks are inserted.
    ///   - startTime: The time in the composition; `invalid` is the end of the composition.
    /// - Throws: `AVError` if the asset cannot be opened, or has no tracks.
    open func insertTimeRange(_ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime) throws {
        let description = try asset.describe()
        guard !description.tracks.isEmpty else {
            throw AVError(.noSourceTrack, .noTrack, "The asset has no tracks", url: asset.resource)
        }
        let length = CMTimeRange(start: .zero, duration: description.duration)
        let range = length.duration.isNumeric ? timeRange.intersection(length) : timeRange
        guard description.tracks.contains(where: { $0.overlaps(range) }) else {
            let message = "The time range to insert lies outside the asset"
            throw AVError(.invalidSourceMedia, .badRange, message, url: asset.resource)
        }
        let start = startTime.isNumeric ? CMTimeMaximum(startTime, .zero) : duration
        var own = parts.withLock { $0 }
        for source in description.tracks {
            let index = own.firstIndex { $0.mediaType == source.mediaType }
            let existing = index.map { own.remove(at: $0) as? AVMutableCompositionTrack } ?? nil
            let new = existing ?? addMutableTrack(withMediaType: source.mediaType, preferredTrackID: source.trackID)
            try new?.insert(range, of: source, from: asset, at: start)
        }
        for other in own {
            (other as? AVMutableCompositionTrack)?.insertEmptyTimeRange(
                CMTimeRange(start: start, duration: range.duration)
            )
        }
    }

    /// Inserts an empty range; everything after its start moves back by its duration.
    open func insertEmptyTimeRange(_ timeRange: CMTimeRange) { forEachTrack { $0.insertEmptyTimeRange(timeRange) } }

    /// Removes a range; everything after it moves forward.
    open func removeTimeRange(_ timeRange: CMTimeRange) { forEachTrack { $0.removeTimeRange(timeRange) } }

    /// Stretches or compresses a range to a new duration; the pitch of audio changes accordingly.
    open func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
        forEachTrack { $0.scaleTimeRange(timeRange, toDuration: duration) }
    }

    private func forEachTrack(_ body: (AVMutableCompositionTrack) -> Void) {
        for track in parts.withLock({ $0 }) { if let track = track as? AVMutableCompositionTrack { body(track) } }
    }
}

/// A source of a segment of a composition.
struct CompositionMedia: Sendable {
    // Retains the asset, because a track does not retain it.
    let asset: AVAsset
    let track: AVAssetTrack
}

/// A track of a composition.
open class AVCompositionTrack: AVAssetTrack, @unchecked Sendable {
    // Unchecked: a lock guards the mutable state.
    fileprivate let list = Mutex(EditList<CompositionMedia>())
    fileprivate let transform = Mutex(CGAffineTransform.identity)

    fileprivate init(composition: AVComposition, trackID: CMPersistentTrackID, mediaType: AVMediaType) {
        super.init(
            asset: composition,
            trackID: trackID,
            mediaType: mediaType,
            timeRange: .zero,
            formatDescriptions: [],
            naturalTimeScale: 600
        )
    }

    var edits: EditList<CompositionMedia> { list.withLock { $0 } }
    private var firstSource: AVAssetTrack? { edits.edits.lazy.compactMap(\.media?.track).first }

    /// The time range of the track: from 0 to the end of its last segment.
    open override var timeRange: CMTimeRange { CMTimeRange(start: .zero, duration: edits.duration) }
    /// The formats of the media.
    open override var formatDescriptions: [Any] { descriptions }
    override var descriptions: [CMFormatDescription] {
        var seen: [CMFormatDescription] = []
        for edit in edits.edits {
            for format in edit.media?.track.descriptions ?? [] where !seen.contains(format) { seen.append(format) }
        }
        return seen
    }
    /// The video size of the first segment's media.
    open override var naturalSize: CGSize { firstSource?.naturalSize ?? .zero }
    /// The frame rate of the first segment's media, in frames per second.
    open override var nominalFrameRate: Float { firstSource?.nominalFrameRate ?? 0 }
    /// The minimum frame duration of the first segment's media.
    open override var minFrameDuration: CMTime { firstSource?.minFrameDuration ?? .invalid }
    /// The transform for displaying the video: identity, unless it is set; the transforms of the segments are ignored.
    open override var preferredTransform: CGAffineTransform { transform.withLock { $0 } }
    /// The timescale of the first segment's media.
    open override var naturalTimeScale: CMTimeScale { firstSource?.naturalTimeScale ?? 600 }
    /// The approximate data rate of the first segment's media, in bits per second.
    open override var estimatedDataRate: Float { firstSource?.estimatedDataRate ?? 0 }
    /// The segments of the track.
    open override var segments: [AVAssetTrackSegment] {
        edits.placed.map { edit, range in
            AVCompositionTrackSegment(
                source: edit.media,
                mapping: CMTimeMapping(source: edit.media == nil ? .invalid : edit.source, target: range)
            )
        }
    }
}

/// A segment of a composition track.
open class AVCompositionTrackSegment: AVAssetTrackSegment, @unchecked Sendable {
    // Unchecked: immutable after `init`.
    /// The URL of the segment's media, if it has one.
    public let sourceURL: URL?
    /// The ID of the source track in its asset.
    public let sourceTrackID: CMPersistentTrackID

    init(source: CompositionMedia?, mapping: CMTimeMapping) {
        sourceURL = source?.asset.resource
        sourceTrackID = source?.track.trackID ?? kCMPersistentTrackID_Invalid
        super.init(mapping)
    }
}

/// A composition track that can be edited before it is read.
open class AVMutableCompositionTrack: AVCompositionTrack, @unchecked Sendable {
    /// The transform for displaying the video; identity by default.
    open override var preferredTransform: CGAffineTransform {
        get { transform.withLock { $0 } }
        set { transform.withLock { $0 = newValue } }
    }

    /// Inserts a range of a track at a time of the composition.
    /// - Parameters:
    ///   - timeRange: The range of the other track; it is clamped to the end of that track.
    ///   - track: The source track. If it belongs to a composition, that composition must still exist.
    ///   - startTime: The time in this track; `invalid` is its end.
    /// - Throws: `AVError` for an invalid range, a range outside of the track, or a track of another media type.
    open func insertTimeRange(_ timeRange: CMTimeRange, of track: AVAssetTrack, at startTime: CMTime) throws {
        guard let asset = track.media else {
            throw AVError(
                .noSourceTrack,
                .noTrack,
                "The composition of the inserted track has been released: keep a reference to it"
            )
        }
        try insertTimeRange(timeRange, of: track, from: asset, at: startTime)
    }

    func insertTimeRange(
        _ timeRange: CMTimeRange,
        of track: AVAssetTrack,
        from asset: AVAsset,
        at startTime: CMTime
    ) throws {
        guard track.mediaType == mediaType else {
            let message = "A \(track.mediaType.rawValue) track cannot be inserted into a \(mediaType.rawValue) track"
            throw AVError(.invalidSourceMedia, .noTrack, message, url: asset.resource)
        }
        let source = timeRange.intersection(track.timeRange)
        guard source.isValid, !source.isEmpty, source.duration.isNumeric, startTime.isNumeric || !startTime.isValid
        else {
            throw AVError(
                .invalidSourceMedia,
                .badRange,
                "The time range to insert lies outside the track",
                url: asset.resource
            )
        }
        let media = CompositionMedia(asset: asset, track: track)
        list.withLock { list in
            let time = startTime.isNumeric ? CMTimeMaximum(startTime, .zero) : list.duration
            list.insert(
                [EditList<CompositionMedia>.Edit(media: media, source: source, duration: source.duration)],
                at: time
            )
        }
    }

    /// Inserts the part of a track within a range of its asset, with empty segments where the track does not cover the
    /// range.
    fileprivate func insert(
        _ range: CMTimeRange,
        of track: AVAssetTrack,
        from asset: AVAsset,
        at start: CMTime
    ) throws {
        guard track.overlaps(range) else {
            return insertEmptyTimeRange(CMTimeRange(start: start, duration: range.duration))
        }
        let part = range.intersection(track.timeRange)
        guard range.duration.isNumeric, part.duration.isNumeric else {
            return try insertTimeRange(range, of: track, from: asset, at: start)
        }
        let before = part.start - range.start
        let first = start + before
        if before > .zero { insertEmptyTimeRange(CMTimeRange(start: start, duration: before)) }
        try insertTimeRange(part, of: track, from: asset, at: first)
        let behind = range.end - part.end
        if behind > .zero { insertEmptyTimeRange(CMTimeRange(start: first + part.duration, duration: behind)) }
    }

    /// Inserts ranges of tracks one after the other; see `insertTimeRange(_:of:at:)`.
    open func insertTimeRanges(_ timeRanges: [NSValue], of tracks: [AVAssetTrack], at startTime: CMTime) throws {
        var time = startTime.isNumeric ? startTime : list.withLock { $0.duration }
        for (value, track) in zip(timeRanges, tracks) {
            try insertTimeRange(value.timeRangeValue, of: track, at: time)
            time = time + value.timeRangeValue.intersection(track.timeRange).duration
        }
    }

    /// Inserts an empty range; everything after its start moves back by its duration.
    open func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
        guard timeRange.isValid, timeRange.start.isNumeric, timeRange.duration.isNumeric else { return }
        list.withLock { list in
            guard timeRange.start < list.duration else { return }
            let empty = EditList<CompositionMedia>.Edit(media: nil, source: .invalid, duration: timeRange.duration)
            list.insert([empty], at: timeRange.start)
        }
    }

    /// Removes a range; everything after it moves forward.
    open func removeTimeRange(_ timeRange: CMTimeRange) {
        guard timeRange.isValid, timeRange.start.isNumeric else { return }
        list.withLock { $0.remove(timeRange) }
    }

    /// Stretches or compresses a range to a new duration; the pitch of audio changes accordingly.
    open func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
        guard timeRange.isValid, timeRange.start.isNumeric, duration.isNumeric else { return }
        list.withLock { $0.scale(timeRange, to: duration) }
    }
}

extension AVAssetTrack {
    /// Whether a part of the track overlaps a range.
    fileprivate func overlaps(_ range: CMTimeRange) -> Bool {
        let part = range.intersection(timeRange)
        return part.isValid && !part.isEmpty
    }
}

extension ErrorCode {
    /// A time range is invalid, or lies outside of the media.
    public static let badRange = ErrorCode(rawValue: "usage.badRange")
}
