// The names that the examples of SyrinxMediaCodec use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.
import SyrinxStreaming

var streamer: Streamer { fatalError() }
