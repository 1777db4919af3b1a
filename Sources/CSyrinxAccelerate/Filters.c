#include "CSyrinxAccelerate.h"
#include "Vectors.h"

#include <math.h>
#include <stdlib.h>

#define TEMPLATE "Filters.h"
#include "Types.h"
