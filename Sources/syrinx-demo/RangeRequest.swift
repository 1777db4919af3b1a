/// The meaning of an HTTP `Range` header (RFC 9110, section 14.2).
enum RangeRequest: Equatable {
    /// No range, or one that may be ignored: the whole body, status 200.
    case whole
    /// A range of bytes, status 206.
    case part(Range<Int>)
    /// The range is outside of the body, status 416.
    case unsatisfiable

    /// Parses `header` for a body of `size` bytes.
    init(header: String?, size: Int) {
        guard let header, header.lowercased().hasPrefix("bytes=") else {
            self = .whole
            return
        }
        let bounds = header.dropFirst("bytes=".count)
            .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.filter { $0 != " " } }
        guard bounds.count == 2, bounds.allSatisfy({ $0.allSatisfy { "0"..."9" ~= $0 } }) else {
            self = .whole
            return
        }
        switch (Int(bounds[0]), Int(bounds[1])) {
        case (let first?, let last?) where last >= first:
            self = first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
        case (let first?, nil) where bounds[1].isEmpty:
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (nil, let suffix?) where bounds[0].isEmpty:
            self = suffix > 0 && size > 0 ? .part(max(0, size - suffix)..<size) : .unsatisfiable
        default:
            // For several ranges, or an invalid one, RFC 9110 allows the whole body.
            self = .whole
        }
    }
}
