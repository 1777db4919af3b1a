// The names that the examples of SyrinxStreaming use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.
import SyrinxStreaming

var url: URL { fatalError() }
var token: String { fatalError() }
var streamer: TimePitchStreamer { fatalError() }
var cache: DiskCache { fatalError() }
var parser: Parser { fatalError() }
