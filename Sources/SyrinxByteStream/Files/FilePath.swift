package import Foundation

/// The path of a file as the system has it: bytes, which need not be UTF-8.
///
/// Two paths are equal if their bytes are. A value; any thread.
package struct FilePath: Hashable, Sendable {
    /// The bytes, without the zero that ends them in C.
    package let bytes: [UInt8]

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// A path of these bytes.
    package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// A path that is written as text, whose UTF-8 are its bytes.
    package init(_ text: String) { bytes = Array(text.utf8) }

    /// The path of a `file:` URL, whose escapes may stand for any bytes but zero; `nil` for another URL.
    package init?(_ url: URL) {
        guard url.isFileURL, let bytes = Self.unescaped(url.absoluteURL.path(percentEncoded: true).utf8), !bytes.isEmpty
        else {
            return nil
        }
        self.bytes = bytes
    }

    /// The path of a file of this computer: from `/` on, or a `file:` URL, whose escapes may stand for any bytes but zero.
    ///
    /// `nil` for other texts, such as relative paths and URLs of other hosts.
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

    // MARK: As text

    /// The absolute `file:` URL of the path; a relative one is taken from the current folder.
    package var url: URL {
        // Nothing but ASCII that a URL may have is in the text.
        URL(string: "file://" + Self.escaped(absolute.bytes)) ?? URL(fileURLWithPath: "/")
    }

    /// The path in messages and events: as it is if it is UTF-8, else as the `file:` URL, which is ASCII and can be given back.
    package var name: String { String(validating: bytes, as: UTF8.self) ?? url.absoluteString }

    /// The last component for people, `/` for the root; bytes that are not UTF-8 are shown as U+FFFD.
    package var displayName: String {
        lastComponent.isEmpty ? "/" : String(decoding: lastComponent, as: UTF8.self)
    }

    /// The text after the last dot of the last component, in lower case; empty if there is none.
    package var pathExtension: String {
        let parts = lastComponent.split(separator: Self.dot, omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last, parts.dropLast().contains(where: { !$0.isEmpty }) else {
            return ""
        }
        return String(decoding: last, as: UTF8.self).lowercased()
    }

    // MARK: Components

    /// Whether the path begins at the root.
    package var isAbsolute: Bool { bytes.first == Self.slash }

    /// The path from the root on.
    package var absolute: FilePath { isAbsolute ? self : FilePath.currentFolder.appending(bytes) }

    /// The last component, without slashes behind it; empty for the root.
    package var lastComponent: ArraySlice<UInt8> {
        let trimmed = withoutTrailingSlashes
        return trimmed.lastIndex(of: Self.slash).map { trimmed[($0 + 1)...] } ?? trimmed
    }

    /// The last component without its extension.
    package var stem: ArraySlice<UInt8> {
        let name = lastComponent
        return pathExtension.isEmpty ? name : name.lastIndex(of: Self.dot).map { name[..<$0] } ?? name
    }

    /// The folder that the path lies in; `.` for a relative path of one component.
    package var folder: FilePath {
        let trimmed = withoutTrailingSlashes
        guard let last = trimmed.lastIndex(of: Self.slash) else { return FilePath(".") }
        let folder = FilePath(bytes: trimmed[..<last]).withoutTrailingSlashes
        return FilePath(bytes: folder.isEmpty ? [Self.slash] : Array(folder))
    }

    /// The path of something in this folder; `component` itself if it begins at the root.
    package func appending(_ component: some Collection<UInt8>) -> FilePath {
        guard !bytes.isEmpty, component.first != Self.slash else { return FilePath(bytes: component) }
        let separator: [UInt8] = bytes.last == Self.slash ? [] : [Self.slash]
        return FilePath(bytes: bytes + separator + component)
    }

    /// The same as `appending(_:)`, for text.
    package func appending(_ component: String) -> FilePath { appending(Array(component.utf8)) }

    /// The path from the root on, without `.` and `..`, as far as the text tells: symbolic links are not followed.
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

    // MARK: The system

    /// Calls `body` with the path as C has it.
    ///
    /// A path with a zero in it is no path: it becomes the empty one, which names nothing.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let characters = bytes.contains(0) ? [0] : bytes.map { CChar(bitPattern: $0) } + [0]
        return characters.withUnsafeBufferPointer { buffer in
            // There is a zero in it at least.
            buffer.baseAddress.map(body) ?? body("")
        }
    }

    /// The status of the file at the path, through symbolic links; `nil` if it cannot be read.
    package var status: stat? {
        var status = stat()
        return withCString { stat($0, &status) } == 0 ? status : nil
    }

    /// The identity of the file at the path, through symbolic links; `nil` if there is none.
    package var identity: FileIdentity? { status.map(FileIdentity.init) }

    /// The path of the same file without a symbolic link in it; the path itself if there is no such file.
    /// - Throws: `PendingFile.Failure` for a link that leads nowhere, as `cp` refuses to write through it.
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

    /// Whether the path leads to a plain file, and not to a folder, a pipe or a device.
    package var isPlainFile: Bool { status.map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

    /// Whether the path leads to a folder.
    package var isFolder: Bool { status.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

    /// The names in the folder that are not hidden, and the kinds that the system reports with them (`DT_REG` and others), unsorted.
    ///
    /// `nil` if the folder cannot be read, with `errno`.
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

    /// Makes the folder of this path, and those that it lies in, as far as they are missing.
    /// - Returns: The error number, or 0.
    package func makeFolder() -> Int32 {
        if isFolder { return 0 }
        let parent = folder
        if parent != self, parent.bytes != bytes, !parent.isFolder, case let number = parent.makeFolder(), number != 0 {
            return number
        }
        return withCString { mkdir($0, 0o777) } == 0 || errno == EEXIST ? 0 : errno
    }

    /// The folder that relative paths are relative to.
    private static var currentFolder: FilePath {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let base = buffer.baseAddress, getcwd(base, buffer.count) != nil else { return FilePath("/") }
            return FilePath(bytes: UnsafeRawBufferPointer(start: base, count: strlen(base)))
        }
    }

    // MARK: Escapes

    /// The bytes that are not escaped in the path of a URL (RFC 3986, 3.3).
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

    /// - Returns: `nil` if an escape is not one, or stands for zero.
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
    /// A path that is written in a program.
    package init(stringLiteral text: StaticString) { self.init(bytes: text.withUTF8Buffer { Array($0) }) }
}
