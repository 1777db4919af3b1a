// Setups of vDSP's Fourier transforms and what runs them, for one type of numbers: REAL.

#define PLAN TYPED(syrinx_fourier)
#define CREATE TYPED(syrinx_fourier_create)
#define DESTROY TYPED(syrinx_fourier_destroy)
#define COMPLEX_TRANSFORM TYPED(syrinx_fourier_complex)
#define FORWARD TYPED(syrinx_fourier_forward)
#define INVERSE TYPED(syrinx_fourier_inverse)

// MARK: Powers of 2

struct TYPED(powers) {
    vDSP_Length log2;
    // A plan for each number of complex points, by its logarithm.
    PLAN *plans[LARGEST_LOG2 + 1];
};

FFT_SETUP VDSP(create_fftsetup)(vDSP_Length __Log2n, FFTRadix __Radix) {
    if (__Log2n > LARGEST_LOG2 || __Radix < kFFTRadix2 || __Radix > kFFTRadix5) return NULL;
    struct TYPED(powers) *setup = calloc(1, sizeof(struct TYPED(powers)));
    if (!setup) return NULL;
    setup->log2 = __Log2n;
    for (vDSP_Length n = 0; n <= __Log2n; n++)
        if (!(setup->plans[n] = CREATE((size_t)1 << n))) {
            VDSP(destroy_fftsetup)((FFT_SETUP)setup);
            return NULL;
        }
    return (FFT_SETUP)setup;
}

void VDSP(destroy_fftsetup)(FFT_SETUP __setup) {
    struct TYPED(powers) *setup = (struct TYPED(powers) *)__setup;
    if (!setup) return;
    for (vDSP_Length n = 0; n <= setup->log2; n++) DESTROY(setup->plans[n]);
    free(setup);
}

// A transform of complex points, or of twice as many real numbers. Points that are not beside each other go through copies.
static void TYPED(transform)(
    FFT_SETUP __Setup, VDSP_Z_IN(A), VDSP_Z_OUT(C), vDSP_Length log2, bool isReal, FFTDirection direction) {
    const struct TYPED(powers) *setup = (const struct TYPED(powers) *)__Setup;
    if (log2 > setup->log2 || (isReal && log2 == 0)) return;
    PLAN *plan = setup->plans[isReal ? log2 - 1 : log2];
    const size_t count = (size_t)1 << (isReal ? log2 - 1 : log2);
    REAL *copy = NULL;
    SPLIT from = *__A, to = *__C;
    if (__IA != 1 || __IC != 1) {
        copy = allocateAligned(2 * count * sizeof(REAL));
        if (!copy) return;
        from = to = (SPLIT){copy, copy + count};
        VDSP(zvmov)(__A, __IA, &to, 1, count);
    }
    if (!isReal && direction == kFFTDirection_Forward)
        COMPLEX_TRANSFORM(plan, from.realp, from.imagp, to.realp, to.imagp);
    else if (!isReal)
        COMPLEX_TRANSFORM(plan, from.imagp, from.realp, to.imagp, to.realp);
    else if (direction == kFFTDirection_Forward)
        FORWARD(plan, from.realp, from.imagp, to.realp, to.imagp);
    else
        INVERSE(plan, from.realp, from.imagp, to.realp, to.imagp);
    if (copy) {
        VDSP(zvmov)(&to, 1, __C, __IC, count);
        free(copy);
    }
}

#define TRANSFORMS(in, out, isReal) \
    void VDSP(in)(FFT_SETUP __Setup, VDSP_Z_OUT(C), vDSP_Length __Log2N, FFTDirection __Direction) { \
        TYPED(transform)(__Setup, __C, __IC, __C, __IC, __Log2N, isReal, __Direction); \
    } \
    void VDSP(in##t)( \
        FFT_SETUP __Setup, VDSP_Z_OUT(C), const SPLIT *__Buffer, vDSP_Length __Log2N, FFTDirection __Direction) { \
        (void)__Buffer; \
        TYPED(transform)(__Setup, __C, __IC, __C, __IC, __Log2N, isReal, __Direction); \
    } \
    void VDSP(out)(FFT_SETUP __Setup, VDSP_Z_IN(A), VDSP_Z_OUT(C), vDSP_Length __Log2N, FFTDirection __Direction) { \
        TYPED(transform)(__Setup, __A, __IA, __C, __IC, __Log2N, isReal, __Direction); \
    } \
    void VDSP(out##t)( \
        FFT_SETUP __Setup, VDSP_Z_IN(A), VDSP_Z_OUT(C), const SPLIT *__Buffer, vDSP_Length __Log2N, \
        FFTDirection __Direction) { \
        (void)__Buffer; \
        TYPED(transform)(__Setup, __A, __IA, __C, __IC, __Log2N, isReal, __Direction); \
    }
