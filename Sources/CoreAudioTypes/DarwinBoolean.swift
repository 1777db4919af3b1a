/// The truth value of Apple's C interfaces: a byte.
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Equatable, Sendable, CustomStringConvertible {
    private var byte: UInt8

    /// A truth value.
    public init(_ value: Bool) { byte = value ? 1 : 0 }

    /// A truth value.
    public init(booleanLiteral value: Bool) { self.init(value) }

    /// Whether it is true.
    public var boolValue: Bool { byte != 0 }

    /// `true` or `false`.
    public var description: String { boolValue.description }
}
