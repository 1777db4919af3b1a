extension Substring {
    /// Returns the text without leading and trailing characters for which `isMargin` returns true.
    func trimming(_ isMargin: (Character) -> Bool) -> Substring {
        let rest = drop(while: isMargin)
        return rest[..<(rest.lastIndex { !isMargin($0) }.map(rest.index(after:)) ?? rest.startIndex)]
    }
}
