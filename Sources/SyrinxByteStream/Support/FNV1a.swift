/// The 64-bit FNV-1a hash of some bytes (Fowler, Noll and Vo), which is equal on all machines and in all processes.
///
/// It finds damage and makes names. It does not protect against forgery.
package struct FNV1a: Sendable {
    /// The hash of the bytes so far.
    package var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Creates the hash of no bytes.
    @inlinable package init() {}

    /// Appends bytes.
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
