package import Dispatch
import Foundation

extension DispatchQueue {
    /// Calls code of the program on this queue: a handler, a delegate, or the observers of a notification.
    ///
    /// One queue runs the code in the order of the calls. On the main queue the code is an operation of
    /// `OperationQueue.main` and not a plain block. A program with an asynchronous `main` or with `dispatchMain()` runs the main queue
    /// on a thread that is not the main thread. A notification that a plain block posts there would wait for ever if an observer has
    /// the queue `.main`: Foundation asks for the current operation queue, finds none, and waits for the main queue on the main queue.
    package func deliver(_ work: @escaping @Sendable () -> Void) {
        if getSpecific(key: Self.mainKey) == true {
            OperationQueue.main.addOperation(work)
        } else {
            async(execute: work)
        }
    }

    /// Marks the main queue: each call of `DispatchQueue.main` returns another object here.
    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
}
