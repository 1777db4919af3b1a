#include "CAccelerate.h"
#include "Vectors.h"

#define TEMPLATE "Sorting.h"
#include "Types.h"
