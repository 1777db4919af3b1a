/// The properties of a Matroska file from its start (RFC 9559).
struct MatroskaHeader {
    /// The kind of document, `matroska` or `webm`; `nil` if it cannot be read.
    private(set) var documentType: String?
    /// The end of the segment, which contains everything else; `nil` if its size was unknown when writing started.
    private(set) var end: Int64?

    private enum Identifier {
        static let header: Int64 = 0x1A45_DFA3
        static let documentType: Int64 = 0x4282
        static let segment: Int64 = 0x1853_8067
    }

    /// More elements than this before the segment, or in the header, are not a real file.
    private static let mostElements = 32

    /// - Parameter bytes: Reads up to `count` bytes at an offset of the file; fewer if they are unavailable.
    init(bytes: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]) {
        let reader = MatroskaGapCheck(bytes: bytes)
        guard let header = reader.element(0), header.identifier == Identifier.header, let size = header.size else {
            return
        }
        let headerEnd = header.body.addingReportingOverflow(size)
        guard !headerEnd.overflow else { return }
        documentType = Self.first(Identifier.documentType, from: header.body, to: headerEnd.partialValue, reader)
            .flatMap { element in
                element.size.map { bytes(element.body, Int(clamping: min($0, 32))) }
            }.map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let segment = Self.first(Identifier.segment, from: headerEnd.partialValue, to: .max, reader)
        end = segment.flatMap { segment in
            segment.size.map { segment.body.addingReportingOverflow($0) }.flatMap {
                $0.overflow ? nil : $0.partialValue
            }
        }
    }

    /// Reads the header of the file behind `bridge`.
    init(bridge: AVIOBridge) { self.init { bridge.peek(at: $0, count: $1) } }

    /// The first element of this kind in a part of the file.
    private static func first(
        _ identifier: Int64,
        from start: Int64,
        to end: Int64,
        _ reader: MatroskaGapCheck
    ) -> (body: Int64, size: Int64?)? {
        var place = start
        for _ in 0..<mostElements where place < end {
            guard let element = reader.element(place) else { return nil }
            if element.identifier == identifier { return (element.body, element.size) }
            guard let size = element.size, case let next = element.body.addingReportingOverflow(size), !next.overflow
            else {
                return nil
            }
            place = next.partialValue
        }
        return nil
    }
}
