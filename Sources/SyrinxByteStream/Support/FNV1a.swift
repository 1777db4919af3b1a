/// A 64-bit FNV-1a hash (Fowler, Noll and Vo), equal on all machines and in all processes.
///
/// It is used to detect damage and to make names; it does not protect against forgery.
package struct FNV1a: Sendable {
    /// The hash of the bytes so far.
    package var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Creates the hash of no bytes.
    @inlinable package init() {}

    /// Adds bytes to the hash.
    @inlinable package mutating func update(_ bytes: some Sequence<UInt8>) {
        value = bytes.reduce(value) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Returns the hash of some bytes.
    @inlinable package static func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = FNV1a()
        hash.update(bytes)
        return hash.value
    }
}
