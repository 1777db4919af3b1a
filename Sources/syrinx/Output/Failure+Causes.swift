import SyrinxAnalysis
import SyrinxDevice
import SyrinxListening

extension Failure {
    /// Creates a failure from an analysis error; `name` is used in messages.
    init(_ error: AnalysisError, name: String) {
        self.init(code: error.code, message: error.message, name: name)
    }

    /// Creates a failure from a device error.
    init(_ error: DeviceError) {
        self.init(code: error.code, message: error.message, name: error.device)
    }
}
