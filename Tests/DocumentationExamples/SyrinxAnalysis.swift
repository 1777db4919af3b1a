// The names that the examples of SyrinxAnalysis use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.
import SyrinxAnalysis
import SyrinxStreaming

var url: URL { fatalError() }
var engine: AVAudioEngine { fatalError() }
var format: AVAudioFormat { fatalError() }
var buffer: AVAudioPCMBuffer { fatalError() }
var samples: [Int16] { fatalError() }
var waveform: PeakWaveform { fatalError() }
var meters: [LoudnessMeter] { fatalError() }
var streamer: Streamer { fatalError() }
