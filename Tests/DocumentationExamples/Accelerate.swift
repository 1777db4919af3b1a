// The names that the examples of Accelerate use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.
import Accelerate

var samples: [Float] { fatalError() }
