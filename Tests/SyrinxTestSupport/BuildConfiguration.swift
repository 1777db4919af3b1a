/// Whether the tests are built with optimisation.
///
/// Without it signal processing takes a hundred times as long: suites that measure sound run in release only.
public let isOptimized: Bool = {
    var isOptimized = true
    // The argument of `assert` is not evaluated in release.
    assert(
        {
            isOptimized = false
            return true
        }()
    )
    return isOptimized
}()
