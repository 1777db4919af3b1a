#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The cookies of one stream (RFC 6265), so that servers which set one and look for it go on.
///
/// In memory alone, for as long as the stream lives. Cookies are secrets: they are in no event and in no message.
struct CookieJar: Sendable {
    private struct Cookie: Sendable {
        let name: String
        var value: String
        let domain: String
        let isHostOnly: Bool
        let path: String
        var isSecure: Bool
        /// In seconds since 1970; `nil`: as long as the jar.
        var expiry: Double?
    }

    /// The numbers of RFC 6265, 6.1, of which a user agent keeps at least so many for each host.
    private static let maximumCount = 50
    private static let maximumSize = 4_096

    /// Oldest first.
    private var cookies: [Cookie] = []

    /// Takes what an answer from `url` sets.
    ///
    /// `now` is in seconds since 1970.
    mutating func take(_ head: ResponseHead, from url: RequestURL, now: Double) {
        for line in head.values("set-cookie") where line.utf8.count <= Self.maximumSize {
            guard let cookie = Self.parse(line, url, now: now) else { continue }
            let known = cookies.firstIndex {
                ($0.name, $0.domain, $0.path) == (cookie.name, cookie.domain, cookie.path)
            }
            let isGone = cookie.expiry.map { $0 <= now } == true
            switch (known, isGone) {
            case (let index?, true): cookies.remove(at: index)
            case (let index?, false): cookies[index] = cookie
            case (nil, true): break
            case (nil, false):
                cookies.append(cookie)
                if cookies.count > Self.maximumCount { cookies.removeFirst() }
            }
        }
    }

    /// The value of a `Cookie` header for a request to `url`; `nil` if there is nothing to send.
    func header(for url: RequestURL, now: Double) -> String? {
        let path = Self.path(of: url)
        let sent = cookies.filter { cookie in
            (cookie.isHostOnly ? url.host == cookie.domain : Self.host(url.host, isIn: cookie.domain))
                && Self.path(path, isIn: cookie.path) && (!cookie.isSecure || url.scheme == "https")
                && cookie.expiry.map { now < $0 } != false
        }
        if sent.isEmpty { return nil }
        // Longer paths first, then as they came (RFC 6265, 5.4); `sorted` is stable.
        return sent.sorted { $0.path.utf8.count > $1.path.utf8.count }.map { "\($0.name)=\($0.value)" }
            .joined(separator: "; ")
    }

    // MARK: Reading a `Set-Cookie` (RFC 6265, 5.2 and 5.3)

    private static func parse(_ line: String, _ url: RequestURL, now: Double) -> Cookie? {
        guard line.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else { return nil }
        let parts = line.split(separator: ";", omittingEmptySubsequences: false).map(pair)
        guard let first = parts.first, let value = first.value, !first.name.isEmpty else { return nil }
        var domain: String?
        var path = defaultPath(of: url)
        var isSecure = false
        var expires: Double?
        var maximumAge: Double?
        for (name, value) in parts.dropFirst() {
            let value = value ?? ""
            switch name.lowercased() {
            case "domain" where !value.isEmpty:
                domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
            case "path": path = value.hasPrefix("/") ? value : defaultPath(of: url)
            case "secure": isSecure = true
            case "expires": expires = HTTPDate.seconds(value.replacing("-", with: " ")) ?? expires
            case "max-age": maximumAge = Int64(value).map(Double.init) ?? maximumAge
            default: break
            }
        }
        // Without a list of public suffixes, a domain of one label is taken for one.
        if let domain, domain != url.host, !domain.contains(".") || !host(url.host, isIn: domain) { return nil }
        if isSecure, url.scheme != "https" { return nil }
        return Cookie(
            name: first.name,
            value: value,
            domain: domain ?? url.host,
            isHostOnly: domain == nil,
            path: path,
            isSecure: isSecure,
            expiry: maximumAge.map { now + $0 } ?? expires
        )
    }

    private static func pair(_ text: Substring) -> (name: String, value: String?) {
        func trimmed(_ text: Substring) -> String {
            var text = text.drop { $0 == " " || $0 == "\t" }
            while text.last == " " || text.last == "\t" { text.removeLast() }
            return String(text)
        }
        guard let equals = text.firstIndex(of: "=") else { return (trimmed(text), nil) }
        return (trimmed(text[..<equals]), trimmed(text[text.index(after: equals)...]))
    }

    private static func host(_ host: String, isIn domain: String) -> Bool {
        if host == domain { return true }
        // Of an address there are no parts.
        let isAddress = host.contains(":") || host.allSatisfy { $0 == "." || $0.isNumber }
        return !isAddress && host.hasSuffix("." + domain)
    }

    private static func path(of url: RequestURL) -> String { String(url.target.prefix { $0 != "?" }) }

    private static func defaultPath(of url: RequestURL) -> String {
        let path = path(of: url)
        let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return folder.isEmpty ? "/" : String(folder)
    }

    private static func path(_ path: String, isIn folder: String) -> Bool {
        path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
}
