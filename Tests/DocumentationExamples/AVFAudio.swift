// The names that the examples of AVFAudio use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.
import AVFAudio

var engine: AVAudioEngine { fatalError() }
var player: AVAudioPlayerNode { fatalError() }
var sampler: AVAudioUnitSampler { fatalError() }
var sequencer: AVAudioSequencer { fatalError() }
var file: AVAudioFile { fatalError() }
var buffer: AVAudioPCMBuffer { fatalError() }
