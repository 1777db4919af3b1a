import Foundation
import SyrinxByteStream

/// A feed that a web page names.
public struct FeedLink: Hashable, Sendable {
    /// The URL, without user and password.
    public var url: String { Redaction.redact(address) }
    /// The title that the page gives it; empty if there is none.
    public let title: String
    /// The URL as the page has it.
    let address: String

    /// Bytes of a page that are read: the links are near its beginning.
    static let largestPage = 1 << 20
    /// The largest number of links that are taken.
    private static let mostLinks = 20
    /// Bytes of the longest tag that is read.
    private static let longestTag = 8_192
    /// Bytes of the longest URL, and of the longest title.
    private static let (longestURL, longestTitle) = (4_096, 512)
    /// The elements whose contents have no links.
    private static let silentElements: Set<String> = ["script", "style", "template", "textarea", "title"]
    private static let types = ["application/rss+xml", "application/atom+xml"]

    /// Returns the feeds of a page, in its order and each once: `rel="alternate"` links of the types of RSS and Atom.
    ///
    /// - Parameters:
    ///   - html: The page, or its beginning.
    ///   - url: The URL of the page, to which references are relative, as far as the page names no other base.
    /// - Complexity: Linear in the length of the page.
    static func all(in html: String, at url: URL?) -> [FeedLink] {
        var base = url
        var hasBase = false
        var links: [FeedLink] = []
        var tags = Tags(html)
        while links.count < mostLinks, let (name, tag) = tags.next() {
            if name == "base", !hasBase, let address = address(of: tag, base) {
                (base, hasBase) = (URL(fromOutside: address), true)
            } else if name == "link" || name == "a", isFeed(tag), let address = address(of: tag, base),
                !links.contains(where: { $0.address == address })
            {
                let title = text("title", of: tag) ?? ""
                links.append(FeedLink(title: FeedTexts.cut(title, to: longestTitle), address: address))
            }
        }
        return links
    }

    private static func isFeed(_ tag: Substring) -> Bool {
        let relations = text("rel", of: tag)?.lowercased().split { $0.isWhitespace } ?? []
        let type = text("type", of: tag)?.lowercased().split(separator: ";").first ?? ""
        return relations.contains("alternate") && types.contains(type.trimmingCharacters(in: .whitespaces))
    }

    private static func address(of tag: Substring, _ base: URL?) -> String? {
        guard let value = text("href", of: tag), !value.isEmpty, value.utf8.count <= longestURL else { return nil }
        return FeedURL.resolve(value, relativeTo: base)
    }

    /// Returns the value of an attribute, without references.
    private static func text(_ name: String, of tag: Substring) -> String? {
        HTMLTag.attribute(name, of: tag).map { HTMLText.plain(String($0)) }
    }

    /// The start tags of a page, one after the other, without those in comments and scripts.
    private struct Tags {
        private let bytes: [UInt8]
        private var place = 0
        /// The place of the first `>` from `place` on that has been looked for.
        private var nextEnd = 0

        init(_ html: String) { bytes = Array(html.utf8) }

        /// Returns the next tag with its angle brackets, and its name in lower case; `nil` at the end.
        mutating func next() -> (name: String, tag: Substring)? {
            while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
                place = start + 1
                if bytes[start...].starts(with: "<!--".utf8) {
                    skip(to: "-->")
                    continue
                }
                let letters = bytes[place...].prefix { 65...90 ~= $0 & 0xDF }
                guard !letters.isEmpty, letters.count < 16, let end = end(of: start) else { continue }
                let name = String(decoding: letters, as: UTF8.self).lowercased()
                place = end + 1
                if FeedLink.silentElements.contains(name) { skip(to: "</\(name)") }
                return (name, Substring(decoding: bytes[start...end], as: UTF8.self))
            }
            return nil
        }

        /// Returns the place of the `>` that ends the tag at `start`; `nil` if it is too far away.
        private mutating func end(of start: Int) -> Int? {
            nextEnd = max(nextEnd, start)
            nextEnd = bytes[nextEnd...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
            return nextEnd < bytes.count && nextEnd - start < FeedLink.longestTag ? nextEnd : nil
        }

        /// Moves to a text, whatever its case, or to the end of the page.
        private mutating func skip(to text: String) {
            let text = Array(text.utf8)
            while place < bytes.count {
                let found = bytes[place...].prefix(text.count).lazy.map { 65...90 ~= $0 ? $0 | 0x20 : $0 }
                if found.elementsEqual(text) { return }
                place += 1
            }
        }
    }
}
