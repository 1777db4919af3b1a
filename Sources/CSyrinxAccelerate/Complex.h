// Complex numbers, polar coordinates and decibels, for one type of numbers: REAL, in vectors NUMBERS of
// LANES.

typedef REAL NUMBERS __attribute__((ext_vector_type(LANES), aligned(sizeof(REAL)), may_alias));

// The element n of a vector; parts of that of a split complex one.
#define AT(letter, n) __##letter[(ptrdiff_t)(n) * __I##letter]
#define RE(letter, n) __##letter->realp[(ptrdiff_t)(n) * __I##letter]
#define IM(letter, n) __##letter->imagp[(ptrdiff_t)(n) * __I##letter]

// MARK: Beside each other and split

// Strides of complex numbers beside each other count REALs, so that 2 is the next number.
INLINE void BODY(VDSP(ctoz))(const COMPLEX *__C, vDSP_Stride __IC, VDSP_Z_OUT(Z), vDSP_Length __N) {
    if (__IC == 2 && __IZ == 1) {
        REAL *re = __Z->realp, *im = __Z->imagp;
        for (vDSP_Length n = 0; n < __N; n++) re[n] = __C[n].real, im[n] = __C[n].imag;
    } else {
        const REAL *numbers = &__C->real;
        for (vDSP_Length n = 0; n < __N; n++) {
            const REAL *number = numbers + (ptrdiff_t)n * __IC;
            RE(Z, n) = number[0], IM(Z, n) = number[1];
        }
    }
}
DISPATCHED(
    VDSP(ctoz), (const COMPLEX *__C, vDSP_Stride __IC, VDSP_Z_OUT(Z), vDSP_Length __N), (__C, __IC, __Z, __IZ, __N))

INLINE void BODY(VDSP(ztoc))(VDSP_Z_IN(Z), COMPLEX *__C, vDSP_Stride __IC, vDSP_Length __N) {
    if (__IC == 2 && __IZ == 1) {
        const REAL *re = __Z->realp, *im = __Z->imagp;
        for (vDSP_Length n = 0; n < __N; n++) __C[n].real = re[n], __C[n].imag = im[n];
    } else {
        REAL *numbers = &__C->real;
        for (vDSP_Length n = 0; n < __N; n++) {
            REAL *number = numbers + (ptrdiff_t)n * __IC;
            number[0] = RE(Z, n), number[1] = IM(Z, n);
        }
    }
}
DISPATCHED(VDSP(ztoc), (VDSP_Z_IN(Z), COMPLEX *__C, vDSP_Stride __IC, vDSP_Length __N), (__Z, __IZ, __C, __IC, __N))

// MARK: Products

void VDSP(zvfill)(const SPLIT *__A, VDSP_Z_OUT(C), vDSP_Length __N) {
    VDSP(vfill)(__A->realp, __C->realp, __IC, __N);
    VDSP(vfill)(__A->imagp, __C->imagp, __IC, __N);
}

// A B, or conj(A) B, plus C if there is one.
INLINE void TYPED(products)(
    VDSP_Z_IN(A), VDSP_Z_IN(B), const SPLIT *__C, vDSP_Stride __IC, VDSP_Z_OUT(D), REAL sign, vDSP_Length __N) {
    vDSP_Length n = 0;
    if (__IA == 1 && __IB == 1 && !__C && __ID == 1)
        for (; __N - n >= LANES; n += LANES) {
            const NUMBERS ar = *(const NUMBERS *)&RE(A, n), ai = sign * *(const NUMBERS *)&IM(A, n);
            const NUMBERS br = *(const NUMBERS *)&RE(B, n), bi = *(const NUMBERS *)&IM(B, n);
            *(NUMBERS *)&RE(D, n) = ar * br - ai * bi;
            *(NUMBERS *)&IM(D, n) = ar * bi + ai * br;
        }
    for (; n < __N; n++) {
        const REAL ar = RE(A, n), ai = sign * IM(A, n), br = RE(B, n), bi = IM(B, n);
        const REAL cr = __C ? RE(C, n) : 0, ci = __C ? IM(C, n) : 0;
        RE(D, n) = ar * br - ai * bi + cr;
        IM(D, n) = ar * bi + ai * br + ci;
    }
}

INLINE void BODY(VDSP(zvmul))(VDSP_Z_IN(A), VDSP_Z_IN(B), VDSP_Z_OUT(C), vDSP_Length __N, int __Conjugate) {
    TYPED(products)(__A, __IA, __B, __IB, 0, 0, __C, __IC, __Conjugate < 0 ? -1 : 1, __N);
}
DISPATCHED(
    VDSP(zvmul), (VDSP_Z_IN(A), VDSP_Z_IN(B), VDSP_Z_OUT(C), vDSP_Length __N, int __Conjugate),
    (__A, __IA, __B, __IB, __C, __IC, __N, __Conjugate))

