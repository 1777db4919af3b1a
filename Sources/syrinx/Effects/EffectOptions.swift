import ArgumentParser
import SyrinxListening

/// The option `--effect`.
struct EffectOptions: ParsableArguments {
    @Option(
        name: .customLong("effect"),
        help: ArgumentHelp(
            "Effect with its values; several effects apply in order (`syrinx play --effect-list` lists them)",
            valueName: "NAME[:key=value,…]"
        ),
        completion: Completion.effects,
        transform: { text throws in
            do throws(EffectArgument.Malformed) {
                return try EffectArgument(text)
            } catch {
                throw ValidationError(error.message)
            }
        }
    )
    var effects: [EffectArgument] = []
}
