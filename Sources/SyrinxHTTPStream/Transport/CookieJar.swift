import CSyrinxCurl

/// The cookies that belong together: those of a stream, of an HLS presentation, or of a podcast's feed and its episodes.
///
/// libcurl keeps them by RFC 6265, with the public suffix list, in memory and for as long as the jar lives. The jar also keeps
/// TLS sessions, so that a further connection needs no full handshake. Cookies are secrets: no event and no message has them.
///
/// A jar may be used by any number of streams, on any thread.
package final class CookieJar: Sendable {
    private let share = CookieShare()

    /// An empty jar.
    package init() {}

    /// Returns the memory of the jar, for the transport's thread.
    func pointer(on transport: Transport) -> OpaquePointer? { share.pointer(on: transport) }

    deinit { share.freeLater() }

    /// Cookies that a jar keeps at most.
    ///
    /// A browser keeps 50 for each host (RFC 6265, 6.1).
    private static let capacity = 300

    /// Removes cookies beyond the capacity, after an answer on `handle` has set some.
    static func trim(_ handle: OpaquePointer) {
        for line in lines(handle).dropLast(capacity) {
            // The fifth field is the time when the cookie expires: 1970.
            var fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count >= 7 else { continue }
            fields[4] = "1"
            csyrinx_easy_set_string(handle, Int32(CSYRINX_OPT_COOKIELIST), fields.joined(separator: "\t"))
        }
    }

    /// The cookies of the jar that `handle` uses, in the format of Netscape's cookie files.
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

/// The memory of a cookie jar: a `curl_share`, which the transport's thread creates, uses and frees.
final class CookieShare: @unchecked Sendable {
    // Unchecked: only the transport's thread touches these, and `freeLater`, which runs after the last use of the jar.
    private var made: OpaquePointer?
    private var transport: Transport?

    /// Returns the share, which the first call creates.
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
