// The names that the examples of AudioToolbox use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.
import AudioToolbox

var converter: AudioConverterRef { fatalError() }
var file: ExtAudioFileRef { fatalError() }
var buffer: AVAudioPCMBuffer { fatalError() }
