import SyrinxByteStream

/// The natural order of names: ignoring case, and by the value of numbers, so that 2 precedes 10.
package enum NaturalOrder {
    /// The sort key of a name.
    package struct Key: Comparable {
        private let name: [UInt8]
        private let parts: [Part]

        private enum Part: Equatable {
            case number(digits: [UInt8])
            case text([UInt8])
        }

        /// Creates the key of a name, which may contain any bytes.
        package init(_ name: [UInt8]) {
            self.name = name
            let text = SearchText.folded(String(utf8OrWindows1252: name))
            parts = text.split(whereChanges: { (48...57).contains($0) }).map { part in
                (48...57).contains(part[part.startIndex])
                    ? .number(digits: Array(part.drop { $0 == 48 })) : .text(Array(part))
            }
        }

        package static func < (a: Key, b: Key) -> Bool {
            for (one, two) in zip(a.parts, b.parts) where one != two {
                switch (one, two) {
                case (.number(let one), .number(let two)):
                    return one.count == two.count ? one.lexicographicallyPrecedes(two) : one.count < two.count
                case (.text(let one), .text(let two)): return one.lexicographicallyPrecedes(two)
                case (.number, .text): return true
                case (.text, .number): return false
                }
            }
            if a.parts.count != b.parts.count { return a.parts.count < b.parts.count }
            return a.name.lexicographicallyPrecedes(b.name)
        }
    }
}

extension Array {
    /// Returns the runs of consecutive elements for which `isIn` has the same result.
    fileprivate func split(whereChanges isIn: (Element) -> Bool) -> [ArraySlice<Element>] {
        var runs: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices.dropFirst() where isIn(self[index]) != isIn(self[start]) {
            runs.append(self[start..<index])
            start = index
        }
        if start < endIndex { runs.append(self[start...]) }
        return runs
    }
}
