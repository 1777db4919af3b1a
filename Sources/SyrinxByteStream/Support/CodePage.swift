#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A legacy text encoding, for documents that do not state theirs.
package enum CodePage: String, CaseIterable, Sendable {
    case cyrillic = "CP1251"
    case cyrillicUnix = "KOI8-R"
    case cyrillicDOS = "CP866"
    case greek = "CP1253"
    case centralEuropean = "CP1250"
    case simplifiedChinese = "GB18030"
    case traditionalChinese = "BIG5"
    case japanese = "CP932"
    case japaneseUnix = "EUC-JP"
    case korean = "CP949"

    /// The number of bytes that are examined in a long document.
    private static let sampleSize = 64 << 10

    /// Detects the most probable encoding of a document; returns `nil` for UTF-8 and Windows-1252.
    ///
    /// Each encoding gets a cost in bits: how improbable the letters are next to each other in its languages
    /// (`CodePageCost`). The lowest cost wins. Windows-1252 has an advantage, because a few letters may belong to any
    /// language.
    package init?(ofText bytes: some Collection<UInt8>) {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        let words = Self.words(of: bytes)
        // A UTF-8 list with a few lines in another encoding is still a UTF-8 list.
        let parts = words.split(separator: 0x20)
        guard 2 * parts.count(where: { String(validating: $0, as: UTF8.self) != nil }) <= parts.count else {
            return nil
        }
        let best = CodePageCost.all.compactMap { page, cost in cost.bits(of: words).map { (page, $0) } }
            .min { $0.1 < $1.1 }
        guard let (page, bits) = best, bits < CodePageCost.latin.bits(of: words) ?? .infinity else { return nil }
        self = page
    }

    /// Returns the words with non-ASCII bytes, without duplicates: repetition in a list is no additional evidence.
    private static func words(of bytes: some Collection<UInt8>) -> [UInt8] {
        let parts = bytes.split { $0 <= 0x20 || $0 == 0x22 }.lazy.filter { $0.contains { $0 > 0x7F } }
        var seen: Set<[UInt8]> = []
        var words: [UInt8] = []
        for part in parts where words.count + part.count < sampleSize {
            guard seen.insert(Array(part)).inserted else { continue }
            words += part + [0x20]
        }
        return words
    }

    /// Decodes bytes in this encoding.
    ///
    /// Invalid bytes are replaced.
    package func text(_ bytes: some Collection<UInt8>) -> String {
        // All of these encodings include ASCII, and most texts in a list are ASCII only.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        let decoder = DocumentDecoder(charset: rawValue)
        // The leading space prevents the detection of a byte order mark.
        let text = decoder.decode([0x20] + bytes) + decoder.finish()
        return String(decoding: text.dropFirst(), as: UTF8.self)
    }

    /// Returns the encoded characters of a text that exist in this encoding.
    func codes(of text: String) -> [[UInt8]] {
        guard let handle = iconv_open(rawValue, "UTF-8"), Int(bitPattern: handle) != -1 else { return [] }
        defer { iconv_close(handle) }
        return text.unicodeScalars.compactMap { scalar -> [UInt8]? in
            var input = Array(String(scalar).utf8CString)
            var output = [CChar](repeating: 0, count: 8)
            let room = input.withUnsafeMutableBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output -> Int? in
                    var (source, target) = (input.baseAddress, output.baseAddress)
                    var (left, room) = (input.count - 1, output.count)
                    return iconv(handle, &source, &left, &target, &room) == 0 ? room : nil
                }
            }
            return room.map { output.dropLast($0).map { UInt8(bitPattern: $0) } }
        }
    }
}

extension String {
    /// Decodes bytes of an unknown encoding: as UTF-8 if they are valid, otherwise in the code page, or in
    /// Windows-1252.
    package init(_ bytes: some Collection<UInt8>, codePage: CodePage?) {
        self = codePage.map { $0.text(bytes) } ?? String(utf8OrWindows1252: bytes)
    }
}
