extension Substring {
    /// Without what `isMargin` at both ends.
    func trimming(_ isMargin: (Character) -> Bool) -> Substring {
        let rest = drop(while: isMargin)
        return rest[..<(rest.lastIndex { !isMargin($0) }.map(rest.index(after:)) ?? rest.startIndex)]
    }
}