TRANSFORMS(fft_zip, fft_zop, false)
TRANSFORMS(fft_zrip, fft_zrop, true)

// MARK: Other lengths

struct TYPED(lengths) {
    PLAN *plan;
    bool isReal, isForward;
    // A cosine transform, or 0.
    int cosineType;
    size_t length;
    // The twiddle factors of a cosine transform, cosines before sines, and what it computes with.
    REAL *turns;
    struct scratch scratch;
};

// A setup of 2^n points, n at least `least`, times 1, 3, 5 or 15.
static DFT_SETUP TYPED(createLength)(vDSP_Length length, vDSP_Length points, vDSP_Length least) {
    if (length == 0 || length > syrinx_fourier_limit || length % ((vDSP_Length)1 << least)) return NULL;
    vDSP_Length factor = length;
    while (factor % 2 == 0) factor /= 2;
    if (factor != 1 && factor != 3 && factor != 5 && factor != 15) return NULL;
    struct TYPED(lengths) *setup = calloc(1, sizeof(struct TYPED(lengths)));
    if (!setup) return NULL;
    setup->length = length;
    setup->plan = CREATE(points);
    if (!setup->plan) {
        free(setup);
        return NULL;
    }
    return (DFT_SETUP)setup;
}

DFT_SETUP VDSP(DFT_zop_CreateSetup)(DFT_SETUP __Previous, vDSP_Length __Length, vDSP_DFT_Direction __Direction) {
    (void)__Previous;
    struct TYPED(lengths) *setup = (struct TYPED(lengths) *)TYPED(createLength)(__Length, __Length, 3);
    if (setup) setup->isForward = __Direction == vDSP_DFT_FORWARD;
    return (DFT_SETUP)setup;
}

DFT_SETUP VDSP(DFT_zrop_CreateSetup)(DFT_SETUP __Previous, vDSP_Length __Length, vDSP_DFT_Direction __Direction) {
    (void)__Previous;
    struct TYPED(lengths) *setup = (struct TYPED(lengths) *)TYPED(createLength)(__Length, __Length / 2, 4);
    if (setup) setup->isForward = __Direction == vDSP_DFT_FORWARD, setup->isReal = true;
    return (DFT_SETUP)setup;
}

void VDSP(DFT_DestroySetup)(DFT_SETUP __Setup) {
    struct TYPED(lengths) *setup = (struct TYPED(lengths) *)__Setup;
    if (!setup) return;
    DESTROY(setup->plan);
    free(setup->turns);
    free(setup->scratch.memory);
    free(setup);
}

void VDSP(DFT_Execute)(DFT_SETUP __Setup, const REAL *__Ir, const REAL *__Ii, REAL *__Or, REAL *__Oi) {
    const struct TYPED(lengths) *setup = (const struct TYPED(lengths) *)__Setup;
    if (setup->cosineType) return;
    if (setup->isReal && setup->isForward)
        FORWARD(setup->plan, __Ir, __Ii, __Or, __Oi);
    else if (setup->isReal)
        INVERSE(setup->plan, __Ir, __Ii, __Or, __Oi);
    else if (setup->isForward)
        COMPLEX_TRANSFORM(setup->plan, __Ir, __Ii, __Or, __Oi);
    else
        COMPLEX_TRANSFORM(setup->plan, __Ii, __Ir, __Oi, __Or);
}

#undef PLAN
#undef CREATE
#undef DESTROY
#undef COMPLEX_TRANSFORM
#undef FORWARD
#undef INVERSE
#undef TRANSFORMS
