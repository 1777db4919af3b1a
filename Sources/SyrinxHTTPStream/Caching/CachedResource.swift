import Synchronization
import SyrinxByteStream

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The cached bytes of one URL on disk, and the time until which they may be used without validation.
final class CachedResource: Sendable {
    let entry: DiskCacheEntry
    private let listener: FailureListener

    init(_ cache: DiskCache, _ url: RequestURL) {
        let listener = FailureListener()
        self.listener = listener
        entry = cache.entry(named: Self.name(for: url)) { message in
            listener.call.withLock { $0 }?(message)
        }
    }

    /// Returns the name of the resource's folder.
    ///
    /// The name depends on the credentials too, because a server may send different bytes to different users.
    ///
    /// It is a cryptographic digest, so that no other URL can be constructed whose cached bytes would be used instead.
    static func name(for url: RequestURL) -> String {
        let pair = url.credentials.map { Data("\($0.user):\($0.password)".utf8) }
        let key = url.string + "\n" + (pair.map { "Basic " + $0.base64EncodedString() } ?? "")
        return SHA256Digest.hexadecimal(of: Array(key.utf8))
    }

    /// Sets a handler that is called with the reason when nothing more can be cached.
    func onFailure(_ call: @escaping @Sendable (String) -> Void) { listener.call.withLock { $0 = call } }

    /// The handler is set after the entry is created, which starts writing only then.
    private final class FailureListener: Sendable {
        let call = Mutex<(@Sendable (String) -> Void)?>(nil)
    }

    /// Returns the cached version if it needs no validation yet, or was downloaded for offline use.
    func fresh(now: Double) -> (entity: ResourceVersion, mimeType: String?)? {
        guard let kept = entry.resource,
            now >= kept.checkedAt && now < kept.freshUntil || entry.isKept && entry.isWhole
        else { return nil }
        return (ResourceVersion(length: kept.length, etag: kept.etag, lastModified: kept.lastModified), kept.mimeType)
    }

    /// Deletes the cached bytes if reading failed because the server has another version.
    func failed(_ error: SyrinxError) {
        if error.code == .resourceChanged { entry.drop() }
    }

    /// Handles a response: bytes are cached from now on if versions can be distinguished.
    func answered(_ head: ResponseHead, _ entity: ResourceVersion?, now: Double) {
        guard let entity, let length = entity.length, entity.etag ?? entity.lastModified != nil, head.mayBeStored,
            head.metadataInterval == nil
        else { return entry.drop() }
        let known = entry.resource
        let isKnown = known.map {
            ResourceVersion(length: $0.length, etag: $0.etag, lastModified: $0.lastModified) == entity
        }
        let freshUntil = now + head.freshness(now: now)
        // Written once for a group of requests instead of for each.
        if isKnown == true, let known, (0...60).contains(now - known.checkedAt),
            (now < known.freshUntil) == (now < freshUntil)
        {
            return
        }
        entry.begin(
            DiskCacheEntry.Resource(
                length: length,
                etag: entity.etag,
                lastModified: entity.lastModified,
                mimeType: head.mimeType,
                checkedAt: now,
                freshUntil: freshUntil
            )
        )
    }
}
