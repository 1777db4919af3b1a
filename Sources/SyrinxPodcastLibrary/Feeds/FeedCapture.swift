import Foundation

/// Collects the text of one element as HTML while it is parsed.
///
/// Unescaped HTML elements in the text are written as tags again, so that only `HTMLText` interprets HTML.
struct FeedCapture {
    /// The encoding of an element's text.
    enum Form: Equatable {
        /// Escaped HTML or plain text, which RSS does not distinguish.
        case html
        /// Plain text or XHTML, in which escaped characters are text.
        case literal
        /// Base64 of text, or of HTML if `isHTML` is true; other data are ignored.
        case base64(isHTML: Bool)
    }

    let field: FeedField
    let depth: Int
    let attributes: [String: String]
    private let form: Form
    private let limit: Int
    private var bytes: [UInt8] = []

    /// Starts to collect the text of an element at a depth, up to `limit` bytes.
    init(_ field: FeedField, of name: String, _ attributes: [String: String], depth: Int, limit: Int) {
        (self.field, self.attributes, self.depth, self.limit) = (field, attributes, depth, limit)
        form = field.isProse ? Self.form(of: name, attributes) : .html
    }

    /// Returns the form of a text in Atom 1.0 (RFC 4287, 3.1 and 4.1.3.3), Atom 0.3 or Media RSS; HTML for other
    /// elements.
    private static func form(of name: String, _ attributes: [String: String]) -> Form {
        if name == "xhtml.body" { return .literal }
        let type = attributes["type"]?.lowercased().prefix { $0 != ";" }
        let isHTML = type.map { $0.contains("html") } ?? false
        switch (attributes["mode"]?.lowercased(), type) {
        case ("base64", _): return .base64(isHTML: isHTML)
        case ("escaped", _): return isHTML ? .html : .literal
        // Atom 0.3 uses inline XML unless the mode is `escaped`.
        case ("xml", _), (_, "xhtml"), (_, "text"): return .literal
        case (_, nil): return name.hasPrefix("atom.") || name.hasPrefix("media.") ? .literal : .html
        case (_, let type?):
            if type.hasSuffix("+xml") || type.hasSuffix("/xml") || type == "text/plain" || type == "plain" {
                return .literal
            }
            let isText = isHTML || type.hasPrefix("text/") || !type.contains("/") || !name.hasPrefix("atom.")
            return isText ? .html : .base64(isHTML: true)
        }
    }

    /// Processes a start tag within the text; the only attribute that is kept is the target of a link.
    mutating func begin(_ name: String, _ attributes: [String: String]) {
        let target = attributes["href"].map {
            " href=\"\(Self.escaped($0).replacingOccurrences(of: "\"", with: "&quot;"))\""
        }
        write(name, "<", target ?? "")
    }

    /// Processes an end tag within the text.
    mutating func end(_ name: String) { write(name, "</") }

    private mutating func write(_ name: String, _ bracket: String, _ attributes: String = "") {
        // Undeclared XHTML elements are in Atom's default namespace.
        let prefix = ["xhtml.", "atom."].first { name.hasPrefix($0) } ?? ""
        let local = String(name.dropFirst(prefix.count))
        if HTMLText.isElement(local) { append("\(bracket)\(local)\(attributes)>") }
    }

    /// Adds text.
    mutating func text(_ text: String) { append(form == .literal ? Self.escaped(text) : text) }

    private mutating func append(_ text: String) {
        guard bytes.count < limit else { return }
        bytes += FeedTexts.cut(text, to: limit - bytes.count).utf8
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) else { return text }
        return text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }

    /// The collected text as HTML.
    var html: String {
        let text = String(decoding: bytes, as: UTF8.self)
        switch form {
        case .html, .literal: return text
        case .base64(let isHTML):
            guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }) else { return text }
            guard let decoded = String(validating: data, as: UTF8.self) else { return "" }
            return isHTML ? decoded : Self.escaped(decoded)
        }
    }
}
