import AVFAudio
import Foundation
import MediaPlayer
import SyrinxListening
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxStreaming
import SyrinxTerminal

/// The work before something plays.
extension PlayRunner {
    func prepare() {
        let mailbox = mailbox
        let interruption = context.interruption
        let handsOver = outlivesTerminal
        if handsOver { interruption.setHangUpPatience(HandingOver.patience) }
        interruption.onRequest {
            let hasHungUp = handsOver && interruption.status == .hungUp
            mailbox.post(hasHungUp ? .hungUp : .player(.session(.interrupt)))
        }
        if plan.readsControl {
            warn { () throws(Failure) in
                try ControlReader.start { line in
                    switch line {
                    case .success(let command): mailbox.post(.player(.session(.request(.command(command)))))
                    case .failure(let malformed): mailbox.post(.player(.session(.badCommand(malformed))))
                    }
                }
            }
        }
        let terminal = terminal
        let silence = silence
        context.terminalRequests.onRequest { request in
            switch request {
            case .leave: terminal.leave()
            case .suspend:
                silence.await { mailbox.post(.player(.session(.suspend))) }
                terminal.leave()
            case .resume:
                terminal.allow()
                mailbox.post(.player(.session(.resume)))
            case .resized: mailbox.post(.player(.session(.tick)))
            }
        }
        showToDesktop()
        let isPlain = screen == nil
        let bindings = config.bindings
        warn { () throws(Failure) in
            try TerminalReader.start(on: terminal) { event in
                guard isPlain else { return mailbox.post(.terminal(event)) }
                if case .key(let press) = event, let key = Key(press, bindings) { mailbox.post(.key(key)) }
            }
        }
    }

    /// Starts an optional service; playback continues if it fails.
    private func warn(_ begin: () throws(Failure) -> Void) {
        do throws(Failure) { try begin() } catch { mailbox.post(.player(.session(.warning(error)))) }
    }

    /// Shows on the full screen that the last queue can be continued, while nothing is open.
    func showOffer() {
        guard session.isIdle, !session.queue.isEmpty, screen != nil || host != nil else { return }
        player.showRestingPlace()
        guard let screen else { return }
        let text = "Space continues the last recording; o, 6 and 7 open something else"
        screen.show(text, isFailure: false, now: context.clock.now)
    }

    func showToDesktop() {
        guard plan.desktop != .none else { return }
        let mailbox = mailbox
        do throws(BusError) {
            desktop = try DesktopPresence(desktopEntry: "syrinx") { event in
                switch event {
                case .desktop(let command):
                    if let wish = ListeningRequest(command) { mailbox.post(.player(.session(.request(wish)))) }
                case .command(let command): mailbox.post(.player(.session(.request(.command(command)))))
                case .queueAsked(let answer): mailbox.post(.queueAsked(answer))
                case .pictureWritten: mailbox.post(.player(.session(.tick)))
                }
            }
        } catch {
            guard plan.desktop == .required else { return }
            let failure = Failure(code: .deviceUnavailable, message: error.message, name: "--mpris")
            mailbox.post(.player(.session(.warning(failure))))
        }
    }
}
