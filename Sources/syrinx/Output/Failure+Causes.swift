import SyrinxAnalysis
import SyrinxDevice
import SyrinxListening

extension Failure {
    /// A failure of an analysis, which messages call `name`.
    init(_ error: AnalysisError, name: String) {
        self.init(code: error.code, message: error.message, name: name)
    }

    /// A failure of a device.
    init(_ error: DeviceError) {
        self.init(code: error.code, message: error.message, name: error.device)
    }
}
