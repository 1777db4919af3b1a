// Functions that fill, order, choose and measure, for one type of numbers: REAL.

// The element n of a vector.
#define AT(letter, n) __##letter[(ptrdiff_t)(n) * __I##letter]

void VDSP(vclr)(VDSP_OUT(C), vDSP_Length __N) {
    const REAL zero = 0;
    VDSP(vfill)(&zero, __C, __IC, __N);
}

void VDSP(vfill)(VDSP_ONE(A), VDSP_OUT(C), vDSP_Length __N) {
    const REAL number = *__A;
    if (__IC == 1)
        for (vDSP_Length n = 0; n < __N; n++) __C[n] = number;
    else
        for (vDSP_Length n = 0; n < __N; n++) AT(C, n) = number;
}

void VDSP(vswap)(VDSP_OUT(A), VDSP_OUT(B), vDSP_Length __N) {
    for (vDSP_Length n = 0; n < __N; n++) {
        const REAL number = AT(A, n);
        AT(A, n) = AT(B, n);
        AT(B, n) = number;
    }
}

void VDSP(vrvrs)(VDSP_OUT(C), vDSP_Length __N) {
    for (vDSP_Length n = 0; n < __N / 2; n++) {
        const REAL number = AT(C, n);
        AT(C, n) = AT(C, __N - 1 - n);
        AT(C, __N - 1 - n) = number;
    }
}

void VDSP(vcmprs)(VDSP_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N) {
    vDSP_Length count = 0;
    for (vDSP_Length n = 0; n < __N; n++)
        if (AT(B, n) != 0) AT(C, count++) = AT(A, n);
}

void VDSP(vgathr)(const REAL *__A, const vDSP_Length *__B, vDSP_Stride __IB, VDSP_OUT(C), vDSP_Length __N) {
    for (vDSP_Length n = 0; n < __N; n++) AT(C, n) = __A[AT(B, n) - 1];
}

void VDSP(vindex)(const REAL *__A, VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N) {
    for (vDSP_Length n = 0; n < __N; n++) {
        // Before the first element there is none: a negative place, and one that is not a number, is 0.
        const REAL place = AT(B, n);
        AT(C, n) = __A[place > 0 ? (ptrdiff_t)place : 0];
    }
}

void VDSP(vaddsub)(
    const REAL *__I0, vDSP_Stride __I0S, const REAL *__I1, vDSP_Stride __I1S, REAL *__O0, vDSP_Stride __O0S, REAL *__O1,
    vDSP_Stride __O1S, vDSP_Length __N) {
    for (vDSP_Length n = 0; n < __N; n++) {
        const REAL first = __I0[(ptrdiff_t)n * __I0S], second = __I1[(ptrdiff_t)n * __I1S];
        __O0[(ptrdiff_t)n * __O0S] = second + first;
        __O1[(ptrdiff_t)n * __O1S] = second - first;
    }
}

void VDSP(vclipc)(
    VDSP_IN(A), VDSP_ONE(B), VDSP_ONE(C), VDSP_OUT(D), vDSP_Length __N, vDSP_Length *__NLow, vDSP_Length *__NHigh) {
    const REAL low = *__B, high = *__C;
    vDSP_Length below = 0, above = 0;
    for (vDSP_Length n = 0; n < __N; n++) {
        const REAL number = AT(A, n);
        below += number < low;
        above += number > high;
        AT(D, n) = number < low ? low : number > high ? high : number;
    }
    *__NLow = below;
    *__NHigh = above;
}

void VDSP(nzcros)(VDSP_IN(A), vDSP_Length __B, vDSP_Length *__C, vDSP_Length *__D, vDSP_Length __N) {
    vDSP_Length count = 0, place = 0;
    for (vDSP_Length n = 1; n < __N && count < __B; n++)
        if ((AT(A, n) < 0) != (AT(A, n - 1) < 0)) {
            count++;
            place = n * (vDSP_Length)__IA;
        }
    *__C = count < __B ? 0 : place;
    *__D = count;
}

void VDSP(sve_svesq)(VDSP_IN(A), REAL *__Sum, REAL *__SumOfSquares, vDSP_Length __N) {
    REAL sum, squares;
    VDSP(sve)(__A, __IA, &sum, __N);
    VDSP(svesq)(__A, __IA, &squares, __N);
    *__Sum = sum;
    *__SumOfSquares = squares;
}

