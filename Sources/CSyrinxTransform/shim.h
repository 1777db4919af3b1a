#pragma once
#include <libavutil/tx.h>

// Runs the transform that av_tx_init handed out: Swift cannot call a function pointer that a C typedef names
// without a thunk of its own for each call.
static inline void syrinx_tx_run(av_tx_fn run, AVTXContext *context, void *out, void *in, ptrdiff_t stride) {
    run(context, out, in, stride);
}
