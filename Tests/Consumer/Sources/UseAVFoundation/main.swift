import AVFoundation

// One import gives a player, a format of AVFAudio and a time of Core Media.
let player = AVPlayer()
player.volume = 0.5
let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)
let time = CMTime(value: 1, timescale: 1)
print(player.currentItem == nil && format?.channelCount == 2 && time.seconds == 1 ? "ok" : "wrong")
