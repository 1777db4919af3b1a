package import SyrinxByteStream
import SyrinxTerminal

extension Redaction {
    /// Returns the name of an input or an output without the user name and password of a URL.
    ///
    /// If invisible characters hide a password, they are removed too. A name may also be a URL without its scheme:
    /// `me:secret@host/a` becomes `host/a`.
    package static func redact(name: String) -> String {
        let exact = redact(name)
        let printed = redact(PrintableText.line(name))
        let redacted = PrintableText.line(exact) == printed ? exact : printed
        let isFile = { FilePath(bytes: ByteText.bytes(of: name)).status != nil }
        guard let bare = withoutBareCredentials(redacted), !isFile() else { return redacted }
        return bare
    }

    /// Returns a message without the user names and passwords of URLs, including URLs without a scheme.
    package static func redact(message: String) -> String {
        let redacted = redact(message)
        guard redacted.utf8.contains(UInt8(ascii: "@")) else { return redacted }
        return redacted.replacing(/[^\s\/:@"'<>()]+:[^\s\/@"'<>]+@(?=[\w\[])/, with: "")
    }

    /// The words before a colon that are not user names: kinds of outputs, and schemes.
    private static let kinds: Set<Substring> = ["pulse", "alsa", "file", "http", "https"]

    /// Returns the text without `USER:PASSWORD@` at the start of the text or of a path component; `nil` if there is
    /// none.
    private static func withoutBareCredentials(_ text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: "@")), !text.contains("://") else { return nil }
        if let host = host(behindCredentialsIn: text[...]) { return String(host) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let hosts = parts.map { host(behindCredentialsIn: $0) ?? $0 }
        return hosts == parts ? nil : hosts.joined(separator: "/")
    }

    private static func host(behindCredentialsIn text: Substring) -> Substring? {
        let user = text.prefix { !":/@".contains($0) && !$0.isWhitespace }
        guard !user.isEmpty, !kinds.contains(user), text[user.endIndex...].first == ":",
            let at = text.lastIndex(of: "@"), at > text.index(after: user.endIndex),
            case let host = text[text.index(after: at)...], let first = host.first,
            first.isLetter || first.isNumber || first == "["
        else { return nil }
        return host
    }
}
