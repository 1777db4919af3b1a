package import Foundation

/// Removes passwords, and user names that may be tokens, from URLs in text that is going to be shown.
package enum Redaction {
    /// Returns the text without the user and password of any URL in it: `http://me:secret@host/` becomes `http://host/`.
    ///
    /// It looks at text, not at parsed URLs: what a person types as a password may have anything in it, spaces, quotes,
    /// slashes and at-signs too. Where part of the path cannot be separated from it, too much is left out and not too little.
    package static func redact(_ text: String) -> String {
        // Most texts have nothing to remove, and long lists have many texts.
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

    /// Returns the start of the next URL, after a space or a quotation mark: inside a word `://` may belong to a password.
    private static func endOfFirst(in text: Substring) -> Substring.Index {
        var index = text.startIndex
        while let before = text[index...].firstIndex(where: { $0.isWhitespace || "\"'<>(".contains($0) }) {
            index = text.index(after: before)
            if text[index...].prefixMatch(of: beginning) != nil { return index }
        }
        return text.endIndex
    }

    /// The beginning of a URL with a known scheme: others may belong to a password.
    private static var beginning: Regex<Substring> { /(?i:https?|ftps?|file|icy|rtsp|rtmp|socks(?:4|4a|5|5h)?):\/\// }

    /// Returns the end of a scheme, with a slash too few or too many.
    private static func afterScheme(in text: Substring) -> Substring.Index? {
        text.firstMatch(of: /[Hh][Tt][Tt][Pp][Ss]?:[\/\\]*|:\/\//.matchingSemantics(.unicodeScalar))?.range.upperBound
    }

    private static func redactOne(_ text: Substring) -> String {
        guard let start = afterScheme(in: text) else { return String(text) }
        // By scalars: a mark or a joiner behind one of these makes another character of it, and no other URL.
        let url = text.unicodeScalars[start...]
        let authority = url.prefix { !"/?#".unicodeScalars.contains($0) }
        guard let colon = url.firstIndex(of: ":"), let at = url.lastIndex(of: "@"), colon < at else {
            // A name alone, which ends where the host does.
            guard let at = authority.lastIndex(of: "@") else { return String(text) }
            return String(text[..<start] + Substring(url[url.index(after: at)...]))
        }
        // Another URL may be in the path.
        if isHost(Substring(authority)) {
            return text[..<authority.endIndex] + redactOne(Substring(url[authority.endIndex...]))
        }
        return String(text[..<start] + Substring(url[url.index(after: at)...]))
    }

    /// Whether what precedes the path is a host beyond doubt, and no name of a user with the beginning of a password.
    ///
    /// `me:1/2@host` looks like a port, so a port is only recognised after an address.
    private static func isHost(_ authority: Substring) -> Bool {
        if authority.isEmpty { return true }
        let isAddress = authority.wholeMatch(of: /(localhost|[0-9]+(\.[0-9]+){3}|\[[0-9A-Fa-f:.]+\])(:[0-9]*)?/) != nil
        return isAddress || authority.wholeMatch(of: /[^:@\s]*\.[^:@\s]*/) != nil
    }
}
