// The names that the examples of CoreVideo use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.
import CoreVideo

var picture: CVPixelBuffer { fatalError() }
