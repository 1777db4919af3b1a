public import CoreMedia
public import Foundation
internal import Synchronization
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The preset that encodes sound as AAC in an MPEG-4 file.
public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"
/// The preset that copies packets as they are.
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"

/// Writes an asset, or a part of it, to a file.
///
/// Sound only. Set it up on one thread, and start it once.
open class AVAssetExportSession: NSObject, @unchecked Sendable {
    // Unchecked: what is set up does not change after the start; the rest is behind a lock.

    /// The states of an export.
    public enum Status: Int, Sendable {
        /// It has not started.
        case unknown = 0
        /// It is about to start.
        case waiting = 1
        /// It has started.
        case exporting = 2
        /// The file is complete.
        case completed = 3
        /// It has failed: see `error`.
        case failed = 4
        /// It was given up.
        case cancelled = 5
    }

    private struct State {
        var status = Status.unknown
        var error: AVError?
        var progress: Float = 0
    }

    /// The asset.
    public let asset: AVAsset
    /// The preset.
    public let presetName: String
    /// The file, which must not exist.
    open var outputURL: URL?
    /// The kind of the file.
    open var outputFileType: AVFileType?
    /// The part of the asset; all by default.
    open var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
    /// The volumes of the tracks; 1 by default.
    open var audioMix: AVAudioMix?
    /// The tags and the cover picture of the file; those of the asset by default.
    open var metadata: [AVMetadataItem]?
    /// Whether what a listener needs first is written first; always so for files of MPEG-4.
    open var shouldOptimizeForNetworkUse = false
    private let state = Mutex(State())

    /// An export of `asset`; `nil` for a preset that is not known here.
    public init?(asset: AVAsset, presetName: String) {
        guard Self.allExportPresets().contains(presetName) else { return nil }
        self.asset = asset
        self.presetName = presetName
        super.init()
        outputFileType = presetName == AVAssetExportPresetAppleM4A ? .m4a : nil
    }

    /// The state.
    open var status: Status { state.withLock { $0.status } }
    /// The reason of a failure.
    open var error: (any Error)? { state.withLock { $0.error } }
    /// The share of the work that is done, from 0 to 1.
    open var progress: Float { state.withLock { $0.progress } }
    /// The kinds of file that the preset writes.
    open var supportedFileTypes: [AVFileType] {
        presetName == AVAssetExportPresetAppleM4A ? [.m4a, .mp4] : [.m4a, .mp4, .mov, .mp3, .wav, .aiff, .caf]
    }

    /// Returns the presets that are known here.
    open class func allExportPresets() -> [String] { [AVAssetExportPresetAppleM4A, AVAssetExportPresetPassthrough] }

    /// Returns the presets with which an asset can be exported.
    open class func exportPresets(compatibleWith asset: AVAsset) -> [String] {
        asset.tracks(withMediaType: .audio).isEmpty
            ? [] : asset is AVComposition ? [AVAssetExportPresetAppleM4A] : allExportPresets()
    }

    /// Says in the background whether an asset can be exported with a preset to a kind of file.
    open class func determineCompatibility(
        ofExportPreset presetName: String,
        with asset: AVAsset,
        outputFileType: AVFileType?,
        completionHandler handler: @escaping @Sendable (Bool) -> Void
    ) {
        loadingQueue.async {
            let isKnown = exportPresets(compatibleWith: asset).contains(presetName)
            let session = AVAssetExportSession(asset: asset, presetName: presetName)
            handler(isKnown && outputFileType.map { session?.supportedFileTypes.contains($0) ?? false } ?? isKnown)
        }
    }

    /// Says whether an asset can be exported with a preset to a kind of file.
    open class func compatibility(
        ofExportPreset presetName: String,
        with asset: AVAsset,
        outputFileType: AVFileType?
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            determineCompatibility(ofExportPreset: presetName, with: asset, outputFileType: outputFileType) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Exports in the background, and calls `handler` when the file is complete, or the export has failed or been given up.
    open func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
        let begins = state.withLock { state in
            guard state.status == .unknown else { return false }
            state.status = .exporting
            return true
        }
        loadingQueue.async {
            if begins { self.run() }
            handler()
        }
    }

    /// Exports; `status` tells how it went.
    open func export() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exportAsynchronously { continuation.resume() }
            }
        } onCancel: {
            cancelExport()
        }
    }

    /// Exports to a file.
    /// - Throws: `AVError`; `CancellationError` if it was given up.
    open func export(to url: URL, as fileType: AVFileType) async throws {
        outputURL = url
        outputFileType = fileType
        await export()
        if status == .cancelled { throw CancellationError() }
        if let error { throw error }
    }

    /// Gives the export up, and leaves no file.
    open func cancelExport() {
        state.withLock { if $0.status == .exporting || $0.status == .unknown { $0.status = .cancelled } }
    }

    private func run() {
        do {
            guard let url = outputURL, url.isFileURL else {
                throw AVError(.operationNotAllowed, .notAFile, "The export has no output file: set outputURL first")
            }
            guard let type = outputFileType, supportedFileTypes.contains(type) else {
                throw AVError(
                    .formatUnsupported,
                    .unsupported,
                    "The preset cannot write files of this type: choose one of supportedFileTypes",
                    url: url
                )
            }
            guard !FileManager.default.fileExists(atPath: url.path) else {
                throw AVError(
                    .fileAlreadyExists,
                    .fileExists,
                    "A file of that name exists already: remove it, or choose another name",
                    url: url
                )
            }
            let job = ExportJob(
                asset: asset,
                url: url,
                fileType: type,
                range: timeRange,
                mix: audioMix,
                metadata: try metadata ?? asset.describe().metadata,
                goesOn: { [self] in status == .exporting },
                advance: { [self] share in state.withLock { $0.progress = max($0.progress, min(share, 1)) } }
            )
            let isDone = presetName == AVAssetExportPresetPassthrough ? try job.copy() : try job.encode()
            state.withLock { state in
                guard isDone, state.status == .exporting else { return }
                state.status = .completed
                state.progress = 1
            }
        } catch {
            let failure = AVError(error, url: outputURL)
            state.withLock { state in
                guard state.status == .exporting else { return }
                state.status = .failed
                state.error = failure
            }
        }
    }
}
