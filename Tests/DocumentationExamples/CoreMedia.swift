// The names that the examples of CoreMedia use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.
import CoreMedia

var sampleBuffer: CMSampleBuffer { fatalError() }
