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
        streamer.crossfade = plan.crossfade
        streamer.rate = Float(plan.sound.rate)
        streamer.pitch = Float(plan.sound.pitch)
        streamer.algorithm = plan.sound.algorithm.method
        streamer.volume = Float(plan.sound.volume)
        streamer.effects = plan.effects.compactMap { $0.makeUnit() } + (tone?.units ?? [])
        plan.adaptive.apply(to: streamer)
        streamer.network = plan.network
        streamer.cache = plan.cache
        let mailbox = mailbox
        context.interruption.onRequest { mailbox.post(.session(.interrupt)) }
        if plan.readsControl {
            warn { () throws(Failure) in
                try ControlReader.start { line in
                    switch line {
                    case .success(let command): mailbox.post(.session(.request(.command(command))))
                    case .failure(let malformed): mailbox.post(.session(.badCommand(malformed)))
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
                silence.await { mailbox.post(.session(.suspend)) }
                terminal.leave()
            case .resume:
                terminal.allow()
                mailbox.post(.session(.resume))
            case .resized: mailbox.post(.session(.tick))
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

    /// Begins something that playback goes on without.
    private func warn(_ begin: () throws(Failure) -> Void) {
        do throws(Failure) { try begin() } catch { mailbox.post(.session(.warning(error))) }
    }

    /// Takes an episode that is to be played, now or later.
    func note(_ item: EpisodeItem, startingAt place: Double?) {
        let name = item.input.name
        if records[name] == nil { records[name] = EpisodeRecord(item) }
        startTimes[name] = place
        readChapters(item)
        guard screen != nil || plan.desktop != .none else { return }
        let mailbox = mailbox
        item.findArtwork { mailbox.post(.artwork($0, of: item.input)) }
    }

    /// Reads a feed's document of chapters, which playback does not wait for.
    private func readChapters(_ item: EpisodeItem) {
        guard let document = item.chapters.document else { return }
        let (mailbox, network) = (mailbox, plan.network)
        warn { () throws(Failure) in
            try SystemThread.start("syrinx.chapters") {
                do throws(Failure) {
                    let chapters = try item.chapters.read(document, network: network)
                    mailbox.post(.session(.chapters(chapters, from: .podcastDocument, of: item.input)))
                } catch {
                    mailbox.post(.session(.warning(error)))
                }
            }
        }
    }

    /// Tells on the full screen what can be done while nothing is open.
    func tellOffer() {
        guard session.isIdle, !session.queue.isEmpty, let screen else { return }
        let input = session.queue.current
        session.rest(at: startTimes[input.name] ?? plan.listening.resumption?.place(in: input) ?? 0)
        let text = "Space goes on with what was heard last; o, 6 and 7 open something else"
        screen.show(text, isFailure: false, now: context.clock.now)
    }

    func showToDesktop() {
        guard plan.desktop != .none else { return }
        let mailbox = mailbox
        do throws(BusError) {
            desktop = try DesktopPresence(desktopEntry: "syrinx") { event in
                switch event {
                case .desktop(let command):
                    if let wish = ListeningRequest(command) { mailbox.post(.session(.request(wish))) }
                case .command(let command): mailbox.post(.session(.request(.command(command))))
                case .queueAsked(let answer): mailbox.post(.queueAsked(answer))
                case .pictureWritten: mailbox.post(.session(.tick))
                }
            }
        } catch {
            guard plan.desktop == .required else { return }
            let failure = Failure(code: .deviceUnavailable, message: error.message, name: "--mpris")
            mailbox.post(.session(.warning(failure)))
        }
    }
}
