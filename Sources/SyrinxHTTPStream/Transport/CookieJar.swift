import CSyrinxCurl

/// Cookies that are shared by the requests of a stream, of an HLS presentation, or of a podcast's feed and episodes.
///
/// libcurl stores them according to RFC 6265, with the public suffix list, in memory and for the lifetime of the jar.
/// The jar also stores TLS sessions, so that later connections need no full handshake. Cookies are secrets: they appear
/// in no event and no message.
///
/// Any number of streams may use a jar, on any thread.
package final class CookieJar: Sendable {
    private let share = CookieShare()

    /// Creates an empty jar.
    package init() {}

    /// Returns the memory of the jar, for the transport's thread.
    func pointer(on transport: Transport) -> OpaquePointer? { share.pointer(on: transport) }

    deinit { share.freeLater() }

    /// The maximum number of cookies in a jar.
    ///
    /// Browsers must support at least 50 for each host (RFC 6265, 6.1).
    private static let capacity = 300

    /// Removes cookies beyond the capacity, after a response on `handle` has set cookies.
    static func trim(_ handle: OpaquePointer) {
        for line in lines(handle).dropLast(capacity) {
            // The fifth field is the expiry time: 1970.
            var fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count >= 7 else { continue }
            fields[4] = "1"
            csyrinx_easy_set_string(handle, Int32(CSYRINX_OPT_COOKIELIST), fields.joined(separator: "\t"))
        }
    }

    /// Returns the cookies of the jar of `handle`, in the Netscape cookie file format.
    private static func lines(_ handle: OpaquePointer) -> [String] {
        var list: UnsafeMutablePointer<CSyrinxList>?
        guard csyrinx_easy_get_list(handle, Int32(CSYRINX_INFO_COOKIELIST), &list) == 0 else { return [] }
        defer { csyrinx_slist_free_all(list) }
        var lines: [String] = []
        var next = list
        while let item = next {
            if let data = item.pointee.data { lines.append(String(cString: data)) }
            next = item.pointee.next
        }
        return lines
    }
}

/// The memory of a cookie jar: a `curl_share` that the transport's thread creates, uses and frees.
final class CookieShare: @unchecked Sendable {
    // Unchecked: only the transport's thread accesses these, and `freeLater`, which runs after the last use of the jar.
    private var made: OpaquePointer?
    private var transport: Transport?

    /// Returns the share; the first call creates it.
    func pointer(on transport: Transport) -> OpaquePointer? {
        if let made { return made }
        self.transport = transport
        made = csyrinx_share_init()
        if let made {
            for data in [CSYRINX_SHARE_COOKIES, CSYRINX_SHARE_TLS_SESSIONS, CSYRINX_SHARE_PUBLIC_SUFFIXES] {
                csyrinx_share_add(made, Int32(data))
            }
        }
        return made
    }

    func freeLater() { transport?.post(.free(self)) }

    func free() {
        if let made { csyrinx_share_cleanup(made) }
        (made, transport) = (nil, nil)
    }
}
