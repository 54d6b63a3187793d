#ifndef CLIBXML2_SHIM_H
#define CLIBXML2_SHIM_H

// Apple's SDKs have the headers in a folder that is searched only if it is named.
#if __has_include(<libxml/HTMLparser.h>)
#include <libxml/xmlversion.h>
#else
#include <libxml2/libxml/xmlversion.h>
#endif

// Builds with ICU would bring its headers along, which Foundation on Linux has in another version under the same names.
// What they declare is not used here.
#undef LIBXML_ICU_ENABLED

#if __has_include(<libxml/HTMLparser.h>)
#include <libxml/HTMLparser.h>
#else
#include <libxml2/libxml/HTMLparser.h>
#endif

// What libxml2 converts encodings with.
#include <iconv.h>

#endif
