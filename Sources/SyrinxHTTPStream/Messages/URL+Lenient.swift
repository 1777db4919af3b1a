#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension URL {
    /// Parses a URL from an untrusted source, such as a user, a server or a playlist.
    ///
    /// Invalid bytes are percent-encoded (RFC 3986, 2.1), and existing escapes stay. In contrast, `URL(string:)` also
    /// encodes the percent signs of a component in which any byte is invalid. The host is left to `URL(string:)`, which
    /// supports internationalized names.
    package init?(fromOutside text: String, relativeTo base: URL? = nil) {
        self.init(string: PercentEncoding.completed(text), relativeTo: base)
    }

    /// Returns the URL with the user and password of `owner` if both have the same origin and this URL has no user.
    package func withCredentials(of owner: URL) -> URL {
        guard hasSameOrigin(as: owner), var parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
            let known = URLComponents(url: owner, resolvingAgainstBaseURL: true), known.percentEncodedUser != nil,
            parts.percentEncodedUser == nil
        else { return self }
        parts.percentEncodedUser = known.percentEncodedUser
        parts.percentEncodedPassword = known.percentEncodedPassword
        return parts.url ?? self
    }

    /// Returns whether requests for both URLs may send the same secrets (RFC 6454).
    package func hasSameOrigin(as other: URL) -> Bool {
        guard let one = try? RequestURL(absoluteString), let two = try? RequestURL(other.absoluteString) else {
            return false
        }
        return one.hasSameOrigin(as: two)
    }

    /// Returns the scheme of a URL text (RFC 3986, 3.1); `nil` if there is none.
    package static func scheme(of text: String) -> Substring? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon]
        guard let first = scheme.first, first.isASCII, first.isLetter else { return nil }
        return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) } ? scheme : nil
    }
}

/// Adds missing percent-encoding to a URI reference.
enum PercentEncoding {
    static func completed(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var done: [UInt8] = []
        done.reserveCapacity(bytes.count)
        let authority = authority(of: bytes)
        let host = authority.map { range in
            (bytes[range].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? range.lowerBound)..<range.upperBound
        }
        var hasFragment = false
        for (index, byte) in bytes.enumerated() {
            if host?.contains(index) == true || (byte == UInt8(ascii: "#") && !hasFragment) {
                if byte == UInt8(ascii: "#") { hasFragment = true }
                done.append(byte)
            } else if byte == UInt8(ascii: "%") ? isEncoding(bytes, at: index) : allowed[Int(byte)] {
                done.append(byte)
            } else {
                done += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: done, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The characters of a path, a query or a fragment: `pchar`, `/` and `?` of RFC 3986.
    private static let allowed: [Bool] = {
        var allowed = [Bool](repeating: false, count: 256)
        let names = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?"
        for byte in names.utf8 { allowed[Int(byte)] = true }
        return allowed
    }()

    private static func isEncoding(_ bytes: [UInt8], at index: Int) -> Bool {
        index + 2 < bytes.count
            && bytes[index + 1...index + 2].allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }

    /// Returns the range of user, host and port: after `//` at the start or after the scheme.
    private static func authority(of bytes: [UInt8]) -> Range<Int>? {
        var start = 0
        if let colon = bytes.firstIndex(where: { ":/?#".utf8.contains($0) }), bytes[colon] == UInt8(ascii: ":") {
            start = colon + 1
        }
        guard bytes[start...].starts(with: "//".utf8) else { return nil }
        start += 2
        return start..<(bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count)
    }
}
