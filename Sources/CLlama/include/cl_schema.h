#ifndef CL_SCHEMA_H
#define CL_SCHEMA_H

#include "cl_base.h"

#include <stddef.h>
#include <string.h>

CL_BEGIN_DECLS

/// What the value of a JSON schema's keyword holds.
typedef enum cl_schema_content {
    /// A schema, a list of schemas, or nothing that could be mistaken for one.
    CL_SCHEMA_SCHEMA = 0,
    /// Schemas under names of any kind, keywords included.
    CL_SCHEMA_NAMED_SCHEMAS = 1,
    /// JSON that may look like a schema and is none.
    CL_SCHEMA_DATA = 2,
} cl_schema_content;

static inline cl_schema_content cl_schema_content_of(const char *CL_NONNULL keyword) {
    static const char *const named[] = {"properties", "$defs", "definitions", "patternProperties"};
    static const char *const data[] = {"const", "enum", "default", "examples"};
    for (size_t index = 0; index < sizeof(named) / sizeof(*named); ++index) {
        if (strcmp(keyword, named[index]) == 0) {
            return CL_SCHEMA_NAMED_SCHEMAS;
        }
    }
    for (size_t index = 0; index < sizeof(data) / sizeof(*data); ++index) {
        if (strcmp(keyword, data[index]) == 0) {
            return CL_SCHEMA_DATA;
        }
    }
    return CL_SCHEMA_SCHEMA;
}

CL_END_DECLS

#endif
