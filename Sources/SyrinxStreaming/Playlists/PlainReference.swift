import Foundation
import SyrinxHTTPStream

/// URI references of common forms, whose absolute URL can be computed without Foundation's parser.
///
/// A list may have 100 000 references, and each takes the parser microseconds. References of other forms use the
/// parser.
enum PlainReference {
    /// Returns whether text is a path below the folder of its base, with an optional query, that needs no encoding or
    /// resolving.
    static func isRelative(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, first != slash, first != UInt8(ascii: "?") else { return false }
        return isPath(text[...])
    }

    /// Returns whether text is an absolute `http` or `https` URL that needs no encoding or resolving.
    static func isWeb(_ text: ArraySlice<UInt8>, isSecure: Bool) -> Bool {
        let scheme = isSecure ? secureScheme : insecureScheme
        guard text.starts(with: scheme) else { return false }
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex(of: slash) ?? rest.endIndex
        return isAuthority(rest[..<end]) && (end == rest.endIndex || isPath(rest[(end + 1)...]))
    }

    /// Returns a base URL without its query and fragment, which non-empty references do not inherit.
    static func stem(of base: URL) -> URL {
        guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true),
            parts.percentEncodedQuery != nil || parts.percentEncodedFragment != nil
        else { return base }
        (parts.percentEncodedQuery, parts.percentEncodedFragment) = (nil, nil)
        return parts.url ?? base
    }

    /// Returns the URL text of the folder against which references are resolved; `nil` if the parser cannot determine
    /// it.
    static func folder(of base: URL) -> String? {
        guard let text = URL(fromOutside: "x", relativeTo: base)?.absoluteString, text.hasSuffix("/x") else {
            return nil
        }
        return String(text.dropLast())
    }

    /// Returns the URL text of a file.
    /// - Parameters:
    ///   - path: The path, relative to `folder` or absolute.
    ///   - folder: The URL text of a folder, with a trailing slash.
    /// - Returns: `nil` if the path needs resolving, or contains a colon, backslash or escape that may change its
    ///   meaning.
    static func file(_ path: ArraySlice<UInt8>, in folder: String) -> String? {
        guard path.last != slash, hasPlainParts(path[...]), !path.isEmpty else { return nil }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(path.count + 16)
        for byte in path {
            switch kinds[Int(byte)] {
            case .plain: escaped.append(byte)
            case .special: return nil
            case .query, .other: escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return (path.first == slash ? "file://" : folder) + String(decoding: escaped, as: UTF8.self)
    }

    // MARK: Bytes

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")
    private static let secureScheme = Array("https://".utf8)
    private static let insecureScheme = Array("http://".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    private enum Kind {
        /// It is the same in a path, a query and the name of a file.
        case plain
        /// It is the same in a query, and escaped in the name of a file.
        case query
        /// It may have a meaning of its own.
        case special
        /// It is escaped.
        case other
    }

    private static let kinds: [Kind] = {
        var kinds = [Kind](repeating: .other, count: 256)
        for byte in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~./!$&'()*+,=@".utf8 {
            kinds[Int(byte)] = .plain
        }
        for byte in "?".utf8 { kinds[Int(byte)] = .query }
        // A zero byte is not valid in a name. A percent sign may be an escape or a part of the name.
        for byte in ":\\\0%".utf8 { kinds[Int(byte)] = .special }
        return kinds
    }()

    /// Returns whether text is a path, with an optional query, that needs no encoding or resolving.
    private static func isPath(_ text: ArraySlice<UInt8>) -> Bool {
        let end = text.firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex
        return text[..<end].allSatisfy { kinds[Int($0)] == .plain } && hasPlainParts(text[..<end])
            && text[end...].allSatisfy { kinds[Int($0)] == .plain || kinds[Int($0)] == .query }
    }

    /// Returns whether no component of a path is empty or starts with a dot.
    private static func hasPlainParts(_ path: ArraySlice<UInt8>) -> Bool {
        var last = path.first == slash ? dot : slash
        for byte in path {
            if last == slash, byte == dot || byte == slash { return false }
            last = byte
        }
        return true
    }

    /// Whether text is the name of a host, with a port or without.
    private static func isAuthority(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, parts.count <= 2 else { return false }
        let isName = host.allSatisfy { byte in
            // Capitals are left to the parser.
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), dot, UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isName, parts.count == 2 else { return isName }
        return (1...4).contains(parts[1].count) && parts[1].allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
