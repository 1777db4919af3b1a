public import CoreMedia
public import Foundation
internal import Synchronization
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The preset that encodes audio as AAC in an MPEG-4 file.
public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"
/// The preset that copies packets without re-encoding.
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"

/// Exports the audio of an asset, or of a part of it, to a file.
///
/// Configure the session on one thread, and start it once.
///
/// ```swift
/// guard let export = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleM4A) else { return }
/// export.timeRange = CMTimeRange(start: .zero, duration: CMTime(value: 30, timescale: 1))
/// try await export.export(to: URL(fileURLWithPath: "preview.m4a"), as: .m4a)
/// ```
open class AVAssetExportSession: NSObject, @unchecked Sendable {
    // Unchecked: the configuration does not change after the start; a lock guards the rest.

    /// The status of an export.
    public enum Status: Int, Sendable {
        /// The export has not started.
        case unknown = 0
        /// The export is about to start.
        case waiting = 1
        /// The export is running.
        case exporting = 2
        /// The file is complete.
        case completed = 3
        /// The export failed: see `error`.
        case failed = 4
        /// The export was cancelled.
        case cancelled = 5
    }

    private struct State {
        var status = Status.unknown
        var error: AVError?
        var progress: Float = 0
    }

    /// The asset to export.
    public let asset: AVAsset
    /// The name of the preset.
    public let presetName: String
    /// The URL of the output file, which must not exist.
    open var outputURL: URL?
    /// The type of the output file.
    open var outputFileType: AVFileType?
    /// The time range to export; the whole asset by default.
    open var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
    /// The volumes of the tracks; all 1 by default.
    open var audioMix: AVAudioMix?
    /// The metadata of the output file, including its cover picture; that of the asset by default.
    open var metadata: [AVMetadataItem]?
    /// Whether the index precedes the media in the file; MPEG-4 files always have this order.
    open var shouldOptimizeForNetworkUse = false
    private let state = Mutex(State())

    /// Creates an export session; returns `nil` for an unknown preset.
    public init?(asset: AVAsset, presetName: String) {
        guard Self.allExportPresets().contains(presetName) else { return nil }
        self.asset = asset
        self.presetName = presetName
        super.init()
        outputFileType = presetName == AVAssetExportPresetAppleM4A ? .m4a : nil
    }

    /// The status of the export.
    open var status: Status { state.withLock { $0.status } }
    /// The error of a failed export.
    open var error: (any Error)? { state.withLock { $0.error } }
    /// The progress, 0…1.
    open var progress: Float { state.withLock { $0.progress } }
    /// The file types that the preset can write.
    open var supportedFileTypes: [AVFileType] {
        presetName == AVAssetExportPresetAppleM4A ? [.m4a, .mp4] : [.m4a, .mp4, .mov, .mp3, .wav, .aiff, .caf]
    }

    /// Returns all available presets.
    open class func allExportPresets() -> [String] { [AVAssetExportPresetAppleM4A, AVAssetExportPresetPassthrough] }

    /// Returns the presets with which an asset can be exported; blocks until the asset is loaded.
    open class func exportPresets(compatibleWith asset: AVAsset) -> [String] {
        asset.tracks(withMediaType: .audio).isEmpty
            ? [] : asset is AVComposition ? [AVAssetExportPresetAppleM4A] : allExportPresets()
    }

    /// Determines in the background whether a preset can export an asset to a file type.
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

    /// Returns whether a preset can export an asset to a file type.
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

    /// Starts the export in the background, and calls `handler` when it has completed, failed or been cancelled.
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

    /// Exports the asset; check `status` afterwards.
    open func export() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exportAsynchronously { continuation.resume() }
            }
        } onCancel: {
            cancelExport()
        }
    }

    /// Exports the asset to a file.
    /// - Throws: `AVError` if the export fails; `CancellationError` if it is cancelled.
    open func export(to url: URL, as fileType: AVFileType) async throws {
        outputURL = url
        outputFileType = fileType
        await export()
        if status == .cancelled { throw CancellationError() }
        if let error { throw error }
    }

    /// Cancels the export; no file remains.
    ///
    /// Has no effect after the export has completed or failed.
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
                    "The preset does not support this file type: choose one of supportedFileTypes",
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
