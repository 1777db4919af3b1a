/// The path of a file of this computer as the system has it: bytes, which need not be UTF-8.
public struct LocalPath: Sendable, Hashable {
    /// The bytes, from the slash of the root on and without a zero.
    public let bytes: [UInt8]

    private static let slash = UInt8(ascii: "/")

    /// Creates a path.
    /// - Parameter bytes: The bytes.
    /// - Returns: `nil` if they do not begin with a slash, or hold a zero.
    public init?(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        guard self.bytes.first == Self.slash, !self.bytes.contains(0) else { return nil }
    }

    /// Creates a path of text.
    /// - Parameter text: A path from `/` on, or a `file:` URL of this computer, whose escapes may stand for any byte but zero.
    /// - Returns: `nil` if the text is something else.
    public init?(_ text: String) {
        guard String(decoding: text.utf8.prefix(5), as: UTF8.self).lowercased() == "file:" else {
            self.init(bytes: text.utf8)
            return
        }
        var rest = text.utf8.dropFirst(5)
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let host = String(decoding: rest.prefix { $0 != Self.slash }, as: UTF8.self)
            guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
            rest = rest.dropFirst(host.utf8.count)
        }
        guard let bytes = Self.unescaped(rest) else { return nil }
        self.init(bytes: bytes)
    }

    /// The `file:` URL of the path, spelled as by the command and by GLib, so that positions are found by it.
    public var url: String {
        let digits = Array("0123456789ABCDEF".utf8)
        let escaped = bytes.flatMap { byte in
            Self.plain.contains(byte)
                ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return "file://" + String(decoding: escaped, as: UTF8.self)
    }

    /// The path as text if it is UTF-8, else its URL: neither loses a byte.
    public var location: String { String(validating: bytes, as: UTF8.self) ?? url }

    /// The path for people: what is not UTF-8 is shown by U+FFFD.
    public var display: String { String(decoding: bytes, as: UTF8.self) }

    /// The name of the file for people, without slashes behind it; `/` for the root.
    public var name: String {
        bytes.split(separator: Self.slash).last.map { String(decoding: $0, as: UTF8.self) } ?? "/"
    }

    /// The ending of the name in small letters, without the dot; empty if there is none, as in `.profile`.
    public var ending: String {
        let name = name
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// Whether a slash says that it is a folder.
    public var endsWithSlash: Bool { bytes.last == Self.slash }

    /// Returns the path of something in this folder.
    /// - Parameter name: The bytes of its name.
    /// - Returns: The path; that of the folder if the name holds a zero.
    public func appending(_ name: some Sequence<UInt8>) -> LocalPath {
        LocalPath(bytes: (endsWithSlash ? bytes : bytes + [Self.slash]) + name) ?? self
    }

    /// The bytes that are not escaped in the path of a URL (RFC 3986, 3.3).
    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/!$&'()*+,=:@".utf8
    )

    /// - Returns: `nil` if an escape is none.
    private static func unescaped(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
