package import Dispatch
import Foundation

extension DispatchQueue {
    /// Calls code of the program on this queue: a handler, a delegate, or the observers of a notification.
    ///
    /// The queue runs the code in the order of the calls. On the main queue the code is an operation of
    /// `OperationQueue.main`, not a plain block, for the following reason. In a program with an asynchronous `main` or
    /// with `dispatchMain()`, the main queue does not run on the main thread. If a plain block posts a notification
    /// there and an observer has the queue `.main`, Foundation finds no current operation queue. It then waits for the
    /// main queue on the main queue, forever.
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
