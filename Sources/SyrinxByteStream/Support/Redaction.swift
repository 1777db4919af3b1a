package import Foundation

/// Removes passwords, and user names that may be tokens, from URLs in displayed text.
package enum Redaction {
    /// Returns the text without the user and password of any URL in it: `http://me:secret@host/` becomes
    /// `http://host/`.
    ///
    /// The function works on text, not on parsed URLs, because a typed password may contain spaces, quotes, slashes and
    /// at signs. If the path cannot be separated from the password, too much text is removed rather than too little.
    package static func redact(_ text: String) -> String {
        // Most texts contain nothing to remove, and long lists have many texts.
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        var result = ""
        var rest = Substring(text)
        while !rest.isEmpty {
            let end = endOfFirst(in: rest)
            result += redactOne(rest[..<end])
            rest = rest[end...]
        }
        return result
    }

    /// Returns the text of a URL without its user and password.
    package static func redact(_ url: URL) -> String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return url.host ?? "" }
        (parts.user, parts.password) = (nil, nil)
        return parts.string ?? url.host ?? ""
    }

    /// Returns the start of the next URL, after a space or a quotation mark; within a word, `://` may belong to a
    /// password.
    private static func endOfFirst(in text: Substring) -> Substring.Index {
        var index = text.startIndex
        while let before = text[index...].firstIndex(where: { $0.isWhitespace || "\"'<>(".contains($0) }) {
            index = text.index(after: before)
            if text[index...].prefixMatch(of: beginning) != nil { return index }
        }
        return text.endIndex
    }

    /// Matches the start of a URL with a known scheme; other schemes may belong to a password.
    private static var beginning: Regex<Substring> { /(?i:https?|ftps?|file|icy|rtsp|rtmp|socks(?:4|4a|5|5h)?):\/\// }

    /// Returns the end of a scheme, also with missing or extra slashes.
    private static func afterScheme(in text: Substring) -> Substring.Index? {
        text.firstMatch(of: /[Hh][Tt][Tt][Pp][Ss]?:[\/\\]*|:\/\//.matchingSemantics(.unicodeScalar))?.range.upperBound
    }

    private static func redactOne(_ text: Substring) -> String {
        guard let start = afterScheme(in: text) else { return String(text) }
        // By scalars, because a combining mark or joiner forms another character with one of these, but not another
        // URL.
        let url = text.unicodeScalars[start...]
        let authority = url.prefix { !"/?#".unicodeScalars.contains($0) }
        guard let colon = url.firstIndex(of: ":"), let at = url.lastIndex(of: "@"), colon < at else {
            // A user name without a password, which ends before the host.
            guard let at = authority.lastIndex(of: "@") else { return String(text) }
            return String(text[..<start] + Substring(url[url.index(after: at)...]))
        }
        // The path may contain another URL.
        if isHost(Substring(authority)) {
            return text[..<authority.endIndex] + redactOne(Substring(url[authority.endIndex...]))
        }
        return String(text[..<start] + Substring(url[url.index(after: at)...]))
    }

    /// Returns whether the authority is certainly a host, and not a user name with the start of a password.
    ///
    /// `me:1/2@host` looks like a port, so a port is only accepted after an IP address.
    private static func isHost(_ authority: Substring) -> Bool {
        if authority.isEmpty { return true }
        let isAddress = authority.wholeMatch(of: /(localhost|[0-9]+(\.[0-9]+){3}|\[[0-9A-Fa-f:.]+\])(:[0-9]*)?/) != nil
        return isAddress || authority.wholeMatch(of: /[^:@\s]*\.[^:@\s]*/) != nil
    }
}
