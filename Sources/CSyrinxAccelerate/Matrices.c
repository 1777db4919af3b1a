#include "CSyrinxAccelerate.h"
#include "Vectors.h"

#define TEMPLATE "Matrices.h"
#include "Types.h"
