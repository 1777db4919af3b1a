// Running sums and filters, for one type of numbers: REAL, in vectors NUMBERS of LANES.

// The element n of a vector.
#define AT(letter, n) __##letter[(ptrdiff_t)(n) * __I##letter]

typedef REAL NUMBERS __attribute__((ext_vector_type(LANES), aligned(sizeof(REAL)), may_alias));

// MARK: Running sums

void VDSP(vrsum)(VDSP_IN(A), const REAL *__S, VDSP_OUT(C), vDSP_Length __N) {
    const REAL scale = *__S;
    REAL sum = 0;
    for (vDSP_Length n = 0; n < __N; n++) {
        if (n > 0) sum += AT(A, n);
        AT(C, n) = sum * scale;
    }
}

void VDSP(vtrapz)(VDSP_IN(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N) {
    const REAL half = *__B / 2;
    REAL sum = 0, last = 0;
    for (vDSP_Length n = 0; n < __N; n++) {
        const REAL number = AT(A, n);
        if (n > 0) sum += (last + number) * half;
        last = number;
        AT(C, n) = sum;
    }
}

void VDSP(vsimps)(VDSP_IN(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N) {
    const REAL half = *__B / 2, third = *__B / 3;
    REAL before = 0, sum = 0, first = 0, second = 0;
    for (vDSP_Length n = 0; n < __N; n++) {
        const REAL number = AT(A, n);
        REAL next = 0;
        if (n == 1) next = (second + number) * half;
        if (n > 1) next = before + (first + 4 * second + number) * third;
        before = sum, sum = next;
        first = second, second = number;
        AT(C, n) = sum;
    }
}

// MARK: Sliding windows

void VDSP(vswsum)(VDSP_IN(A), VDSP_OUT(C), vDSP_Length __N, vDSP_Length __P) {
    if (__P == 0) return;
    double sum = 0;
    for (vDSP_Length n = 0; n < __N; n++) {
        if (n % __P == 0) {
            // Anew once in a window, so that errors do not add up.
            sum = 0;
            for (vDSP_Length p = 0; p < __P; p++) sum += AT(A, n + p);
        } else {
            sum += (double)AT(A, n + __P - 1) - (double)AT(A, n - 1);
        }
        AT(C, n) = (REAL)sum;
    }
}

// In blocks as long as the window, which has the end of one and the beginning of the next: M. van Herk, "A fast algorithm for
// local minimum and maximum filters", 1992.
void VDSP(vswmax)(VDSP_IN(A), VDSP_OUT(C), vDSP_Length __N, vDSP_Length __P) {
    if (__P == 0) return;
    for (vDSP_Length block = 0; block < __N; block += __P) {
        REAL best = AT(A, block + __P - 1);
        for (vDSP_Length n = __P; n-- > 0;) {
            best = AT(A, block + n) > best ? AT(A, block + n) : best;
            if (block + n < __N) AT(C, block + n) = best;
        }
        for (vDSP_Length n = 1; n < __P && block + n < __N; n++) {
            const REAL number = AT(A, block + __P + n - 1);
            best = n == 1 || number > best ? number : best;
            if (best > AT(C, block + n)) AT(C, block + n) = best;
        }
    }
}

// MARK: Filters without feedback

// Sixteen or more results at a time, each in a lane, where strides are 1.
INLINE void BODY(VDSP(conv))(
    VDSP_IN(A), const REAL *__F, vDSP_Stride __IF, VDSP_OUT(C), vDSP_Length __N, vDSP_Length __P) {
    vDSP_Length n = 0;
    if (__IA == 1 && __IC == 1)
        for (; __N - n >= 4 * LANES; n += 4 * LANES) {
            NUMBERS sums[4] = {0, 0, 0, 0};
            for (vDSP_Length p = 0; p < __P; p++) {
                const NUMBERS factor = (NUMBERS)AT(F, p);
                for (int k = 0; k < 4; k++) sums[k] += *(const NUMBERS *)(__A + n + p + k * LANES) * factor;
            }
            for (int k = 0; k < 4; k++) *(NUMBERS *)(__C + n + k * LANES) = sums[k];
        }
    for (; n < __N; n++) {
        REAL sum = 0;
        for (vDSP_Length p = 0; p < __P; p++) sum += AT(A, n + p) * AT(F, p);
        AT(C, n) = sum;
    }
}
DISPATCHED(
    VDSP(conv), (VDSP_IN(A), const REAL *__F, vDSP_Stride __IF, VDSP_OUT(C), vDSP_Length __N, vDSP_Length __P),
    (__A, __IA, __F, __IF, __C, __IC, __N, __P))

INLINE void BODY(VDSP(desamp))(
    const REAL *__A, vDSP_Stride __DF, const REAL *__F, REAL *__C, vDSP_Length __N, vDSP_Length __P) {
    for (vDSP_Length n = 0; n < __N; n++) {
        const REAL *a = __A + (ptrdiff_t)n * __DF;
        vDSP_Length p = 0;
        REAL sum = 0;
        if (__P >= LANES) {
            NUMBERS sums[4] = {0, 0, 0, 0};
            for (; __P - p >= 4 * LANES; p += 4 * LANES)
                for (int k = 0; k < 4; k++)
                    sums[k] += *(const NUMBERS *)(a + p + k * LANES) * *(const NUMBERS *)(__F + p + k * LANES);
            for (; __P - p >= LANES; p += LANES) sums[0] += *(const NUMBERS *)(a + p) * *(const NUMBERS *)(__F + p);
            const NUMBERS whole = (sums[0] + sums[1]) + (sums[2] + sums[3]);
            for (int lane = 0; lane < LANES; lane++) sum += whole[lane];
        }
        for (; p < __P; p++) sum += a[p] * __F[p];
        __C[n] = sum;
    }
}
DISPATCHED(
    VDSP(desamp),
    (const REAL *__A, vDSP_Stride __DF, const REAL *__F, REAL *__C, vDSP_Length __N, vDSP_Length __P),
    (__A, __DF, __F, __C, __N, __P))

// MARK: Filters with feedback

// A second-order section: x and y are its last two inputs and outputs, the older first. The output before last is subtracted
// before the last, for which the next output waits.
INLINE void TYPED(section)(
    const REAL *b, const REAL *a, REAL *x, REAL *y, const REAL *__A, vDSP_Stride __IA, REAL *__C, vDSP_Stride __IC,
    vDSP_Length count) {
    REAL x2 = x[0], x1 = x[1], y2 = y[0], y1 = y[1];
    for (vDSP_Length n = 0; n < count; n++) {
        const REAL input = AT(A, n);
        const REAL output = ((b[0] * input + b[1] * x1 + b[2] * x2) - a[1] * y2) - a[0] * y1;
        x2 = x1, x1 = input;
        y2 = y1, y1 = output;
        AT(C, n) = output;
    }
    x[0] = x2, x[1] = x1, y[0] = y2, y[1] = y1;
}

INLINE void BODY(VDSP(deq22))(VDSP_IN(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N) {
    const REAL factors[5] = {__B[0], __B[1], __B[2], __B[3], __B[4]};
    REAL x[2] = {AT(A, 0), AT(A, 1)}, y[2] = {AT(C, 0), AT(C, 1)};
    TYPED(section)(factors, factors + 3, x, y, __A + 2 * __IA, __IA, __C + 2 * __IC, __IC, __N);
}
DISPATCHED(VDSP(deq22), (VDSP_IN(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N), (__A, __IA, __B, __C, __IC, __N))

struct TYPED(biquad) {
    vDSP_Length count;
    // b0, b1, b2, a1 and a2 of each section.
    REAL factors[][5];
};

BIQUAD_SETUP VDSP(biquad_CreateSetup)(const double *__Coefficients, vDSP_Length __M) {
    if (__M == 0 || __M > 65536) return NULL;
    struct TYPED(biquad) *setup = malloc(sizeof(struct TYPED(biquad)) + __M * sizeof(REAL[5]));
    if (!setup) return NULL;
    setup->count = __M;
    for (vDSP_Length n = 0; n < 5 * __M; n++) setup->factors[n / 5][n % 5] = (REAL)__Coefficients[n];
    return (BIQUAD_SETUP)setup;
}

void VDSP(biquad_DestroySetup)(BIQUAD_SETUP __setup) { free(__setup); }

// The outputs of a section are the inputs of the next: their last two are stored once.
INLINE void BODY(VDSP(biquad))(
    BIQUAD_SETUP __Setup, REAL *__Delay, const REAL *__X, vDSP_Stride __IX, REAL *__Y, vDSP_Stride __IY, vDSP_Length __N) {
    const struct TYPED(biquad) *setup = (const struct TYPED(biquad) *)__Setup;
    REAL x[2] = {__Delay[0], __Delay[1]};
    for (vDSP_Length m = 0; m < setup->count; m++) {
        const REAL *factors = setup->factors[m];
        REAL *delay = __Delay + 2 * m, y[2] = {delay[2], delay[3]};
        const REAL next[2] = {delay[2], delay[3]};
        TYPED(section)(factors, factors + 3, x, y, m == 0 ? __X : __Y, m == 0 ? __IX : __IY, __Y, __IY, __N);
        delay[0] = x[0], delay[1] = x[1];
        if (m + 1 == setup->count) delay[2] = y[0], delay[3] = y[1];
        x[0] = next[0], x[1] = next[1];
    }
}
DISPATCHED(
    VDSP(biquad),
    (BIQUAD_SETUP __Setup, REAL *__Delay, const REAL *__X, vDSP_Stride __IX, REAL *__Y, vDSP_Stride __IY, vDSP_Length __N),
    (__Setup, __Delay, __X, __IX, __Y, __IY, __N))

#undef AT
