/// A type with contiguous elements that functions of `vDSP` and `vForce` read.
public protocol AccelerateBuffer<Element> {
    /// The type of the elements.
    associatedtype Element

    /// The number of elements.
    var count: Int { get }

    /// Calls a closure with a pointer to the elements, which is valid during the call.
    func withUnsafeBufferPointer<R>(_ body: (UnsafeBufferPointer<Element>) throws -> R) rethrows -> R
}

/// A type with contiguous elements that functions of `vDSP` and `vForce` write.
public protocol AccelerateMutableBuffer<Element>: AccelerateBuffer {
    /// Calls a closure with a pointer to the elements, which is valid during the call.
    mutating func withUnsafeMutableBufferPointer<R>(
        _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
    ) rethrows -> R
}

extension Array: AccelerateMutableBuffer {}
extension ContiguousArray: AccelerateMutableBuffer {}
extension ArraySlice: AccelerateMutableBuffer {}

extension UnsafeBufferPointer: AccelerateBuffer {
    /// Calls a closure with this pointer.
    public func withUnsafeBufferPointer<R>(_ body: (UnsafeBufferPointer<Element>) throws -> R) rethrows -> R {
        try body(self)
    }
}

extension UnsafeMutableBufferPointer: AccelerateMutableBuffer {
    /// Calls a closure with this pointer.
    public func withUnsafeBufferPointer<R>(_ body: (UnsafeBufferPointer<Element>) throws -> R) rethrows -> R {
        try body(UnsafeBufferPointer(self))
    }

    /// Calls a closure with this pointer.
    public mutating func withUnsafeMutableBufferPointer<R>(
        _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
    ) rethrows -> R {
        // The closure may change the pointer that it receives, but not this one.
        var buffer = self
        return try body(&buffer)
    }
}

extension Slice: AccelerateBuffer where Base: AccelerateBuffer, Base.Index == Int {
    /// Calls a closure with a pointer to the elements of the slice.
    public func withUnsafeBufferPointer<R>(_ body: (UnsafeBufferPointer<Base.Element>) throws -> R) rethrows -> R {
        try base.withUnsafeBufferPointer { buffer in
            try body(UnsafeBufferPointer(rebasing: buffer[startIndex..<endIndex]))
        }
    }
}

extension Slice: AccelerateMutableBuffer where Base: AccelerateMutableBuffer & MutableCollection, Base.Index == Int {
    /// Calls a closure with a pointer to the elements of the slice.
    public mutating func withUnsafeMutableBufferPointer<R>(
        _ body: (inout UnsafeMutableBufferPointer<Base.Element>) throws -> R
    ) rethrows -> R {
        let range = startIndex..<endIndex
        // Taken out and put back: a slice hands out its base for reading only.
        var base = self.base
        defer { self = Slice(base: base, bounds: range) }
        return try base.withUnsafeMutableBufferPointer { buffer in
            var part = UnsafeMutableBufferPointer(rebasing: buffer[range])
            return try body(&part)
        }
    }
}
