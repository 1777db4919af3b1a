// Sorting, for one type of numbers: REAL. Hoare's quicksort; short parts by insertion, and parts that stay long by a heap, so
// that no order of numbers takes more than n log n steps. A number that is not one equals every number.

#define SORT(name, type, KEY) \
    INLINE void TYPED(name##Sink)(type *numbers, const REAL *keys, vDSP_Length place, vDSP_Length count) { \
        (void)keys; \
        for (vDSP_Length child; (child = 2 * place + 1) < count; place = child) { \
            if (child + 1 < count && KEY(numbers[child]) < KEY(numbers[child + 1])) child++; \
            if (!(KEY(numbers[place]) < KEY(numbers[child]))) return; \
            const type number = numbers[place]; \
            numbers[place] = numbers[child], numbers[child] = number; \
        } \
    } \
    static void TYPED(name##Heap)(type *numbers, const REAL *keys, vDSP_Length count) { \
        for (vDSP_Length place = count / 2; place-- > 0;) TYPED(name##Sink)(numbers, keys, place, count); \
        while (count-- > 1) { \
            const type number = numbers[0]; \
            numbers[0] = numbers[count], numbers[count] = number; \
            TYPED(name##Sink)(numbers, keys, 0, count); \
        } \
    } \
    static void TYPED(name)(type *numbers, const REAL *keys, vDSP_Length count, int depth) { \
        (void)keys; \
        while (count > 24) { \
            if (depth-- == 0) { \
                TYPED(name##Heap)(numbers, keys, count); \
                return; \
            } \
            const REAL first = KEY(numbers[0]), middle = KEY(numbers[count / 2]), last = KEY(numbers[count - 1]); \
            const REAL pivot = first < middle ? (middle < last ? middle : first < last ? last : first) \
                                              : (first < last ? first : middle < last ? last : middle); \
            vDSP_Length low = (vDSP_Length)-1, high = count; \
            for (;;) { \
                do low++; \
                while (KEY(numbers[low]) < pivot); \
                do high--; \
                while (pivot < KEY(numbers[high])); \
                if (low >= high) break; \
                const type number = numbers[low]; \
                numbers[low] = numbers[high], numbers[high] = number; \
            } \
            const vDSP_Length left = high + 1; \
            TYPED(name)(numbers, keys, left, depth); \
            numbers += left, count -= left; \
        } \
        for (vDSP_Length place = 1; place < count; place++) { \
            const type number = numbers[place]; \
            vDSP_Length hole = place; \
            for (; hole > 0 && KEY(number) < KEY(numbers[hole - 1]); hole--) numbers[hole] = numbers[hole - 1]; \
            numbers[hole] = number; \
        } \
    }

#define OWN(number) (number)
#define OTHER(number) keys[number]
SORT(sortNumbers, REAL, OWN)
SORT(sortPlaces, vDSP_Length, OTHER)

// Twice the number of halvings that an even division takes.
INLINE int TYPED(sortDepth)(vDSP_Length count) {
    int depth = 0;
    for (; count > 1; count /= 2) depth += 2;
    return depth;
}

void VDSP(vsort)(REAL *__C, vDSP_Length __N, int __Order) {
    TYPED(sortNumbers)(__C, __C, __N, TYPED(sortDepth)(__N));
    if (__Order < 0) VDSP(vrvrs)(__C, 1, __N);
}

void VDSP(vsorti)(
    const REAL *__C, vDSP_Length *__I, vDSP_Length *__Temporary, vDSP_Length __N, int __Order) {
    (void)__Temporary;
    TYPED(sortPlaces)(__I, __C, __N, TYPED(sortDepth)(__N));
    if (__Order >= 0) return;
    for (vDSP_Length n = 0; n < __N / 2; n++) {
        const vDSP_Length place = __I[n];
        __I[n] = __I[__N - 1 - n], __I[__N - 1 - n] = place;
    }
}

#undef SORT
#undef OWN
#undef OTHER
