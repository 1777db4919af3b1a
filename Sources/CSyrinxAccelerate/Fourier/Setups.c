#include "CSyrinxAccelerate.h"
#include "../Scratch.h"
#include "Fourier.h"

#include <math.h>

// The logarithm of syrinx_fourier_limit.
#define LARGEST_LOG2 24

#define TEMPLATE "Fourier/Setups.h"
#include "../Types.h"

// MARK: Cosine transforms

// Of N numbers x, by a Fourier transform of as many real numbers, or for type IV of half as many complex ones. With
// t(k) = e^(-pi i k / 2 N), after J. Makhoul, "A fast cosine transform in one and two dimensions", 1980:
//   II:  y[k] = Re(t(k) V[k]), where V is the transform of x[0], x[2] … x[3], x[1].
//   III: the way back, without its factor 2 / N.
//   IV:  y[2 k] = Re(Z[k] t(2 k + 1/4)) and y[N - 1 - 2 k] = -Im(Z[k] t(2 k + 1/4)), where Z is the transform of
//        (x[2 j] + i x[N - 1 - 2 j]) t(2 j + 1/4).

vDSP_DFT_Setup vDSP_DCT_CreateSetup(vDSP_DFT_Setup __Previous, vDSP_Length __Length, vDSP_DCT_Type __Type) {
    (void)__Previous;
    if (__Type != vDSP_DCT_II && __Type != vDSP_DCT_III && __Type != vDSP_DCT_IV) return NULL;
    vDSP_DFT_Setup created = createLength_float(__Length, __Length / 2, 4);
    struct lengths_float *setup = (struct lengths_float *)created;
    if (!setup) return NULL;
    setup->cosineType = (int)__Type;
    const size_t count = __Length / 2 + 1;
    setup->turns = allocateAligned(2 * count * sizeof(float));
    if (!setup->turns || !prepareScratch(&setup->scratch, __Length * sizeof(float))) {
        vDSP_DFT_DestroySetup(created);
        return NULL;
    }
    for (size_t k = 0; k < count; k++) {
        const double place = __Type == vDSP_DCT_IV ? 2 * (double)k + 0.25 : (double)k;
        const double angle = 3.14159265358979323846264338327950288 * place / (2 * (double)__Length);
        setup->turns[k] = (float)cos(angle);
        setup->turns[count + k] = (float)-sin(angle);
    }
    return created;
}

static void cosine2(const struct lengths_float *setup, const float *x, float *y, float *re, float *im) {
    const size_t n = setup->length, half = n / 2;
    const float *cosines = setup->turns, *sines = cosines + half + 1;
    // The number j of the reordered ones: its even ones are the real parts of the transform of real numbers.
    for (size_t j = 0; j < half; j++) (j % 2 ? im : re)[j / 2] = x[2 * j];
    for (size_t j = half; j < n; j++) (j % 2 ? im : re)[j / 2] = x[2 * (n - j) - 1];
    syrinx_fourier_forward_float(setup->plan, re, im, re, im);
    // The transform is doubled. Point n - k is the conjugate of point k.
    y[0] = re[0] / 2;
    y[half] = im[0] / 2 * cosines[half];
    for (size_t k = 1; k < half; k++) {
        y[k] = (re[k] * cosines[k] - im[k] * sines[k]) / 2;
        y[n - k] = -(re[k] * sines[k] + im[k] * cosines[k]) / 2;
    }
}

static void cosine3(const struct lengths_float *setup, const float *x, float *y, float *re, float *im) {
    const size_t n = setup->length, half = n / 2;
    const float *cosines = setup->turns, *sines = cosines + half + 1;
    re[0] = x[0];
    im[0] = x[half] * cosines[half] * 2;
    for (size_t k = 1; k < half; k++) {
        const float near = x[k], far = x[n - k];
        re[k] = near * cosines[k] - far * sines[k];
        im[k] = -(near * sines[k] + far * cosines[k]);
    }
    syrinx_fourier_inverse_float(setup->plan, re, im, re, im);
    for (size_t j = 0; j < half; j++) y[2 * j] = (j % 2 ? im : re)[j / 2] / 2;
    for (size_t j = half; j < n; j++) y[2 * (n - j) - 1] = (j % 2 ? im : re)[j / 2] / 2;
}

static void cosine4(const struct lengths_float *setup, const float *x, float *y, float *re, float *im) {
    const size_t n = setup->length, half = n / 2;
    const float *cosines = setup->turns, *sines = cosines + half + 1;
    for (size_t j = 0; j < half; j++) {
        const float a = x[2 * j], b = x[n - 1 - 2 * j];
        re[j] = a * cosines[j] - b * sines[j];
        im[j] = a * sines[j] + b * cosines[j];
    }
    syrinx_fourier_complex_float(setup->plan, re, im, re, im);
    for (size_t k = 0; k < half; k++) {
        y[2 * k] = re[k] * cosines[k] - im[k] * sines[k];
        y[n - 1 - 2 * k] = -(re[k] * sines[k] + im[k] * cosines[k]);
    }
}

void vDSP_DCT_Execute(vDSP_DFT_Setup __Setup, const float *__Input, float *__Output) {
    struct lengths_float *setup = (struct lengths_float *)__Setup;
    if (!setup->cosineType) return;
    float *scratch = takeScratch(&setup->scratch);
    if (!scratch) return;
    float *re = scratch, *im = scratch + setup->length / 2;
    switch (setup->cosineType) {
    case vDSP_DCT_II: cosine2(setup, __Input, __Output, re, im); break;
    case vDSP_DCT_III: cosine3(setup, __Input, __Output, re, im); break;
    default: cosine4(setup, __Input, __Output, re, im); break;
    }
    returnScratch(&setup->scratch, scratch);
}
