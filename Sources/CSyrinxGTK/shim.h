#pragma once
#include <adwaita.h>
#include <gtk/gtk.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include "versions.h"

// Function-like macros and variadic functions, which Swift cannot import.

static inline void syrinx_value_init(GValue *value, GType type) { g_value_init(value, type); }
static inline gboolean syrinx_value_holds(const GValue *value, GType type) { return G_VALUE_HOLDS(value, type); }
static inline GType syrinx_file_list_type(void) { return GDK_TYPE_FILE_LIST; }
static inline GType syrinx_file_type(void) { return G_TYPE_FILE; }
static inline GType syrinx_string_type(void) { return G_TYPE_STRING; }
static inline GType syrinx_variant_type(void) { return G_TYPE_VARIANT; }
static inline const GVariantType *syrinx_int32_variant(void) { return G_VARIANT_TYPE_INT32; }
static inline GType syrinx_boolean_type(void) { return G_TYPE_BOOLEAN; }

static inline void syrinx_limit_heaps(int count) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, count);
#endif
}

static inline void syrinx_trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
