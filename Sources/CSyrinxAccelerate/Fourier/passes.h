// The passes of a transform, for one type of numbers (REAL) and one width of vectors (LANES), under names made by NAMED.
//
// Stockham's algorithm: a pass of radix r takes n points as r rows of m = n / r, makes r points of each column, turns them by
// twiddle factors, and stores them side by side, so that the result is in order without a permutation. The s transforms of
// equal length that the passes before left behind go through a pass beside each other, a vector at a time.
// C. Van Loan, "Computational Frameworks for the Fast Fourier Transform", 1992, section 1.7.
//
// The twiddle factors of a pass are r - 1 rows of m cosines, then as many sines.

typedef REAL NAMED(vector) __attribute__((vector_size(sizeof(REAL) * LANES), aligned(sizeof(REAL)), may_alias));
#define V NAMED(vector)

INLINE V NAMED(load)(const REAL *p) { return *(const V *)p; }
INLINE void NAMED(store)(REAL *p, V v) { *(V *)p = v; }
INLINE void NAMED(put)(REAL *p, REAL v) { *p = v; }
#define LOAD(p) NAMED(load)(p)
#define STORE(p, v) NAMED(store)(p, v)

// The butterflies transform r points in place: real parts z##0r…, imaginary ones z##0i….
#define BUTTERFLY2(a, b) \
    { \
        V tr = a##r - b##r, ti = a##i - b##i; \
        a##r += b##r, a##i += b##i; \
        b##r = tr, b##i = ti; \
    }