// B is one number, kept because a result may be in its place.
void VDSP(zvzsml)(VDSP_Z_IN(A), const SPLIT *__B, VDSP_Z_OUT(C), vDSP_Length __N) {
    REAL re = *__B->realp, im = *__B->imagp;
    const SPLIT number = {&re, &im};
    TYPED(products)(__A, __IA, &number, 0, 0, 0, __C, __IC, 1, __N);
}

void VDSP(zvsma)(VDSP_Z_IN(A), const SPLIT *__B, VDSP_Z_IN(C), VDSP_Z_OUT(D), vDSP_Length __N) {
    REAL re = *__B->realp, im = *__B->imagp;
    const SPLIT number = {&re, &im};
    TYPED(products)(__A, __IA, &number, 0, __C, __IC, __D, __ID, 1, __N);
}

// MARK: Sums

// The products of parts, whose sums are dotpr's.
void VDSP(zdotpr)(VDSP_Z_IN(A), VDSP_Z_IN(B), const SPLIT *__C, vDSP_Length __N) {
    REAL rr, ii, ri, ir;
    VDSP(dotpr)(__A->realp, __IA, __B->realp, __IB, &rr, __N);
    VDSP(dotpr)(__A->imagp, __IA, __B->imagp, __IB, &ii, __N);
    VDSP(dotpr)(__A->realp, __IA, __B->imagp, __IB, &ri, __N);
    VDSP(dotpr)(__A->imagp, __IA, __B->realp, __IB, &ir, __N);
    *__C->realp = rr - ii, *__C->imagp = ri + ir;
}

void VDSP(zidotpr)(VDSP_Z_IN(A), VDSP_Z_IN(B), const SPLIT *__C, vDSP_Length __N) {
    REAL rr, ii, ri, ir;
    VDSP(dotpr)(__A->realp, __IA, __B->realp, __IB, &rr, __N);
    VDSP(dotpr)(__A->imagp, __IA, __B->imagp, __IB, &ii, __N);
    VDSP(dotpr)(__A->realp, __IA, __B->imagp, __IB, &ri, __N);
    VDSP(dotpr)(__A->imagp, __IA, __B->realp, __IB, &ir, __N);
    *__C->realp = rr + ii, *__C->imagp = ri - ir;
}

void VDSP(zrdotpr)(VDSP_Z_IN(A), VDSP_IN(B), const SPLIT *__C, vDSP_Length __N) {
    REAL re, im;
    VDSP(dotpr)(__A->realp, __IA, __B, __IB, &re, __N);
    VDSP(dotpr)(__A->imagp, __IA, __B, __IB, &im, __N);
    *__C->realp = re, *__C->imagp = im;
}

// MARK: Magnitudes and angles

INLINE void BODY(VDSP(zvmgsa))(VDSP_Z_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N) {
    vDSP_Length n = 0;
    if (__IA == 1 && __IB == 1 && __IC == 1)
        for (; __N - n >= LANES; n += LANES) {
            const NUMBERS re = *(const NUMBERS *)&RE(A, n), im = *(const NUMBERS *)&IM(A, n);
            *(NUMBERS *)&AT(C, n) = re * re + im * im + *(const NUMBERS *)&AT(B, n);
        }
    for (; n < __N; n++) AT(C, n) = RE(A, n) * RE(A, n) + IM(A, n) * IM(A, n) + AT(B, n);
}
DISPATCHED(
    VDSP(zvmgsa), (VDSP_Z_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N), (__A, __IA, __B, __IB, __C, __IC, __N))

void VDSP(zaspec)(const SPLIT *__A, REAL *__C, vDSP_Length __N) { VDSP(zvmgsa)(__A, 1, __C, 1, __C, 1, __N); }

void VDSP(zvphas)(VDSP_Z_IN(A), VDSP_OUT(C), vDSP_Length __N) {
    for (vDSP_Length n = 0; n < __N; n++) AT(C, n) = atan2(IM(A, n), RE(A, n));
}

void VDSP(polar)(VDSP_IN(A), VDSP_OUT(C), vDSP_Length __N) {
    for (vDSP_Length n = 0; n < __N; n++) {
        const REAL x = (&AT(A, n))[0], y = (&AT(A, n))[1];
        (&AT(C, n))[0] = hypot(x, y), (&AT(C, n))[1] = atan2(y, x);
    }
}

void VDSP(rect)(VDSP_IN(A), VDSP_OUT(C), vDSP_Length __N) {
    for (vDSP_Length n = 0; n < __N; n++) {
        const REAL radius = (&AT(A, n))[0], angle = (&AT(A, n))[1];
        (&AT(C, n))[0] = radius * cos(angle), (&AT(C, n))[1] = radius * sin(angle);
    }
}

void VDSP(vdbcon)(VDSP_IN(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N, unsigned int __F) {
    const REAL zero = *__B, factor = __F == 1 ? 20 : 10;
    for (vDSP_Length n = 0; n < __N; n++) AT(C, n) = factor * log10(AT(A, n) / zero);
}

#undef AT
#undef RE
#undef IM
