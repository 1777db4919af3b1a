// The names that the examples of AVFoundation use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.
import AVFoundation

var url: URL { fatalError() }
var token: String { fatalError() }
var asset: AVAsset { fatalError() }
var track: AVAssetTrack { fatalError() }
var item: AVPlayerItem { fatalError() }
var player: AVPlayer { fatalError() }
var output: AVAssetReaderOutput { fatalError() }
var writer: AVAssetWriter { fatalError() }