#define BUTTERFLY3(a, b, c) \
    { \
        V ur = b##r + c##r, ui = b##i + c##i; \
        V vr = SINE3 * (b##i - c##i), vi = SINE3 * (c##r - b##r); \
        V wr = a##r - HALF * ur, wi = a##i - HALF * ui; \
        a##r += ur, a##i += ui; \
        b##r = wr + vr, b##i = wi + vi; \
        c##r = wr - vr, c##i = wi - vi; \
    }

#define BUTTERFLY4(a, b, c, d) \
    { \
        V pr = a##r + c##r, pi = a##i + c##i, qr = a##r - c##r, qi = a##i - c##i; \
        V ur = b##r + d##r, ui = b##i + d##i, vr = b##r - d##r, vi = b##i - d##i; \
        a##r = pr + ur, a##i = pi + ui; \
        b##r = qr + vi, b##i = qi - vr; \
        c##r = pr - ur, c##i = pi - ui; \
        d##r = qr - vi, d##i = qi + vr; \
    }

#define BUTTERFLY5(a, b, c, d, e) \
    { \
        V pr = b##r + e##r, pi = b##i + e##i, qr = b##r - e##r, qi = b##i - e##i; \
        V ur = c##r + d##r, ui = c##i + d##i, vr = c##r - d##r, vi = c##i - d##i; \
        V fr = a##r + COSINE5 * pr + COSINE52 * ur, fi = a##i + COSINE5 * pi + COSINE52 * ui; \
        V gr = a##r + COSINE52 * pr + COSINE5 * ur, gi = a##i + COSINE52 * pi + COSINE5 * ui; \
        V hr = SINE5 * qi + SINE52 * vi, hi = -(SINE5 * qr + SINE52 * vr); \
        V kr = SINE52 * qi - SINE5 * vi, ki = SINE5 * vr - SINE52 * qr; \
        a##r += pr + ur, a##i += pi + ui; \
        b##r = fr + hr, b##i = fi + hi; \
        e##r = fr - hr, e##i = fi - hi; \
        c##r = gr + kr, c##i = gi + ki; \
        d##r = gr - kr, d##i = gi - ki; \
    }

// Eight points: even ones as four points, odd ones turned by eighths of a circle and then as four points.
#define BUTTERFLY8(a, b, c, d, e, f, g, h) \
    BUTTERFLY2(a, e) BUTTERFLY2(b, f) BUTTERFLY2(c, g) BUTTERFLY2(d, h) \
    { \
        V tr = DIAGONAL * (f##r + f##i); \
        f##i = DIAGONAL * (f##i - f##r), f##r = tr; \
        tr = g##r, g##r = g##i, g##i = -tr; \
        tr = DIAGONAL * (h##i - h##r); \
        h##i = -DIAGONAL * (h##r + h##i), h##r = tr; \
    } \
    BUTTERFLY4(a, b, c, d) BUTTERFLY4(e, f, g, h)

#define TAKE(z, j) V z##r = LOAD(fromr + (j) * row), z##i = LOAD(fromi + (j) * row);
#define GIVE(z, k) STORE(tor + (k) * gap, z##r), STORE(toi + (k) * gap, z##i);
#define TURN(z, k) \
    if (turned) { \
        const REAL cosine = cosines[((k) - 1) * m + p], sine = sines[((k) - 1) * m + p]; \
        V real = z##r * cosine - z##i * sine; \
        z##i = z##r * sine + z##i * cosine, z##r = real; \
    } \
    GIVE(z, k)

// A pass of n points, of `beside` transforms beside each other, each element of them a vector `xs` apart in x and `ys` in y.
#define PASS(radix, ...) \
    INLINE void NAMED(run##radix)( \
        const bool turned, size_t n, size_t beside, const REAL *cosines, const REAL *xr, const REAL *xi, size_t xs, \
        REAL *yr, REAL *yi, size_t ys) { \
        const size_t m = turned ? n / radix : 1, row = m * beside * xs, gap = beside * ys; \
        const REAL *sines = cosines + (radix - 1) * m; \
        for (size_t p = 0; p < m; p++) \
            for (size_t q = 0; q < beside; q++) { \
                const REAL *fromr = xr + (p * beside + q) * xs, *fromi = xi + (p * beside + q) * xs; \
                REAL *tor = yr + (p * beside * radix + q) * ys, *toi = yi + (p * beside * radix + q) * ys; \
                __VA_ARGS__ \
            } \
    } \
    static void NAMED(pass##radix)( \
        size_t n, size_t beside, const REAL *twiddles, const REAL *xr, const REAL *xi, size_t xs, REAL *yr, REAL *yi, \
        size_t ys) { \
        if (n == radix) \
            NAMED(run##radix)(false, n, beside, twiddles, xr, xi, xs, yr, yi, ys); \
        else \
            NAMED(run##radix)(true, n, beside, twiddles, xr, xi, xs, yr, yi, ys); \
    }

PASS(2, TAKE(a, 0) TAKE(b, 1) BUTTERFLY2(a, b) GIVE(a, 0) TURN(b, 1))
PASS(3, TAKE(a, 0) TAKE(b, 1) TAKE(c, 2) BUTTERFLY3(a, b, c) GIVE(a, 0) TURN(b, 1) TURN(c, 2))
PASS(4, TAKE(a, 0) TAKE(b, 1) TAKE(c, 2) TAKE(d, 3) BUTTERFLY4(a, b, c, d) GIVE(a, 0) TURN(b, 1) TURN(c, 2) TURN(d, 3))
PASS(5, TAKE(a, 0) TAKE(b, 1) TAKE(c, 2) TAKE(d, 3) TAKE(e, 4) BUTTERFLY5(a, b, c, d, e)
    GIVE(a, 0) TURN(b, 1) TURN(c, 2) TURN(d, 3) TURN(e, 4))
PASS(8, TAKE(a, 0) TAKE(b, 1) TAKE(c, 2) TAKE(d, 3) TAKE(e, 4) TAKE(f, 5) TAKE(g, 6) TAKE(h, 7)
    BUTTERFLY8(a, b, c, d, e, f, g, h)
    GIVE(a, 0) TURN(e, 1) TURN(b, 2) TURN(f, 3) TURN(c, 4) TURN(g, 5) TURN(d, 6) TURN(h, 7))

// Pass number `index` of a plan; x and y as above.
static void NAMED(pass)(
    const PLAN *plan, size_t index, size_t beside, const REAL *xr, const REAL *xi, size_t xs, REAL *yr, REAL *yi, size_t ys) {
    const REAL *twiddles = plan->passes[index].twiddles;
    const size_t n = plan->passes[index].length;
    switch (plan->passes[index].radix) {
    case 2: NAMED(pass2)(n, beside, twiddles, xr, xi, xs, yr, yi, ys); break;
    case 3: NAMED(pass3)(n, beside, twiddles, xr, xi, xs, yr, yi, ys); break;
    case 4: NAMED(pass4)(n, beside, twiddles, xr, xi, xs, yr, yi, ys); break;
    case 5: NAMED(pass5)(n, beside, twiddles, xr, xi, xs, yr, yi, ys); break;
    default: NAMED(pass8)(n, beside, twiddles, xr, xi, xs, yr, yi, ys); break;
    }
}

#if LANES > 1

// Exchanges rows and columns of LANES vectors.
INLINE void NAMED(transpose)(V *v) {
#if LANES == 8
    V a[8], b[8];
    for (int j = 0; j < 8; j += 2) {
        a[j] = __builtin_shufflevector(v[j], v[j + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        a[j + 1] = __builtin_shufflevector(v[j], v[j + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int j = 0; j < 8; j += 4)
        for (int k = 0; k < 2; k++) {
            b[j + 2 * k] = __builtin_shufflevector(a[j + k], a[j + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            b[j + 2 * k + 1] = __builtin_shufflevector(a[j + k], a[j + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int j = 0; j < 4; j++) {
        v[j] = __builtin_shufflevector(b[j], b[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        v[j + 4] = __builtin_shufflevector(b[j], b[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
#elif LANES == 4
    V a = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6), b = __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
    V c = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6), d = __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
    v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    v[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
#else
    V a = __builtin_shufflevector(v[0], v[1], 0, 2), b = __builtin_shufflevector(v[0], v[1], 1, 3);
    v[0] = a, v[1] = b;
#endif
}

// Lanes in reverse, and the numbers that end at p.
INLINE V NAMED(reversed)(V v) {
#if LANES == 8
    return __builtin_shufflevector(v, v, 7, 6, 5, 4, 3, 2, 1, 0);
#elif LANES == 4
    return __builtin_shufflevector(v, v, 3, 2, 1, 0);
#else
    return __builtin_shufflevector(v, v, 1, 0);
#endif
}
INLINE V NAMED(loadBack)(const REAL *p) { return NAMED(reversed)(LOAD(p - LANES + 1)); }
INLINE void NAMED(storeBack)(REAL *p, V v) { STORE(p - LANES + 1, NAMED(reversed)(v)); }

// Stores eight vectors so that the elements of each lane lie side by side.
INLINE void NAMED(interleave)(V *v, REAL *y) {
    for (int k = 0; k < 8; k += LANES) {
        NAMED(transpose)(v + k);
        for (int lane = 0; lane < LANES; lane++) STORE(y + 8 * lane + k, v[k + lane]);
    }
}

// The pass of radix 8 that comes first, when there is one transform: the columns are the lanes. n / 8 is at least LANES.
static void NAMED(first)(const PLAN *plan, const REAL *xr, const REAL *xi, REAL *yr, REAL *yi) {
    const size_t m = plan->passes[0].length / 8, row = m;
    const REAL *cosines = plan->passes[0].twiddles, *sines = cosines + 7 * m;
    for (size_t column = 0; column < m; column += LANES) {
        // Where m is no multiple of LANES, the last vector computes columns of the one before again.
        const size_t p = column + LANES <= m ? column : m - LANES;
        const REAL *fromr = xr + p, *fromi = xi + p;
        TAKE(a, 0) TAKE(b, 1) TAKE(c, 2) TAKE(d, 3) TAKE(e, 4) TAKE(f, 5) TAKE(g, 6) TAKE(h, 7)
        BUTTERFLY8(a, b, c, d, e, f, g, h)
        V real[8] = {ar, er, br, fr, cr, gr, dr, hr}, imaginary[8] = {ai, ei, bi, fi, ci, gi, di, hi};
        for (size_t k = 1; k < 8; k++) {
            const V cosine = LOAD(cosines + (k - 1) * m + p), sine = LOAD(sines + (k - 1) * m + p);
            const V turned = real[k] * cosine - imaginary[k] * sine;
            imaginary[k] = real[k] * sine + imaginary[k] * cosine, real[k] = turned;
        }
        NAMED(interleave)(real, yr + 8 * p);
        NAMED(interleave)(imaginary, yi + 8 * p);
    }
}

// LANES transforms beside each other, through two pairs of buffers of LANES * n numbers. With one pass x is not y.
static void NAMED(batch)(
    const PLAN *plan, const REAL *xr, const REAL *xi, size_t xs, REAL *yr, REAL *yi, size_t ys, REAL *buffers) {
    size_t beside = 1;
    const size_t size = LANES * plan->length + PADDING, last = plan->count - 1;
    for (size_t index = 0; index <= last; index++) {
        REAL *tor = index == last ? yr : buffers + (index & 1) * 2 * size, *toi = index == last ? yi : tor + size;
        const size_t ts = index == last ? ys : LANES;
        NAMED(pass)(plan, index, beside, xr, xi, xs, tor, toi, ts);
        xr = tor, xi = toi, xs = ts;
        beside *= plan->passes[index].radix;
    }
}

// A long transform as a table of rows * columns points: transforms of the columns, twiddle factors, transforms of the rows,
// so that each transform stays in the cache. D. Bailey, "FFTs in External or Hierarchical Memory", 1990.
static void NAMED(blocked)(const PLAN *plan, const REAL *xr, const REAL *xi, REAL *yr, REAL *yi, REAL *scratch) {
    const PLAN *down = plan->down, *across = plan->across;
    const size_t rows = down->length, columns = across->length, size = plan->length + PADDING;
    REAL *tabler = scratch, *tablei = scratch + size, *results = scratch + 2 * size;
    REAL *resulti = results + LANES * rows + PADDING, *buffers = resulti + LANES * rows + PADDING;
    for (size_t column = 0; column < columns; column += LANES) {
        NAMED(batch)(down, xr + column, xi + column, columns, results, resulti, LANES, buffers);
        for (size_t row = 0; row < rows; row += LANES) {
            V real[LANES], imaginary[LANES];
            for (size_t k = 0; k < LANES; k++) {
                real[k] = LOAD(results + (row + k) * LANES), imaginary[k] = LOAD(resulti + (row + k) * LANES);
            }
            NAMED(transpose)(real);
            NAMED(transpose)(imaginary);
            for (size_t k = 0; k < LANES; k++) {
                const size_t place = (column + k) * rows + row;
                const V cosine = LOAD(plan->turns + place), sine = LOAD(plan->turns + plan->length + place);
                STORE(tabler + place, real[k] * cosine - imaginary[k] * sine);
                STORE(tablei + place, real[k] * sine + imaginary[k] * cosine);
            }
        }
    }
    for (size_t row = 0; row < rows; row += LANES)
        NAMED(batch)(across, tabler + row, tablei + row, rows, yr + row, yi + row, rows, results);
}

#endif

// One transform through the passes of a plan.
static void NAMED(direct)(const PLAN *plan, const REAL *xr, const REAL *xi, REAL *yr, REAL *yi, REAL *scratch) {
    size_t beside = 1;
    const size_t size = plan->length + PADDING, last = plan->count - 1;
    for (size_t index = 0; index <= last; index++) {
        REAL *tor = index == last ? yr : scratch + (index & 1) * 2 * size, *toi = index == last ? yi : tor + size;
#if LANES > 1
        if (index == 0)
            NAMED(first)(plan, xr, xi, tor, toi);
        else
#endif
            NAMED(pass)(plan, index, beside / LANES, xr, xi, LANES, tor, toi, LANES);
        xr = tor, xi = toi;
        beside *= plan->passes[index].radix;
    }
}

#if LANES > 1

// Makes twice the spectrum of real numbers from the transform z of complex ones, whose real parts were the even numbers.
static void NAMED(separate)(const PLAN *plan, const REAL *zr, const REAL *zi, REAL *yr, REAL *yi) {
    const size_t n = plan->length;
    const REAL *cosines = plan->halves, *sines = cosines + n / 2 + 1;
    yr[0] = 2 * (zr[0] + zi[0]), yi[0] = 2 * (zr[0] - zi[0]);
    size_t k = 1;
#define SEPARATE(type, at, back, give, giveBack) \
    { \
        const type ar = at(zr + k), ai = at(zi + k), br = back(zr + n - k), bi = back(zi + n - k); \
        const type cosine = at(cosines + k), sine = at(sines + k); \
        const type er = ar + br, ei = ai - bi, dr = ar - br, di = ai + bi; \
        const type pr = dr * cosine - di * sine, pi = dr * sine + di * cosine; \
        give(yr + k, er + pi), give(yi + k, ei - pr); \
        giveBack(yr + n - k, er - pi), giveBack(yi + n - k, -ei - pr); \
    }
    for (; k + LANES <= n / 2; k += LANES) SEPARATE(V, LOAD, NAMED(loadBack), STORE, NAMED(storeBack))
    for (; k <= n / 2 && k < n; k++) SEPARATE(REAL, *, *, NAMED(put), NAMED(put))
#undef SEPARATE
}

// The way back: makes z from a spectrum x.
static void NAMED(join)(const PLAN *plan, const REAL *xr, const REAL *xi, REAL *zr, REAL *zi) {
    const size_t n = plan->length;
    const REAL *cosines = plan->halves, *sines = cosines + n / 2 + 1;
    const REAL zero = xr[0], nyquist = xi[0];
    zr[0] = zero + nyquist, zi[0] = zero - nyquist;
    size_t k = 1;
#define JOIN(type, at, back, give, giveBack) \
    { \
        const type ar = at(xr + k), ai = at(xi + k), br = back(xr + n - k), bi = back(xi + n - k); \
        const type cosine = at(cosines + k), sine = at(sines + k); \
        const type er = ar + br, ei = ai - bi, dr = ar - br, di = ai + bi; \
        const type pr = dr * cosine + di * sine, pi = di * cosine - dr * sine; \
        give(zr + k, er - pi), give(zi + k, ei + pr); \
        giveBack(zr + n - k, er + pi), giveBack(zi + n - k, pr - ei); \
    }
    for (; k + LANES <= n / 2; k += LANES) JOIN(V, LOAD, NAMED(loadBack), STORE, NAMED(storeBack))
    for (; k <= n / 2 && k < n; k++) JOIN(REAL, *, *, NAMED(put), NAMED(put))
#undef JOIN
}

#endif

#undef V
#undef LOAD
#undef STORE
#undef BUTTERFLY2
#undef BUTTERFLY3
#undef BUTTERFLY4
#undef BUTTERFLY5
#undef BUTTERFLY8
#undef TAKE
#undef GIVE
#undef TURN
#undef PASS
