import CSyrinxCurl

/// libcurl handles that have negotiated Digest authentication, one for each origin and user.
///
/// A handle stores the server's nonce, so that the next request is authenticated at once. Only the transport's thread
/// uses the pool.
final class HandlePool {
    struct Key: Hashable {
        let origin: String
        let credentials: Credentials
        /// The trusted certificates, which belong to a handle.
        let certificates: [String?]

        init?(_ request: TransferRequest) {
            guard let credentials = request.credentials else { return nil }
            self.credentials = credentials
            certificates = ["SSL_CERT_FILE", "SSL_CERT_DIR"].map { request.environment[$0] }
            origin = request.url.scheme + "://" + request.url.authority
        }
    }

    /// The origins that require Digest, least recently used first, each with its idle handle.
    private var entries: [(key: Key, handle: OpaquePointer?)] = []

    /// The maximum number of origins.
    private static let capacity = 32

    /// Returns whether the origin and user of `key` use Digest.
    func usesDigest(_ key: Key?) -> Bool { entries.contains { $0.key == key } }

    /// Notes that the origin of `key` requires Digest.
    func noteDigest(_ key: Key) {
        guard !usesDigest(key) else { return }
        entries.append((key, nil))
        if entries.count > Self.capacity, let handle = entries.removeFirst().handle { csyrinx_easy_cleanup(handle) }
    }

    /// Forgets an origin that no longer requires Digest.
    func forget(_ key: Key?) {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
        if let handle = entries.remove(at: index).handle { csyrinx_easy_cleanup(handle) }
    }

    /// Returns an idle handle for this origin and user, or a new one; `nil` if memory is exhausted.
    func take(for key: Key?) -> OpaquePointer? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return csyrinx_easy_init() }
        let entry = entries.remove(at: index)
        entries.append((entry.key, nil))
        return entry.handle ?? csyrinx_easy_init()
    }

    /// Stores the handle of a completed transfer for the next request, or frees it.
    func put(_ handle: OpaquePointer, for key: Key?) {
        // A jar may be freed before the next request.
        csyrinx_easy_set_pointer(handle, Int32(CSYRINX_OPT_SHARE), nil)
        if let index = entries.firstIndex(where: { $0.key == key }), entries[index].handle == nil {
            entries[index].handle = handle
        } else {
            csyrinx_easy_cleanup(handle)
        }
    }
}
