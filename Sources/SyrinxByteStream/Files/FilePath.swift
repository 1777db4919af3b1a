package import Foundation

/// A file path as the system stores it: bytes, which need not be valid UTF-8.
///
/// Two paths are equal if their bytes are equal. A value; any thread may use it.
package struct FilePath: Hashable, Sendable {
    /// The bytes, without the terminating zero.
    package let bytes: [UInt8]

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// Creates a path from bytes.
    package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Creates a path from text, encoded in UTF-8.
    package init(_ text: String) { bytes = Array(text.utf8) }

    /// Creates the path of a `file:` URL, whose escapes may encode any bytes except zero; returns `nil` for other URLs.
    package init?(_ url: URL) {
        guard url.isFileURL, let bytes = Self.unescaped(url.absoluteURL.path(percentEncoded: true).utf8), !bytes.isEmpty
        else {
            return nil
        }
        self.bytes = bytes
    }

    /// Creates a path from an absolute path or a `file:` URL of this computer; escapes may encode any bytes except
    /// zero.
    ///
    /// Returns `nil` for other texts, such as relative paths and URLs of other hosts.
    package init?(location: String) {
        var rest = Array(location.utf8)[...]
        if String(decoding: rest.prefix(5), as: UTF8.self).lowercased() == "file:" {
            rest = rest.dropFirst(5)
            if rest.starts(with: "//".utf8) {
                rest = rest.dropFirst(2)
                let host = String(decoding: rest.prefix { $0 != Self.slash }, as: UTF8.self)
                guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
                rest = rest.drop { $0 != Self.slash }
            }
            guard let bytes = Self.unescaped(rest) else { return nil }
            rest = bytes[...]
        }
        guard rest.first == Self.slash, !rest.contains(0) else { return nil }
        bytes = Array(rest)
    }

    // MARK: Text

    /// The absolute `file:` URL of the path; a relative path is resolved against the current folder.
    package var url: URL {
        // The text contains only ASCII characters that are valid in a URL.
        URL(string: "file://" + Self.escaped(absolute.bytes)) ?? URL(fileURLWithPath: "/")
    }

    /// The path for messages and events: the path itself if it is UTF-8, otherwise its `file:` URL, which can be parsed
    /// again.
    package var name: String { String(validating: bytes, as: UTF8.self) ?? url.absoluteString }

    /// The last component for display, `/` for the root; invalid UTF-8 is shown as U+FFFD.
    package var displayName: String {
        lastComponent.isEmpty ? "/" : String(decoding: lastComponent, as: UTF8.self)
    }

    /// The path extension in lower case; empty if there is none.
    package var pathExtension: String {
        let parts = lastComponent.split(separator: Self.dot, omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last, parts.dropLast().contains(where: { !$0.isEmpty }) else {
            return ""
        }
        return String(decoding: last, as: UTF8.self).lowercased()
    }

    // MARK: Components

    /// Whether the path is absolute.
    package var isAbsolute: Bool { bytes.first == Self.slash }

    /// The absolute path.
    package var absolute: FilePath { isAbsolute ? self : FilePath.currentFolder.appending(bytes) }

    /// The last component without trailing slashes; empty for the root.
    package var lastComponent: ArraySlice<UInt8> {
        let trimmed = withoutTrailingSlashes
        return trimmed.lastIndex(of: Self.slash).map { trimmed[($0 + 1)...] } ?? trimmed
    }

    /// The last component without its extension.
    package var stem: ArraySlice<UInt8> {
        let name = lastComponent
        return pathExtension.isEmpty ? name : name.lastIndex(of: Self.dot).map { name[..<$0] } ?? name
    }

    /// The path of the parent folder; `.` for a relative path with one component.
    package var folder: FilePath {
        let trimmed = withoutTrailingSlashes
        guard let last = trimmed.lastIndex(of: Self.slash) else { return FilePath(".") }
        let folder = FilePath(bytes: trimmed[..<last]).withoutTrailingSlashes
        return FilePath(bytes: folder.isEmpty ? [Self.slash] : Array(folder))
    }

    /// Returns the path of a component in this folder; an absolute `component` is returned unchanged.
    package func appending(_ component: some Collection<UInt8>) -> FilePath {
        guard !bytes.isEmpty, component.first != Self.slash else { return FilePath(bytes: component) }
        let separator: [UInt8] = bytes.last == Self.slash ? [] : [Self.slash]
        return FilePath(bytes: bytes + separator + component)
    }

    /// Returns the path of a component, given as text, in this folder.
    package func appending(_ component: String) -> FilePath { appending(Array(component.utf8)) }

    /// The absolute path without `.` and `..`, computed from the text only; symbolic links are not resolved.
    package var standardized: FilePath {
        var parts: [ArraySlice<UInt8>] = []
        for part in absolute.bytes.split(separator: Self.slash) where !part.elementsEqual([Self.dot]) {
            if part.elementsEqual([Self.dot, Self.dot]) { _ = parts.popLast() } else { parts.append(part) }
        }
        return FilePath(bytes: [Self.slash] + parts.joined(separator: [Self.slash]))
    }

    private var withoutTrailingSlashes: ArraySlice<UInt8> {
        var rest = bytes[...]
        while rest.last == Self.slash { rest = rest.dropLast() }
        return rest
    }

    // MARK: File system

    /// Calls `body` with the path as a C string.
    ///
    /// A path that contains a zero byte is invalid, and becomes the empty string, which names no file.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let characters = bytes.contains(0) ? [0] : bytes.map { CChar(bitPattern: $0) } + [0]
        return characters.withUnsafeBufferPointer { buffer in
            // The buffer contains at least the terminating zero.
            buffer.baseAddress.map(body) ?? body("")
        }
    }

    /// The status of the file, with symbolic links followed; `nil` if it cannot be read.
    package var status: stat? {
        var status = stat()
        return withCString { stat($0, &status) } == 0 ? status : nil
    }

    /// The identity of the file, with symbolic links followed; `nil` if it does not exist.
    package var identity: FileIdentity? { status.map(FileIdentity.init) }

    /// Returns the path of the file with all symbolic links resolved; the path itself if the file does not exist.
    /// - Throws: `PendingFile.Failure` for a dangling link, because `cp` refuses to write through it too.
    package func resolved() throws(PendingFile.Failure) -> FilePath {
        guard let name = withCString({ realpath($0, nil) }) else {
            let number = errno
            var own = stat()
            if withCString({ lstat($0, &own) }) == 0 { throw PendingFile.Failure(number: number) }
            return self
        }
        defer { free(name) }
        return FilePath(bytes: UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    /// Whether the path is that of a regular file, as opposed to a folder, a pipe or a device.
    package var isPlainFile: Bool { status.map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

    /// Whether the path is that of a folder.
    package var isFolder: Bool { status.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

    /// Returns the names of the visible members of the folder and their kinds (`DT_REG` and others), unsorted.
    ///
    /// Returns `nil` if the folder cannot be read, with `errno` set.
    package func members() -> [(name: [UInt8], type: UInt8)]? {
        guard let stream = withCString({ opendir($0) }) else { return nil }
        defer { closedir(stream) }
        var members: [(name: [UInt8], type: UInt8)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name.first != Self.dot { members.append((name, entry.pointee.d_type)) }
        }
        return members
    }

    /// Creates the folder and its missing parent folders.
    /// - Returns: The error number, or 0.
    package func makeFolder() -> Int32 {
        if isFolder { return 0 }
        let parent = folder
        if parent != self, parent.bytes != bytes, !parent.isFolder, case let number = parent.makeFolder(), number != 0 {
            return number
        }
        return withCString { mkdir($0, 0o777) } == 0 || errno == EEXIST ? 0 : errno
    }

    /// The current working directory.
    private static var currentFolder: FilePath {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let base = buffer.baseAddress, getcwd(base, buffer.count) != nil else { return FilePath("/") }
            return FilePath(bytes: UnsafeRawBufferPointer(start: base, count: strlen(base)))
        }
    }

    // MARK: Escapes

    /// The bytes that need no escape in the path of a URL (RFC 3986, 3.3).
    private static let unescapedBytes = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/!$&'()*+,=:@".utf8
    )

    private static func escaped(_ bytes: [UInt8]) -> String {
        bytes.reduce(into: "") { text, byte in
            if unescapedBytes.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// - Returns: `nil` if an escape is invalid, or encodes zero.
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
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), value != 0
            else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}

extension FilePath: ExpressibleByStringLiteral {
    /// Creates a path from a string literal.
    package init(stringLiteral text: StaticString) { self.init(bytes: text.withUTF8Buffer { Array($0) }) }
}
