// Matrices whose rows lie one after the other, for one type of numbers: REAL, in vectors NUMBERS of LANES.

#define AT(letter, n) __##letter[(ptrdiff_t)(n) * __I##letter]

typedef REAL NUMBERS __attribute__((ext_vector_type(LANES), aligned(sizeof(REAL)), may_alias));

INLINE void BODY(VDSP(mmul))(
    VDSP_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __M, vDSP_Length __N, vDSP_Length __P) {
    for (vDSP_Length m = 0; m < __M; m++) {
        vDSP_Length n = 0;
        if (__IB == 1 && __IC == 1)
            for (; __N - n >= 2 * LANES; n += 2 * LANES) {
                NUMBERS left = 0, right = 0;
                for (vDSP_Length p = 0; p < __P; p++) {
                    const NUMBERS factor = (NUMBERS)AT(A, m * __P + p);
                    const REAL *row = __B + p * __N + n;
                    left += factor * *(const NUMBERS *)row;
                    right += factor * *(const NUMBERS *)(row + LANES);
                }
                *(NUMBERS *)(__C + m * __N + n) = left;
                *(NUMBERS *)(__C + m * __N + n + LANES) = right;
            }
        for (; n < __N; n++) {
            REAL sum = 0;
            for (vDSP_Length p = 0; p < __P; p++) sum += AT(A, m * __P + p) * AT(B, p * __N + n);
            AT(C, m * __N + n) = sum;
        }
    }
}
DISPATCHED(
    VDSP(mmul), (VDSP_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __M, vDSP_Length __N, vDSP_Length __P),
    (__A, __IA, __B, __IB, __C, __IC, __M, __N, __P))

// In squares, so that the rows of one and the columns of the other stay in the cache.
void VDSP(mtrans)(VDSP_IN(A), VDSP_OUT(C), vDSP_Length __M, vDSP_Length __N) {
    for (vDSP_Length row = 0; row < __M; row += 16)
        for (vDSP_Length column = 0; column < __N; column += 16)
            for (vDSP_Length m = row; m < __M && m < row + 16; m++)
                for (vDSP_Length n = column; n < __N && n < column + 16; n++) AT(C, m * __N + n) = AT(A, n * __M + m);
}

void VDSP(mmov)(
    const REAL *__A, REAL *__C, vDSP_Length __M, vDSP_Length __N, vDSP_Length __TA, vDSP_Length __TC) {
    for (vDSP_Length n = 0; n < __N; n++)
        for (vDSP_Length m = 0; m < __M; m++) __C[n * __TC + m] = __A[n * __TA + m];
}

#undef AT
