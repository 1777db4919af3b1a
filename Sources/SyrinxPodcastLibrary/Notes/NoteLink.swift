import Foundation
import SyrinxByteStream

/// Collects a link in notes; its plain text is `[text](address)`, or only the address if it equals the text.
struct NoteLink {
    /// The maximum length of an address, in bytes.
    private static let longestAddress = 2_048

    /// The byte offset in the text at which the link starts.
    private let start: Int
    private let address: String

    /// Creates a link from an HTML start tag; `nil` if it has no web address.
    /// - Parameters:
    ///   - tag: The tag, including its angle brackets.
    ///   - text: The text before the link.
    init?(tag: Substring, at text: String) {
        guard let value = HTMLTag.attribute("href", of: tag), value.utf8.count <= Self.longestAddress,
            let address = FeedURL.resolve(HTMLText.plain(String(value)), relativeTo: nil)
        else { return nil }
        start = text.utf8.count
        // Percent-encode (RFC 3986) the characters that would end the address in plain text.
        self.address = Redaction.redact(address).replacingOccurrences(of: "(", with: "%28")
            .replacingOccurrences(of: ")", with: "%29")
    }

    /// Ends the link; the text added since its start becomes the text of the link.
    func end(_ text: inout String) {
        let place = text.utf8.index(text.startIndex, offsetBy: start)
        let words = text[place...].split { $0.isWhitespace || $0 == "\u{2028}" }
        // Square brackets in the text would end it.
        let label = words.joined(separator: " ").replacingOccurrences(of: "[", with: "(")
            .replacingOccurrences(of: "]", with: ")")
        guard !label.isEmpty else { return }
        text.removeSubrange(place...)
        text += Self.isAddress(label, address) ? address : "[\(label)](\(address))"
    }

    /// Whether the text equals the address, with or without scheme and trailing slash.
    private static func isAddress(_ label: String, _ address: String) -> Bool {
        func bare(_ text: String) -> Substring {
            var text = text[...]
            for start in ["https://", "http://", "www."] where text.hasPrefix(start) {
                text = text.dropFirst(start.count)
            }
            return text.last == "/" ? text.dropLast() : text
        }
        return bare(label) == bare(address)
    }
}
