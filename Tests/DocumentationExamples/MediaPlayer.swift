// The names that the examples of MediaPlayer use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.
import AVFoundation

var player: AVPlayer { fatalError() }
