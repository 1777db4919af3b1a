// Functions that look up and blend, for one type of numbers: REAL. A place outside a table is its nearest end, and one that is
// not a number its beginning, so that no argument reads outside the table.

// The element n of a vector.
#define AT(letter, n) __##letter[(ptrdiff_t)(n) * __I##letter]

// A table of `count` numbers at a place, on the line between its neighbours.
INLINE REAL TYPED(interpolated)(const REAL *table, vDSP_Length count, REAL place) {
    if (!(place > 0)) return table[0];
    if (place >= (REAL)(count - 1)) return table[count - 1];
    const vDSP_Length index = (vDSP_Length)place;
    return table[index] + (place - (REAL)index) * (table[index + 1] - table[index]);
}

void VDSP(vlint)(const REAL *__A, VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N, vDSP_Length __M) {
    if (__M == 0) return;
    for (vDSP_Length n = 0; n < __N; n++) AT(C, n) = TYPED(interpolated)(__A, __M, AT(B, n));
}

void VDSP(vtabi)(
    VDSP_IN(A), const REAL *__S1, const REAL *__S2, const REAL *__C, vDSP_Length __M, VDSP_OUT(D), vDSP_Length __N) {
    if (__M == 0) return;
    const REAL scale = *__S1, offset = *__S2;
    for (vDSP_Length n = 0; n < __N; n++) AT(D, n) = TYPED(interpolated)(__C, __M, scale * AT(A, n) + offset);
}

void VDSP(vqint)(const REAL *__A, VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N, vDSP_Length __M) {
    if (__M < 3) {
        VDSP(vlint)(__A, __B, __IB, __C, __IC, __N, __M);
        return;
    }
    for (vDSP_Length n = 0; n < __N; n++) {
        const REAL place = AT(B, n), last = (REAL)(__M - 1);
        const REAL inside = place > 0 ? (place < last ? place : last) : 0;
        // The middle of three neighbours.
        vDSP_Length index = (vDSP_Length)inside;
        if (index < 1) index = 1;
        if (index > __M - 2) index = __M - 2;
        const REAL x = inside - (REAL)index;
        const REAL *a = __A + index;
        AT(C, n) = (a[-1] * (x * x - x) + a[0] * (2 - 2 * x * x) + a[1] * (x * x + x)) / 2;
    }
}

void VDSP(vgenp)(VDSP_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N, vDSP_Length __M) {
    if (__M == 0) return;
    vDSP_Length point = 0;
    for (vDSP_Length n = 0; n < __N; n++) {
        // The last point before n, or the first.
        while (point + 1 < __M && (REAL)n > AT(B, point + 1)) point++;
        const REAL begin = AT(B, point), before = AT(A, point);
        if ((REAL)n <= begin || point + 1 == __M)
            AT(C, n) = before;
        else
            AT(C, n) = before + (AT(A, point + 1) - before) * ((REAL)n - begin) / (AT(B, point + 1) - begin);
    }
}

void VDSP(vtmerg)(VDSP_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N) {
    const REAL step = __N > 1 ? 1 / (REAL)(__N - 1) : 0;
    for (vDSP_Length n = 0; n < __N; n++) AT(C, n) = AT(A, n) + (AT(B, n) - AT(A, n)) * ((REAL)n * step);
}

void VDSP(vavlin)(VDSP_IN(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N) {
    const REAL count = *__B, share = 1 / (count + 1);
    if (__IA == 1 && __IC == 1)
        for (vDSP_Length n = 0; n < __N; n++) __C[n] = (__C[n] * count + __A[n]) * share;
    else
        for (vDSP_Length n = 0; n < __N; n++) AT(C, n) = (AT(C, n) * count + AT(A, n)) * share;
}

void VDSP(vpoly)(VDSP_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N, vDSP_Length __P) {
    for (vDSP_Length n = 0; n < __N; n++) {
        const REAL x = AT(B, n);
        REAL sum = AT(A, 0);
        for (vDSP_Length p = 1; p <= __P; p++) sum = sum * x + AT(A, p);
        AT(C, n) = sum;
    }
}

#undef AT
