// Plans and what is done with them, for one type of numbers: REAL, names made by TYPED, and passes by the names of PASSES.

struct PLAN {
    size_t length;
    // What `direct` runs.
    size_t count;
    struct {
        size_t radix, length;
        REAL *twiddles;
    } passes[32];
    // What `blocked` runs, or null: transforms of columns and rows, and the twiddle factors between.
    PLAN *down, *across;
    REAL *turns;
    // Cosines and sines of k * pi / length, for k up to length / 2, or null in a part of another plan.
    REAL *halves;
    struct scratch scratch;
};

static REAL *TYPED(allocate)(size_t count) { return allocateAligned(count * sizeof(REAL)); }

static void TYPED(destroy)(PLAN *plan) {
    if (!plan) return;
    for (size_t index = 0; index < plan->count; index++) free(plan->passes[index].twiddles);
    TYPED(destroy)(plan->down);
    TYPED(destroy)(plan->across);
    free(plan->turns);
    free(plan->halves);
    free(plan->scratch.memory);
    free(plan);
}

static REAL *TYPED(twiddles)(size_t radix, size_t length) {
    const size_t m = length / radix;
    REAL *result = TYPED(allocate)(2 * (radix - 1) * m);
    if (!result) return NULL;
    for (size_t k = 1; k < radix; k++)
        for (size_t p = 0; p < m; p++) {
            const struct point turn = turned(p * k, length);
            result[(k - 1) * m + p] = (REAL)turn.cosine;
            result[(k - 1 + radix - 1) * m + p] = (REAL)turn.sine;
        }
    return result;
}

static PLAN *TYPED(create)(size_t length, bool whole);

// The two parts of a long transform, whose lengths are multiples of 8.
static bool TYPED(block)(PLAN *plan, size_t *size) {
    const size_t n = plan->length;
    size_t rows = 64;
    while (rows * rows < n) rows *= 2;
    if (n % rows || n / rows % 8) return true;
    const size_t columns = n / rows;
    plan->down = TYPED(create)(rows, false);
    plan->across = TYPED(create)(columns, false);
    plan->turns = TYPED(allocate)(2 * n);
    if (!plan->down || !plan->across || !plan->turns) return false;
    for (size_t column = 0; column < columns; column++)
        for (size_t row = 0; row < rows; row++) {
            const struct point turn = turned(column * row, n);
            plan->turns[column * rows + row] = (REAL)turn.cosine;
            plan->turns[n + column * rows + row] = (REAL)turn.sine;
        }
    const size_t longest = rows > columns ? rows : columns;
    *size = 2 * (n + PADDING) + 6 * (WIDEST * longest + PADDING);
    return true;
}

static bool TYPED(prepare)(PLAN *plan, bool whole) {
    const size_t n = plan->length;
    size_t size = 4 * (n + PADDING);
    if (whole && n * sizeof(REAL) >= LONG_TRANSFORM && !TYPED(block)(plan, &size)) return false;
    if (!plan->down) {
        for (size_t rest = n; rest > 1; plan->count++) {
            size_t radix = rest % 8 == 0 ? 8 : rest % 4 == 0 ? 4 : rest % 2 == 0 ? 2 : rest % 3 == 0 ? 3 : 5;
            // Two passes of radix 4 are faster than one of 8 and one of 2. The first stays one of 8, for its lanes.
            if (radix == 8 && plan->count > 0 && rest % 16 == 0 && rest % 32 != 0) radix = 4;
            plan->passes[plan->count].radix = radix;
            plan->passes[plan->count].length = rest;
            if (!(plan->passes[plan->count].twiddles = TYPED(twiddles)(radix, rest))) {
                plan->count++;
                return false;
            }
            rest /= radix;
        }
    }
    if (!whole) return true;
    plan->halves = TYPED(allocate)(2 * (n / 2 + 1));
    if (!plan->halves) return false;
    for (size_t k = 0; k <= n / 2; k++) {
        const struct point turn = turned(k, 2 * n);
        plan->halves[k] = (REAL)turn.cosine;
        plan->halves[n / 2 + 1 + k] = (REAL)turn.sine;
    }
    // The transform of real numbers has its complex one before or after it.
    size += 2 * (n + PADDING);
    return prepareScratch(&plan->scratch, size * sizeof(REAL));
}

static PLAN *TYPED(create)(size_t length, bool whole) {
    if (!isSupported(length)) return NULL;
    PLAN *plan = calloc(1, sizeof(PLAN));
    if (!plan) return NULL;
    plan->length = length;
    if (!TYPED(prepare)(plan, whole)) {
        TYPED(destroy)(plan);
        return NULL;
    }
    return plan;
}
