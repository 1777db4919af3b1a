import Foundation

extension AVAudioEngine {
    /// The input node, made and attached when first asked for.
    func madeInput() -> AVAudioInputNode {
        lock.withLock {
            if let input { return input }
            let new = AVAudioInputNode()
            input = new
            attachUnlocked(new)
            return new
        }
    }

    /// The main mixer, made and connected when first asked for.
    func madeMixer() -> AVAudioMixerNode {
        lock.withLock {
            if let mixer { return mixer }
            let new = AVAudioMixerNode()
            mixer = new
            attachUnlocked(new)
            connectUnlocked(new, to: [AVAudioConnectionPoint(node: output, bus: 0)], fromBus: 0, format: nil)
            return new
        }
    }

    /// Attaches `node`, which may not be part of another engine.
    func take(_ node: AVAudioNode) {
        lock.withLock {
            require(
                node.engine == nil || node.engine === self,
                "\(type(of: node)) is attached to another engine: detach it there first."
            )
            attachUnlocked(node)
            // A node that has taps is rendered without being connected.
            if node.hasTaps { graphHasChanged() }
        }
    }

    func attachUnlocked(_ node: AVAudioNode) {
        graph.attach(node)
        node.engine = self
    }

    /// Detaches `node`, if it is part of this engine.
    func letGo(of node: AVAudioNode) {
        changeGraph {
            guard graph.contains(node) else { return }
            require(node !== output, "The output node is part of every engine.")
            graph.detach(node)
            node.engine = nil
        }
    }

    /// Has nodes take up what was asked of them where no render runs that could do it.
    func settleIfIdle() {
        lock.withLock {
            switch phase {
            case .running where !idleWatch.isResting: return
            case .paused(deviceRests: false): return
            case .stopped, .running, .paused(deviceRests: true): break
            }
            for player in graph.players.values {
                player.kernel.settleUnheard()
                player.service()
            }
        }
    }
}
