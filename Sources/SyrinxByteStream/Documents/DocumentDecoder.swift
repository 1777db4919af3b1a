#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Converts a document from any encoding to valid UTF-8, in pieces.
///
/// A byte order mark has the highest priority, then the `charset` of the server, then the XML declaration, as in the
/// WHATWG standards. UTF-8, ASCII and the Latin-1 family are decoded alike: as UTF-8, with invalid bytes as
/// Windows-1252, because documents often name the wrong one. The system's `iconv` converts other encodings; an unknown
/// name counts as UTF-8.
package final class DocumentDecoder {
    private enum Encoding {
        case undecided
        case utf8OrWindows1252
        case converter(iconv_t)
    }

    /// The number of bytes that are searched for an XML declaration.
    private static let headSize = 1_024
    private let charset: String?
    private var encoding = Encoding.undecided
    /// An incomplete character, or the undecided start of the document.
    private var pending: [UInt8] = []

    /// Creates a decoder for one document; `charset` is that of the `Content-Type` header.
    package init(charset: String? = nil) { self.charset = charset }

    deinit {
        if case .converter(let handle) = encoding { iconv_close(handle) }
    }

    /// Decodes the next bytes, up to the last complete character.
    package func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        pending += bytes
        if case .undecided = encoding {
            guard pending.count >= Self.headSize else { return [] }
            decide()
        }
        return convert(isFinal: false)
    }

    /// Decodes the remaining bytes.
    package func finish() -> [UInt8] {
        if case .undecided = encoding { decide() }
        return convert(isFinal: true)
    }

    // MARK: The encoding

    private func decide() {
        if pending.starts(with: [0xEF, 0xBB, 0xBF]) {
            pending.removeFirst(3)
            encoding = .utf8OrWindows1252
        } else if let wide = Self.utf32(pending) {
            pending.removeFirst(wide.markCount)
            encoding = Self.named(wide.name)
        } else if pending.starts(with: [0xFF, 0xFE]) {
            pending.removeFirst(2)
            encoding = Self.named("UTF-16LE")
        } else if pending.starts(with: [0xFE, 0xFF]) {
            pending.removeFirst(2)
            encoding = Self.named("UTF-16BE")
        } else if pending.starts(with: [0x3C, 0x00]) {
            encoding = Self.named("UTF-16LE")
        } else if pending.starts(with: [0x00, 0x3C]) {
            encoding = Self.named("UTF-16BE")
        } else {
            // The declaration is readable, so the document is not in UTF-16 or UTF-32, regardless of the stated name.
            let name = Self.usable(charset) ?? Self.usable(declared)
            encoding = name.map(Self.named) ?? .utf8OrWindows1252
        }
    }

    /// Returns UTF-32 for a document that starts with its byte order mark or with `<`, and the length of the mark.
    private static func utf32(_ bytes: [UInt8]) -> (name: String, markCount: Int)? {
        switch Array(bytes.prefix(4)) {
        case [0xFF, 0xFE, 0, 0]: ("UTF-32LE", 4)
        case [0, 0, 0xFE, 0xFF]: ("UTF-32BE", 4)
        case [0x3C, 0, 0, 0]: ("UTF-32LE", 0)
        case [0, 0, 0, 0x3C]: ("UTF-32BE", 0)
        default: nil
        }
    }

    private static func usable(_ name: String?) -> String? {
        name.flatMap { $0.isEmpty || isWide($0.lowercased()) ? nil : $0 }
    }

    /// Returns whether an encoding does not include ASCII bytes.
    private static func isWide(_ name: String) -> Bool {
        ["utf-16", "utf16", "utf-32", "utf32", "ucs", "iso-10646", "unicode"].contains { name.hasPrefix($0) }
    }

    /// The encoding in `<?xml … encoding="…"?>`.
    private var declared: String? {
        let head = String(decoding: pending.prefix(Self.headSize), as: UTF8.self)
        guard let match = head.firstMatch(of: /^\s*<\?xml[^>]*?encoding\s*=\s*["']?\s*([A-Za-z0-9._:\-]+)/) else {
            return nil
        }
        return String(match.1)
    }

    private static func named(_ name: String) -> Encoding {
        let latin = ["iso-8859-1", "iso8859-1", "latin1", "latin-1", "windows-1252", "cp1252", "us-ascii", "ascii"]
        let name = name.lowercased()
        if latin.contains(name) || name.hasPrefix("utf8") || name.hasPrefix("utf-8") { return .utf8OrWindows1252 }
        guard let handle = iconv_open("UTF-8", name), Int(bitPattern: handle) != -1 else { return .utf8OrWindows1252 }
        return .converter(handle)
    }

    // MARK: Converting

    private func convert(isFinal: Bool) -> [UInt8] {
        if case .converter(let handle) = encoding { return convert(with: handle, isFinal: isFinal) }
        var result: [UInt8] = []
        result.reserveCapacity(pending.count)
        let used = pending.withUnsafeBufferPointer { Self.repair($0, isFinal: isFinal, into: &result) }
        pending.removeFirst(used)
        return result
    }

    private func convert(with handle: iconv_t, isFinal: Bool) -> [UInt8] {
        var result: [UInt8] = []
        var input = pending
        var used = 0
        var buffer = [CChar](repeating: 0, count: 16_384)
        input.withUnsafeMutableBytes { bytes in
            while used < bytes.count {
                var source = bytes.baseAddress.map { ($0 + used).assumingMemoryBound(to: CChar.self) }
                var left = bytes.count - used
                var room = buffer.count
                let status = buffer.withUnsafeMutableBufferPointer { output in
                    var target = output.baseAddress
                    return iconv(handle, &source, &left, &target, &room)
                }
                let failure = status == Int.max || status == -1 ? errno : 0
                result += buffer.prefix(buffer.count - room).lazy.map { UInt8(bitPattern: $0) }
                used = bytes.count - left
                if failure == EINVAL, !isFinal { break }
                guard failure == EILSEQ || failure == EINVAL else { continue }
                result += [0xEF, 0xBF, 0xBD]
                used += 1
            }
        }
        pending.removeFirst(min(used, pending.count))
        return result
    }

    /// Appends `bytes` as valid UTF-8.
    /// - Returns: The number of bytes used, which excludes an incomplete character at the end.
    private static func repair(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool, into result: inout [UInt8]) -> Int {
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            if byte < 0x80 {
                var end = place + 1
                while end < bytes.count, bytes[end] < 0x80 { end += 1 }
                result.append(contentsOf: bytes[place..<end])
                place = end
                continue
            }
            switch width(of: bytes, at: place) {
            case .complete(let width):
                result.append(contentsOf: bytes[place..<place + width])
                place += width
            case .incomplete where !isFinal:
                return place
            case .incomplete, .invalid:
                result.append(contentsOf: String(utf8OrWindows1252: CollectionOfOne(byte)).utf8)
                place += 1
            }
        }
        return place
    }

    private enum Width {
        case complete(Int)
        case incomplete
        case invalid
    }

    /// Returns the width of the character at `place` (Unicode, table 3-7); its first byte must not be ASCII.
    private static func width(of bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Width {
        let first = bytes[place]
        let (width, second): (Int, ClosedRange<UInt8>)
        switch first {
        case 0xC2...0xDF: (width, second) = (2, 0x80...0xBF)
        case 0xE0: (width, second) = (3, 0xA0...0xBF)
        case 0xED: (width, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (width, second) = (3, 0x80...0xBF)
        case 0xF0: (width, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (width, second) = (4, 0x80...0xBF)
        case 0xF4: (width, second) = (4, 0x80...0x8F)
        default: return .invalid
        }
        for index in 1..<width {
            guard place + index < bytes.count else { return .incomplete }
            let byte = bytes[place + index]
            guard index == 1 ? second.contains(byte) : (0x80...0xBF).contains(byte) else { return .invalid }
        }
        return .complete(width)
    }
}
