import SyrinxMediaCodec

/// Passes a converter from an input that was decoded to its end to the next input.
struct ConverterHandover {
    /// The fate of the converter.
    enum Outcome {
        /// There is none.
        case none
        /// The next input continues with this converter.
        case continues(Conversion)
        /// The next input has another format: the converter must be drained first.
        case differs
    }

    /// The conversion of the previous input to start with.
    var inherited: Conversion?
    /// The conversion of an input that has been decoded to its end, while it may be handed over.
    var left: Conversion?
    private var isHandedOver = false

    /// Returns the inherited conversion, once.
    mutating func takeInherited() -> Conversion? {
        defer { inherited = nil }
        return inherited
    }

    /// Hands the converter over to the next input, if that has the same format.
    mutating func handOver(to next: MediaInfo) -> Outcome {
        guard let left else { return .none }
        guard left.takes(next) else { return .differs }
        self.left = nil
        isHandedOver = true
        return .continues(left)
    }

    /// Keeps the converter from being handed over from now on, because the input is decoded again.
    /// - Returns: Whether it had been handed over already.
    mutating func takeBack() -> Bool {
        defer { (left, isHandedOver) = (nil, false) }
        return isHandedOver
    }
}
