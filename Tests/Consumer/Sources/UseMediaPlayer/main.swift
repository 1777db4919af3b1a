import MediaPlayer

let center = MPNowPlayingInfoCenter.default()
center.nowPlayingInfo = [MPMediaItemPropertyTitle: "Title"]
print(center.nowPlayingInfo?[MPMediaItemPropertyTitle] as? String == "Title" ? "ok" : "wrong")
