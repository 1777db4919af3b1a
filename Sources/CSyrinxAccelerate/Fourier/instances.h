// All of one type of numbers: plans, passes of each width of vectors, and the functions of Fourier.h.

#include "plan.h"

#define LANES 1
#define NAMED SINGLE
#include "passes.h"
#undef LANES
#undef NAMED

#define LANES NARROWEST
#define NAMED NARROW
#include "passes.h"
#undef LANES
#undef NAMED

#ifdef WIDE_VECTORS
#pragma clang attribute push(WIDE_TARGET, apply_to = function)
#define LANES WIDEST
#define NAMED WIDE
#include "passes.h"
#undef LANES
#undef NAMED
#pragma clang attribute pop

#pragma clang attribute push(MORE_TARGET, apply_to = function)
#define LANES WIDEST
#define NAMED MORE
#include "passes.h"
#undef LANES
#undef NAMED
#pragma clang attribute pop
#endif

#include "transforms.h"

#undef REAL
#undef PLAN
#undef TYPED
#undef SINGLE
#undef NARROW
#undef WIDE
#undef MORE
#undef NARROWEST
#undef WIDEST
