// The names that an example in a documentation comment may use without declaring them. scripts/check-examples compiles this file beside
// the examples, and nothing runs it.
import AVFAudio
import Foundation
import SyrinxStreaming

/// The URL of a recording.
var url: URL { fatalError() }
var engine: AVAudioEngine { fatalError() }
var player: AVAudioPlayerNode { fatalError() }
var file: AVAudioFile { fatalError() }
var buffer: AVAudioPCMBuffer { fatalError() }
var format: AVAudioFormat { fatalError() }
var streamer: TimePitchStreamer { fatalError() }
