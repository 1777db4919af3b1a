#include "CSyrinxAccelerate.h"
#include "Vectors.h"

#include <math.h>

#define TEMPLATE "Interpolation.h"
#include "Types.h"
