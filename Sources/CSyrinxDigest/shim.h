#pragma once
#include <libavutil/aes.h>
#include <libavutil/mem.h>
#include <libavutil/sha.h>
