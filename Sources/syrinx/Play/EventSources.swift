import AVFAudio
import Foundation
import MediaPlayer
import SyrinxListening
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxStreaming
import SyrinxTerminal

/// The sources of a player's events beside the player: signals, commands, the terminal and the desktop.
struct EventSources {
    private let plan: PlayPlan
    private let config: PlayerConfig
    private let context: CommandContext
    private let mailbox: Mailbox<PlayEvent>
    private let terminal: Terminal
    private let silence: SuspensionBarrier

    /// Creates sources that pass nothing yet.
    init(
        _ plan: PlayPlan,
        _ config: PlayerConfig,
        _ context: CommandContext,
        _ mailbox: Mailbox<PlayEvent>,
        _ terminal: Terminal,
        _ silence: SuspensionBarrier
    ) {
        (self.plan, self.config, self.context) = (plan, config, context)
        (self.mailbox, self.terminal, self.silence) = (mailbox, terminal, silence)
    }

    /// Begins to pass events of signals, commands and the terminal.
    /// - Parameter handsOver: Whether the player outlives its terminal.
    func start(outlivesTerminal handsOver: Bool) {
        let mailbox = mailbox
        let interruption = context.interruption
        if handsOver { interruption.setHangUpPatience(HandoverSender.patience) }
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
        let isPlain = plan.display != .screen
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

    /// Shows the player to the desktop, if it is to be shown.
    func makeDesktop() -> DesktopPresence? {
        guard plan.desktop != .none else { return nil }
        let mailbox = mailbox
        do throws(BusError) {
            return try DesktopPresence(desktopEntry: "syrinx") { event in
                switch event {
                case .desktop(let command):
                    if let wish = ListeningRequest(command) { mailbox.post(.player(.session(.request(wish)))) }
                case .command(let command): mailbox.post(.player(.session(.request(.command(command)))))
                case .queueAsked(let answer): mailbox.post(.queueAsked(answer))
                case .pictureWritten: mailbox.post(.player(.session(.tick)))
                }
            }
        } catch {
            guard plan.desktop == .required else { return nil }
            let failure = Failure(code: .deviceUnavailable, message: error.message, name: "--mpris")
            mailbox.post(.player(.session(.warning(failure))))
            return nil
        }
    }
}
