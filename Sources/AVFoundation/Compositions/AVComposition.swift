public import CoreMedia
public import Foundation
internal import Synchronization
internal import SyrinxByteStream

/// An asset that is made of parts of others.
open class AVComposition: AVAsset, @unchecked Sendable {
    // Unchecked: what changes is behind a lock.
    fileprivate let parts = Mutex<[AVCompositionTrack]>([])

    /// A composition without tracks.
    override init() {
        super.init()
    }

    override func describe() throws -> AssetDescription {
        AssetDescription(duration: duration, tracks: parts.withLock { $0 })
    }

    /// The end of the track that ends last.
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

/// A composition that can be changed, before it is read.
open class AVMutableComposition: AVComposition, @unchecked Sendable {
    /// A composition without tracks.
    public override init() {
        super.init()
    }

    /// Adds a track.
    /// - Parameters:
    ///   - mediaType: The kind of media.
    ///   - preferredTrackID: Its number; another if that is taken, or `kCMPersistentTrackID_Invalid`.
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
    /// The track of the composition has an empty part if that of the asset begins later or ends earlier than the range.
    /// - Parameters:
    ///   - timeRange: The part of the asset.
    ///   - asset: The asset whose tracks are inserted.
    ///   - startTime: The time at which it is to begin; `invalid` for the end of the composition.
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

    /// Moves what comes behind the start of a range back by its duration.
    open func insertEmptyTimeRange(_ timeRange: CMTimeRange) { forEachTrack { $0.insertEmptyTimeRange(timeRange) } }

    /// Removes a range; what comes behind moves to the front.
    open func removeTimeRange(_ timeRange: CMTimeRange) { forEachTrack { $0.removeTimeRange(timeRange) } }

    /// Stretches or squeezes a range to a duration; sound changes its pitch with it.
    open func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
        forEachTrack { $0.scaleTimeRange(timeRange, toDuration: duration) }
    }

    private func forEachTrack(_ body: (AVMutableCompositionTrack) -> Void) {
        for track in parts.withLock({ $0 }) { if let track = track as? AVMutableCompositionTrack { body(track) } }
    }
}

/// A source of a part of a composition.
struct CompositionMedia: Sendable {
    // The asset is kept, as a track does not keep it.
    let asset: AVAsset
    let track: AVAssetTrack
}

/// A track of a composition.
open class AVCompositionTrack: AVAssetTrack, @unchecked Sendable {
    // Unchecked: what changes is behind a lock.
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

    /// The part of the composition that the track fills: from 0 to the end of its last part.
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
    /// The size of the first part's pictures.
    open override var naturalSize: CGSize { firstSource?.naturalSize ?? .zero }
    /// Pictures of a second in the first part's media.
    open override var nominalFrameRate: Float { firstSource?.nominalFrameRate ?? 0 }
    /// The least duration of a picture of the first part's media.
    open override var minFrameDuration: CMTime { firstSource?.minFrameDuration ?? .invalid }
    /// The transformation by which the pictures are to be shown: none, unless it is set, whatever those of the parts are.
    open override var preferredTransform: CGAffineTransform { transform.withLock { $0 } }
    /// The timescale of the first part's media.
    open override var naturalTimeScale: CMTimeScale { firstSource?.naturalTimeScale ?? 600 }
    /// Bits of a second, about, of the first part's media.
    open override var estimatedDataRate: Float { firstSource?.estimatedDataRate ?? 0 }
    /// The parts of the track.
    open override var segments: [AVAssetTrackSegment] {
        edits.placed.map { edit, range in
            AVCompositionTrackSegment(
                source: edit.media,
                mapping: CMTimeMapping(source: edit.media == nil ? .invalid : edit.source, target: range)
            )
        }
    }
}

/// A part of a composition track.
open class AVCompositionTrackSegment: AVAssetTrackSegment, @unchecked Sendable {
    // Unchecked: nothing changes after `init`.
    /// The resource of the part's media, if it has one.
    public let sourceURL: URL?
    /// The number of the part's track in its asset.
    public let sourceTrackID: CMPersistentTrackID

    init(source: CompositionMedia?, mapping: CMTimeMapping) {
        sourceURL = source?.asset.resource
        sourceTrackID = source?.track.trackID ?? kCMPersistentTrackID_Invalid
        super.init(mapping)
    }
}

/// A track of a composition that can be changed, before it is read.
open class AVMutableCompositionTrack: AVCompositionTrack, @unchecked Sendable {
    /// The transformation by which the pictures are to be shown; none by default.
    open override var preferredTransform: CGAffineTransform {
        get { transform.withLock { $0 } }
        set { transform.withLock { $0 = newValue } }
    }

    /// Inserts a range of a track of an asset, at a time of the composition.
    /// - Parameters:
    ///   - timeRange: The range of the other track; it ends with that.
    ///   - track: The other track; that of a composition needs a composition that is alive.
    ///   - startTime: The time at which it is to begin; `invalid` for the end.
    /// - Throws: `AVError` for a range that is none, or lies outside of the other track, or a track of another kind of media.
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
            let message = "A track of \(track.mediaType.rawValue) does not go into one of \(mediaType.rawValue)"
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

    /// Inserts the part of a track that lies in a range of its asset, with empty parts where it does not fill the range.
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

    /// Inserts ranges of tracks one behind the other; see `insertTimeRange(_:of:at:)`.
    open func insertTimeRanges(_ timeRanges: [NSValue], of tracks: [AVAssetTrack], at startTime: CMTime) throws {
        var time = startTime.isNumeric ? startTime : list.withLock { $0.duration }
        for (value, track) in zip(timeRanges, tracks) {
            try insertTimeRange(value.timeRangeValue, of: track, at: time)
            time = time + value.timeRangeValue.intersection(track.timeRange).duration
        }
    }

    /// Moves what comes behind the start of a range back by its duration.
    open func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
        guard timeRange.isValid, timeRange.start.isNumeric, timeRange.duration.isNumeric else { return }
        list.withLock { list in
            guard timeRange.start < list.duration else { return }
            let empty = EditList<CompositionMedia>.Edit(media: nil, source: .invalid, duration: timeRange.duration)
            list.insert([empty], at: timeRange.start)
        }
    }

    /// Removes a range; what comes behind moves to the front.
    open func removeTimeRange(_ timeRange: CMTimeRange) {
        guard timeRange.isValid, timeRange.start.isNumeric else { return }
        list.withLock { $0.remove(timeRange) }
    }

    /// Stretches or squeezes a range to a duration; sound changes its pitch with it.
    open func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
        guard timeRange.isValid, timeRange.start.isNumeric, duration.isNumeric else { return }
        list.withLock { $0.scale(timeRange, to: duration) }
    }
}

extension AVAssetTrack {
    /// Whether a part of the track lies in a range.
    fileprivate func overlaps(_ range: CMTimeRange) -> Bool {
        let part = range.intersection(timeRange)
        return part.isValid && !part.isEmpty
    }
}

extension ErrorCode {
    /// A range of times is none, or lies outside of the media.
    public static let badRange = ErrorCode(rawValue: "usage.badRange")
}
