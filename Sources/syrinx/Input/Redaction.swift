/// Takes passwords out of whatever is going to be printed.
enum Redaction {
    /// The text with the password of every URL in it left out: `http://me:secret@host/` becomes `http://me@host/`.
    ///
    /// It looks at text, not at parsed URLs, so that malformed ones are covered: a password with an unescaped slash or
    /// at-sign in it is left out too.
    static func redact(_ text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let mark = rest.firstRange(of: "://") {
            result += rest[..<mark.upperBound]
            rest = rest[mark.upperBound...]
            let end = rest.firstIndex(where: { $0.isWhitespace || "\"'<>".contains($0) }) ?? rest.endIndex
            result += withoutPassword(rest[..<end])
            rest = rest[end...]
        }
        return result + rest
    }

    /// What follows `://`, without its password.
    private static func withoutPassword(_ text: Substring) -> String {
        let authorityEnd = text.firstIndex(where: { "/?#".contains($0) }) ?? text.endIndex
        let authority = text[..<authorityEnd]
        if let at = authority.lastIndex(of: "@") {
            guard let colon = authority[..<at].firstIndex(of: ":") else { return String(text) }
            return String(text[..<colon] + text[at...])
        }
        // `user:pass/word@host`: what looks like a port is no number, and an at-sign follows.
        guard let colon = authority.lastIndex(of: ":"), let at = text.lastIndex(of: "@") else { return String(text) }
        let port = authority[authority.index(after: colon)...]
        if port.allSatisfy(\.isNumber) || authority.hasPrefix("[") { return String(text) }
        return String(text[..<colon] + text[at...])
    }
}
