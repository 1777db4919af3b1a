public import Foundation

// Core Foundation's names for Foundation types, for programs that call Apple's C interfaces.

/// Core Foundation's name of a string.
public typealias CFString = NSString

/// Core Foundation's name of a dictionary.
public typealias CFDictionary = NSDictionary

/// Core Foundation's name of an array.
public typealias CFArray = NSArray

/// Core Foundation's name of a URL, so that `url as CFURL` compiles.
public typealias CFURL = URL

/// Core Foundation's name of a number, text, data, array or dictionary.
public typealias CFPropertyList = AnyObject

/// Core Foundation's name for an index into an array or for the number of its elements.
public typealias CFIndex = Int

/// Returns the number of elements of an array.
public func CFArrayGetCount(_ theArray: CFArray) -> CFIndex { theArray.count }

/// Returns a pointer to an element of an array: for an array of presets, to the preset; otherwise to the object.
///
/// The pointer is valid as long as the array exists.
/// - Returns: `nil` for an index out of range.
public func CFArrayGetValueAtIndex(_ theArray: CFArray, _ idx: CFIndex) -> UnsafeRawPointer? {
    guard (0..<theArray.count).contains(idx) else { return nil }
    if let presets = theArray as? PresetArray { return presets.pointer(at: idx) }
    return UnsafeRawPointer(Unmanaged.passUnretained(theArray.object(at: idx) as AnyObject).toOpaque())
}
