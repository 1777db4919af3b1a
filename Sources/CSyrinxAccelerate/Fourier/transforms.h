// The functions of Fourier.h for one type of numbers: each takes the widest vectors that the processor has.

#ifdef WIDE_VECTORS
#define WITH_VECTORS(name, ...) \
    (hasMoreVectors()   ? MORE(name)(__VA_ARGS__) \
     : hasWideVectors() ? WIDE(name)(__VA_ARGS__) \
                        : NARROW(name)(__VA_ARGS__))
#else
#define WITH_VECTORS(name, ...) NARROW(name)(__VA_ARGS__)
#endif

static void TYPED(run)(PLAN *plan, const REAL *xr, const REAL *xi, REAL *yr, REAL *yi, REAL *scratch) {
    if (plan->length == 1) {
        const REAL real = xr[0], imaginary = xi[0];
        yr[0] = real, yi[0] = imaginary;
        return;
    }
    if (plan->down) {
        WITH_VECTORS(blocked, plan, xr, xi, yr, yi, scratch);
    } else if (plan->passes[0].radix != 8 || plan->length / 8 < (hasWideVectors() ? WIDEST : NARROWEST)) {
        SINGLE(direct)(plan, xr, xi, yr, yi, scratch);
    } else {
        WITH_VECTORS(direct, plan, xr, xi, yr, yi, scratch);
    }
}

bool TYPED(syrinx_fourier_complex)(PLAN *plan, const REAL *xr, const REAL *xi, REAL *yr, REAL *yi) {
    REAL *scratch = takeScratch(&plan->scratch);
    if (!scratch) return false;
    TYPED(run)(plan, xr, xi, yr, yi, scratch);
    returnScratch(&plan->scratch, scratch);
    return true;
}

bool TYPED(syrinx_fourier_forward)(PLAN *plan, const REAL *xr, const REAL *xi, REAL *yr, REAL *yi) {
    REAL *scratch = takeScratch(&plan->scratch);
    if (!scratch) return false;
    const size_t size = plan->length + PADDING;
    TYPED(run)(plan, xr, xi, scratch, scratch + size, scratch + 2 * size);
    WITH_VECTORS(separate, plan, scratch, scratch + size, yr, yi);
    returnScratch(&plan->scratch, scratch);
    return true;
}

bool TYPED(syrinx_fourier_inverse)(PLAN *plan, const REAL *xr, const REAL *xi, REAL *yr, REAL *yi) {
    REAL *scratch = takeScratch(&plan->scratch);
    if (!scratch) return false;
    const size_t size = plan->length + PADDING;
    WITH_VECTORS(join, plan, xr, xi, scratch, scratch + size);
    TYPED(run)(plan, scratch + size, scratch, yi, yr, scratch + 2 * size);
    returnScratch(&plan->scratch, scratch);
    return true;
}

PLAN *TYPED(syrinx_fourier_create)(size_t length) { return TYPED(create)(length, true); }

void TYPED(syrinx_fourier_destroy)(PLAN *plan) { TYPED(destroy)(plan); }

#undef WITH_VECTORS
