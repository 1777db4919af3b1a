import Foundation
import SyrinxByteStream

/// The record of a download for the next run: no password, and no bytes.
struct DownloadRecord: Codable {
    enum Wish: String, Codable {
        case wanted
        case paused
        case completed
        case failed
    }

    var url: URL
    var wish: Wish
    var addedAt: Date
    var sha256: String?
    var code: String?
    var message: String?

    init(_ download: Download) {
        url = download.url
        addedAt = download.addedAt
        sha256 = download.sha256
        code = download.error?.code.rawValue
        message = download.error?.message
        wish =
            switch download.state {
            case .queued, .downloading, .givingWay, .waitingForNetwork, .verifying: .wanted
            case .paused: .paused
            case .completed: .completed
            case .failed: .failed
            }
    }

    /// Returns the download with this identity and the bytes in `entry`, in a state that is not running.
    func download(_ id: Download.ID, _ entry: DiskCacheEntry) -> Download {
        var download = Download(
            id: id,
            url: url,
            addedAt: addedAt,
            sha256: sha256,
            state: .queued,
            receivedByteCount: entry.heldByteCount,
            length: entry.resource?.length
        )
        switch wish {
        case .completed where entry.isWhole: download.state = .completed
        case .paused: download.state = .paused
        case .failed where code?.hasPrefix("network.") != true:
            download.state = .failed
            download.error = SyrinxError(
                .init(rawValue: code ?? SyrinxError.Code.unknown.rawValue),
                message ?? "It failed.",
                name: url.absoluteString
            )
        // A network or disk failure of an earlier run may be resolved.
        case .wanted, .completed, .failed: break
        }
        return download
    }
}

extension SyrinxError {
    /// Without the user and password of its URL, this would be another download.
    static func credentialsNeeded(_ download: Download) -> SyrinxError {
        let message = "Its user and password are not kept: add it again with them."
        return SyrinxError(.credentialsNeeded, message, name: download.url.absoluteString)
    }
}