void VDSP(normalize)(
    VDSP_IN(A), REAL *__C, vDSP_Stride __IC, REAL *__Mean, REAL *__StandardDeviation, vDSP_Length __N) {
    REAL mean;
    VDSP(meanv)(__A, __IA, &mean, __N);
    // Of the differences: the mean of squares less the square of the mean loses what a large mean leaves no digits for.
    double squares = 0;
    for (vDSP_Length n = 0; n < __N; n++) squares += ((double)AT(A, n) - mean) * ((double)AT(A, n) - mean);
    const REAL deviation = (REAL)sqrt(squares / (double)__N);
    if (__C)
        for (vDSP_Length n = 0; n < __N; n++) AT(C, n) = (AT(A, n) - mean) / deviation;
    *__Mean = mean;
    *__StandardDeviation = deviation;
}

// MARK: Ramps

// Numbers that rise by a step, times a vector if there is one, and added to another if there is one. In pieces, because a
// piece's numbers convert to REAL a vector at a time; computed, not summed up, so that errors do not add up.
INLINE void TYPED(ramp)(
    REAL start, REAL step, const REAL *factors, vDSP_Stride __IF, REAL *__O, vDSP_Stride __IO, bool adds,
    vDSP_Length count) {
    for (vDSP_Length done = 0; done < count; done += 4096) {
        const int size = count - done < 4096 ? (int)(count - done) : 4096;
        const REAL first = start + (REAL)done * step;
        const REAL *__F = factors ? factors + (ptrdiff_t)done * __IF : NULL;
        REAL *__P = __O + (ptrdiff_t)done * __IO;
        if (__IO == 1 && (!factors || __IF == 1))
            for (int n = 0; n < size; n++) {
                const REAL number = (first + (REAL)n * step) * (factors ? __F[n] : 1);
                __P[n] = adds ? __P[n] + number : number;
            }
        else
            for (int n = 0; n < size; n++) {
                const REAL number = (first + (REAL)n * step) * (factors ? AT(F, n) : 1);
                __P[n * __IO] = adds ? __P[n * __IO] + number : number;
            }
    }
}

INLINE void BODY(VDSP(vramp))(VDSP_ONE(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N) {
    TYPED(ramp)(*__A, *__B, NULL, 1, __C, __IC, false, __N);
}
DISPATCHED(VDSP(vramp), (VDSP_ONE(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N), (__A, __B, __C, __IC, __N))

void VDSP(vgen)(VDSP_ONE(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N) {
    const REAL start = *__A, end = *__B, step = __N > 1 ? (end - start) / (REAL)(__N - 1) : 0;
    VDSP(vramp)(&start, &step, __C, __IC, __N);
    if (__N > 1) AT(C, __N - 1) = end;
}

#define RAMP_TIMES(name, adds) \
    INLINE void BODY(VDSP(name))( \
        const REAL *__I, vDSP_Stride __IS, REAL *__Start, const REAL *__Step, REAL *__O, vDSP_Stride __OS, vDSP_Length __N) { \
        const REAL start = *__Start, step = *__Step; \
        TYPED(ramp)(start, step, __I, __IS, __O, __OS, adds, __N); \
        *__Start = start + (REAL)__N * step; \
    } \
    DISPATCHED( \
        VDSP(name), \
        (const REAL *__I, vDSP_Stride __IS, REAL *__Start, const REAL *__Step, REAL *__O, vDSP_Stride __OS, vDSP_Length __N), \
        (__I, __IS, __Start, __Step, __O, __OS, __N)) \
    void VDSP(name##2)( \
        const REAL *__I0, const REAL *__I1, vDSP_Stride __IS, REAL *__Start, const REAL *__Step, REAL *__O0, REAL *__O1, \
        vDSP_Stride __OS, vDSP_Length __N) { \
        REAL start = *__Start; \
        VDSP(name)(__I0, __IS, &start, __Step, __O0, __OS, __N); \
        VDSP(name)(__I1, __IS, __Start, __Step, __O1, __OS, __N); \
    }
RAMP_TIMES(vrampmul, false)
RAMP_TIMES(vrampmuladd, true)

// MARK: Windows

#define WINDOW(name, number) \
    void VDSP(name)(REAL *__C, vDSP_Length __N, int __Flag) { \
        const vDSP_Length count = __Flag & vDSP_HALF_WINDOW ? (__N + 1) / 2 : __N; \
        for (vDSP_Length n = 0; n < count; n++) { \
            const double angle = 2 * 3.14159265358979323846264338327950288 * (double)n / (double)__N; \
            __C[n] = (REAL)(number); \
        } \
    }
// The square root of 2 / 3 makes the mean of a window's squares 1.
WINDOW(hann_window, (__Flag & vDSP_HANN_NORM ? 0.816496580927726032732428024901963797 : 0.5) * (1 - cos(angle)))
WINDOW(hamm_window, 0.54 - 0.46 * cos(angle))
WINDOW(blkman_window, 0.42 - 0.5 * cos(angle) + 0.08 * cos(2 * angle))

#undef AT
#undef RAMP_TIMES
#undef WINDOW
