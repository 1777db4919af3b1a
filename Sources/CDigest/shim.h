#pragma once
#include <libavutil/mem.h>
#include <libavutil/sha.h>
