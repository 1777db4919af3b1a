import ArgumentParser
import SyrinxListening

extension ClockTime: ExpressibleByArgument {}
extension RepeatedPart: ExpressibleByArgument {}
extension SleepGoal: ExpressibleByArgument {}
extension LanguageList: ExpressibleByArgument {}
extension ListeningInput: ExpressibleByArgument {
    static var defaultCompletionKind: CompletionKind { .file() }
}
