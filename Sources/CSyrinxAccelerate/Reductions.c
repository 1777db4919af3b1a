#include "CSyrinxAccelerate.h"
#include "Vectors.h"

#include <math.h>

#define TEMPLATE "Reductions.h"
#include "Types.h"
