import Foundation
import SyrinxByteStream

/// A link of notes while its text arrives: in plain text it is `[text](address)`, or the address alone if the text is none other.
struct NoteLink {
    /// Bytes of the longest address.
    private static let longestAddress = 2_048

    /// The place of the text at which the link begins, in bytes.
    private let start: Int
    private let address: String

    /// Creates the link that a start tag of HTML begins; `nil` if it has no address on the web.
    /// - Parameters:
    ///   - tag: The tag, with its angle brackets.
    ///   - text: The text before the link.
    init?(tag: Substring, at text: String) {
        guard let value = HTMLTag.attribute("href", of: tag), value.utf8.count <= Self.longestAddress,
            let address = FeedURL.resolve(HTMLText.plain(String(value)), relativeTo: nil)
        else { return nil }
        start = text.utf8.count
        // What ends an address in the text is written as RFC 3986 has it.
        self.address = Redaction.redact(address).replacingOccurrences(of: "(", with: "%28")
            .replacingOccurrences(of: ")", with: "%29")
    }

    /// Ends the link: what has been added to the text since its start becomes its text.
    func end(_ text: inout String) {
        let place = text.utf8.index(text.startIndex, offsetBy: start)
        let words = text[place...].split { $0.isWhitespace || $0 == "\u{2028}" }
        // The brackets of a text would end it.
        let label = words.joined(separator: " ").replacingOccurrences(of: "[", with: "(")
            .replacingOccurrences(of: "]", with: ")")
        guard !label.isEmpty else { return }
        text.removeSubrange(place...)
        text += Self.isAddress(label, address) ? address : "[\(label)](\(address))"
    }

    /// Whether a text is the address itself, with or without the scheme and the slash at its end.
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
