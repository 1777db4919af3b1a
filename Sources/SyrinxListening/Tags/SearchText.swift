import Foundation

/// Texts as they are searched: without case, accents and widths of letters.
package enum SearchText {
    /// Returns a text as it is compared, as UTF-8.
    package static func folded(_ text: String) -> [UInt8] {
        // Most texts are ASCII, and Foundation takes ten times as long for them.
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { $0 >= 0x80 }) else {
            return bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        }
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
        // Names of files come composed and decomposed.
        return Array(text.decomposedStringWithCanonicalMapping.folding(options: options, locale: nil).utf8)
    }

    /// The words of a query, each of which a text must contain, in any order.
    package struct Query: Sendable, Equatable {
        /// The characters of a query that count.
        package static let maximumCount = 200

        private let words: [[UInt8]]

        /// Creates a query.
        ///
        /// - Parameter text: The words, separated by spaces; the first 200 characters count.
        package init(_ text: String) {
            words = text.prefix(Self.maximumCount).split(whereSeparator: \.isWhitespace).map { folded(String($0)) }
        }

        /// Whether the query has no word, so that every text matches.
        package var isEmpty: Bool { words.isEmpty }

        /// Returns whether a text contains all words.
        ///
        /// - Parameter text: The text, as `folded(_:)` returns it.
        package func matches(_ text: [UInt8]) -> Bool { words.allSatisfy { SearchText.contains(text, $0) } }
    }

    private static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
        guard let first = word.first else { return true }
        guard text.count >= word.count else { return false }
        return text.withUnsafeBufferPointer { text in
            word.withUnsafeBufferPointer { word in
                for start in 0...text.count - word.count where text[start] == first {
                    if text[start..<start + word.count].elementsEqual(word) { return true }
                }
                return false
            }
        }
    }
}
