/// An optional value that is encoded as `null` if it is `nil`, instead of being omitted.
@propertyWrapper
package struct NullEncoded<Value: Encodable & Equatable>: Encodable, Equatable {
    /// The value.
    package var wrappedValue: Value?

    /// Wraps a value.
    package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension NullEncoded: Sendable where Value: Sendable {}

extension NullEncoded: Decodable where Value: Decodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }
}
