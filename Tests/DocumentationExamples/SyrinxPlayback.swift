// The names that the examples of SyrinxPlayback use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.

/// The playback position in seconds, as a player reports it.
let position = 0.0
