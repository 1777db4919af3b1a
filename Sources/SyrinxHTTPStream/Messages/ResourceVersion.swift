/// The version of a resource.
struct ResourceVersion: Equatable, Sendable {
    var length: Int64?
    let etag: String?
    let lastModified: String?

    init(length: Int64?, etag: String?, lastModified: String?) {
        self.length = length
        self.etag = etag
        self.lastModified = lastModified
    }

    init(_ head: ResponseHead, length: Int64?) {
        self.length = length
        etag = head.value("etag")
        lastModified = head.value("last-modified")
    }

    /// The value for `If-Range`; a weak tag cannot be used, because it does not guarantee equal bytes.
    var rangeValidator: String? {
        guard let etag else { return lastModified }
        return etag.hasPrefix("W/") ? nil : etag
    }

    /// A value that identifies the version, for caches of derived data; `nil` if the server provides none.
    var validator: String? {
        guard let mark = etag ?? lastModified else { return nil }
        return "\(length.map { "\($0)" } ?? "-") \(mark)"
    }

    /// Whether this version can be distinguished from others.
    var canBeRecognised: Bool { length != nil || etag != nil || lastModified != nil }

    /// Returns whether `other` is another version, or cannot be confirmed as the same.
    ///
    /// - Parameter isVouchedFor: Whether the response is a part that was requested with `If-Range`. Such a response
    ///   must repeat its tag, but need not repeat its date (RFC 9110, 15.3.7).
    func differs(from other: ResourceVersion, isVouchedFor: Bool) -> Bool {
        if let length, let otherLength = other.length, length != otherLength { return true }
        if let etag, let otherTag = other.etag { return Self.opaque(etag) != Self.opaque(otherTag) }
        if let lastModified, let otherDate = other.lastModified, lastModified != otherDate { return true }
        let hasSameDate = lastModified != nil && other.lastModified != nil
        // A date cannot replace a missing strong tag, which guarantees equal bytes (8.8.1).
        if let etag { return !hasSameDate || !(isVouchedFor || etag.hasPrefix("W/")) }
        return lastModified != nil && !hasSameDate && !(isVouchedFor && other.etag == nil)
    }

    private static func opaque(_ etag: String) -> Substring { etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...] }
}
