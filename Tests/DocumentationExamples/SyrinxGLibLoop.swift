// The names that the examples of SyrinxGLibLoop use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.

@MainActor func runApplication() {}
