#pragma once
#include <libavutil/tx.h>
