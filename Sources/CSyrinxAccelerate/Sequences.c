#include "CSyrinxAccelerate.h"
#include "Vectors.h"

#include <math.h>

#define TEMPLATE "Sequences.h"
#include "Types.h"
