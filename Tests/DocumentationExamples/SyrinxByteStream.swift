// The names that the examples of SyrinxByteStream use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.
import Foundation

var url: URL { fatalError() }
