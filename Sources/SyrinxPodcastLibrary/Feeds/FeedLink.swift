import Foundation
import SyrinxByteStream

/// A link to a feed in a web page.
public struct FeedLink: Hashable, Sendable {
    /// The URL of the feed, without user name and password.
    public var url: String { Redaction.redact(address) }
    /// The title of the link; empty if there is none.
    public let title: String
    /// The URL in the page.
    let address: String

    /// The maximum number of bytes of a page that are read, because links are near its start.
    static let largestPage = 1 << 20
    /// The maximum number of links.
    private static let mostLinks = 20
    /// The maximum length of a tag, in bytes.
    private static let longestTag = 8_192
    /// The maximum length of a URL and of a title, in bytes.
    private static let (longestURL, longestTitle) = (4_096, 512)
    /// The elements whose contents are ignored.
    private static let silentElements: Set<String> = ["script", "style", "template", "textarea", "title"]
    private static let types = ["application/rss+xml", "application/atom+xml"]

    /// Returns the feeds of a page, in order and without duplicates: `rel="alternate"` links with an RSS or Atom type.
    ///
    /// - Parameters:
    ///   - html: The page, or its start.
    ///   - url: The URL of the page, to which links are relative unless the page states another base.
    /// - Complexity: O(*n*) in the length of the page.
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

    /// Returns the value of an attribute, with character references replaced.
    private static func text(_ name: String, of tag: Substring) -> String? {
        HTMLTag.attribute(name, of: tag).map { HTMLText.plain(String($0)) }
    }

    /// Iterates over the start tags of a page, skipping comments and scripts.
    private struct Tags {
        private let bytes: [UInt8]
        private var place = 0
        /// The cached position of the first `>` after `place`.
        private var nextEnd = 0

        init(_ html: String) { bytes = Array(html.utf8) }

        /// Returns the next tag, including its angle brackets, and its name in lower case; `nil` at the end.
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

        /// Returns the index of the `>` that ends the tag at `start`; `nil` if the tag is too long.
        private mutating func end(of start: Int) -> Int? {
            nextEnd = max(nextEnd, start)
            nextEnd = bytes[nextEnd...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
            return nextEnd < bytes.count && nextEnd - start < FeedLink.longestTag ? nextEnd : nil
        }

        /// Skips to a text, ignoring case, or to the end of the page.
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
