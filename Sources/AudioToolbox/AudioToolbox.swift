// The layouts and handles are part of this module's interface, and Foundation has its URLs and dictionaries. Units, on
// Apple's systems a part of this module, are AVFAudio's: their objects are nodes and formats of its engine.
@_exported public import AVFAudio
@_exported public import CoreAudioTypes
@_exported public import Foundation

/// The number of four characters.
func fourCC(_ text: StaticString) -> UInt32 {
    text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
}

/// Writes the value of a property to the caller's memory.
/// - Returns: `noErr`, or `badSize` if the memory is too small.
func put<Value>(
    _ value: Value,
    _ size: UnsafeMutablePointer<UInt32>,
    _ target: UnsafeMutableRawPointer,
    badSize: OSStatus
) -> OSStatus {
    let count = UInt32(MemoryLayout<Value>.size)
    guard size.pointee >= count else { return badSize }
    withUnsafeBytes(of: value) {
        target.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(target), byteCount: $0.count)
    }
    size.pointee = count
    return noErr
}

/// Writes bytes to the caller's memory, as `put(_:_:_:badSize:)` does.
func put(
    bytes: [UInt8],
    _ size: UnsafeMutablePointer<UInt32>,
    _ target: UnsafeMutableRawPointer,
    badSize: OSStatus
) -> OSStatus {
    guard Int(size.pointee) >= bytes.count else { return badSize }
    bytes.withUnsafeBytes { if let base = $0.baseAddress { target.copyMemory(from: base, byteCount: $0.count) } }
    size.pointee = UInt32(bytes.count)
    return noErr
}
