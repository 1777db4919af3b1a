import AVFoundation
import Foundation
import MediaPlayer
import SyrinxDevice

// A program as it is written for Apple's systems, with a synchronous main. It plays a file, and ends when the notification comes that
// the file has been heard to its end. The first argument says how it runs its main queue, the second names the file. Only the device
// is not Apple's: it needs no sound card.

let words = CommandLine.arguments
let item = AVPlayerItem(url: URL(fileURLWithPath: words[2]))
let player = AVPlayer(device: NullOutput())
let center = NotificationCenter.default
player.replaceCurrentItem(with: item)

func say(_ word: String) {
    print(word)
    fflush(stdout)
}

// The desktop's commands come to the main queue too, and a handler may well post a notification.
let commandName = Notification.Name("ProgramHasBeenPaused")
let commandToken = center.addObserver(forName: commandName, object: nil, queue: .main) { _ in
    say("paused")
    exit(0)
}
let pauseToken = MPRemoteCommandCenter.shared().pauseCommand.addTarget { _ in
    center.post(name: commandName, object: nil)
    return .success
}

let rateToken = center.addObserver(forName: AVPlayer.rateDidChangeNotification, object: player, queue: .main) { _ in
    say("rate \(player.rate)")
}
let endToken = center.addObserver(forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: .main) { _ in
    say("ended")
    // What other code has observed without a queue is called on the main queue as well.
    MainActor.assumeIsolated { say("on the main actor") }
    exit(0)
}
if words[1].hasPrefix("command") {
    MPNowPlayingInfoCenter.default().nowPlayingInfo = [
        MPMediaItemPropertyTitle: "Title", MPNowPlayingInfoPropertyPlaybackRate: 1,
    ]
    say("offered")
} else {
    player.play()
}
switch words[1] {
case "runLoop", "commandRunLoop": RunLoop.main.run()
default: dispatchMain()
}
