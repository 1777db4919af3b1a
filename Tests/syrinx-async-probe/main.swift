import AVFoundation
import Foundation
import SyrinxDevice

// A program as it is written for Apple's systems, with an asynchronous main: the top level of this file waits. The first argument
// says what it does, the second names the file that it plays. Only the device is not Apple's: it needs no sound card.

/// A model of a view, as programs have them.
@MainActor
final class Model {
    private(set) var hasEnded = false
    private var token: (any NSObjectProtocol)?

    init(_ item: AVPlayerItem) {
        token = NotificationCenter.default.addObserver(
            forName: .AVPlayerItemDidPlayToEndTime,
            object: item,
            queue: .main
        ) {
            [weak self] _ in MainActor.assumeIsolated { self?.hasEnded = true }
        }
    }
}

let words = CommandLine.arguments
let item = AVPlayerItem(url: URL(fileURLWithPath: words[2]))
let player = AVPlayer(device: NullOutput())
player.replaceCurrentItem(with: item)

switch words[1] {
case "async":
    await withCheckedContinuation { done in
        let box = TokenBox()
        box.token = NotificationCenter.default.addObserver(
            forName: .AVPlayerItemDidPlayToEndTime,
            object: item,
            queue: .main
        ) { _ in
            box.token = nil
            done.resume()
        }
        player.play()
    }
    print("ended")
case "mainActor":
    let model = Model(item)
    player.play()
    while !model.hasEnded { try? await Task.sleep(nanoseconds: 5_000_000) }
    print("ended")
case "seek":
    // With a result that only the asynchronous method has, the compiler chooses it at the top level too.
    let hasArrived: Bool = await player.seek(to: CMTime(value: 1, timescale: 10))
    print("arrived \(hasArrived) at \(player.currentTime().seconds)")
default: exit(64)
}

/// Holds a token until its notification has come.
final class TokenBox: @unchecked Sendable {
    var token: (any NSObjectProtocol)?
}
