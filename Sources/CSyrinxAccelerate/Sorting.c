#include "CSyrinxAccelerate.h"
#include "Vectors.h"

#define TEMPLATE "Sorting.h"
#include "Types.h"
