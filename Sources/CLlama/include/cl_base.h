#ifndef CL_BASE_H
#define CL_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define CL_BEGIN_DECLS extern "C" {
#define CL_END_DECLS }
#define CL_NOEXCEPT noexcept
#else
#define CL_BEGIN_DECLS
#define CL_END_DECLS
#define CL_NOEXCEPT
#endif

#ifdef __clang__
#define CL_NULLABLE _Nullable
#define CL_NONNULL _Nonnull
#else
#define CL_NULLABLE
#define CL_NONNULL
#endif

#endif
