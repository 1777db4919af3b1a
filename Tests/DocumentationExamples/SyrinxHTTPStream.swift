// The names that the examples of SyrinxHTTPStream use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.
import Foundation

var url: URL { fatalError() }
var token: String { fatalError() }
