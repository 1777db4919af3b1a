/// Returns the largest difference between two signals, over the length of the shorter one.
///
/// It is here, and not beside the tests, because this module is optimised and tests are not.
/// - Returns: 0 where both are the same bit by bit, NaN included; infinity where another difference is not finite.
public func largestDifference(_ one: some Collection<Float>, _ other: some Collection<Float>) -> Float {
    let one = [Float](one)
    let other = [Float](other)
    var largest: Float = 0
    for index in 0..<min(one.count, other.count) where one[index].bitPattern != other[index].bitPattern {
        let difference = abs(one[index] - other[index])
        guard difference.isFinite else { return .infinity }
        largest = max(largest, difference)
    }
    return largest
}
