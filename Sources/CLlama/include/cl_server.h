#ifndef CL_SERVER_H
#define CL_SERVER_H

#include "cl_base.h"

CL_BEGIN_DECLS

/// A machine that runs llama.cpp's RPC server and computes some layers of a model.
typedef struct cl_server {
    /// What errors call it.
    const char *CL_NONNULL name;
    /// A host name or an address; IPv6 without brackets.
    const char *CL_NONNULL host;
    uint16_t port;
} cl_server;

/// How long servers may take, in milliseconds; 0 means the default.
typedef struct cl_server_limits {
    /// To accept a connection and to say hello; 5 seconds.
    uint32_t connecting;
    /// Without taking or sending a byte while an answer is awaited; 10 minutes.
    uint32_t answering;
    /// The same once nobody waits for the answer any more; 30 seconds.
    uint32_t stopping;
} cl_server_limits;

/// Asked often while something takes time; true ends it. Called from any thread.
typedef bool (*cl_stop)(void *CL_NULLABLE context);

CL_END_DECLS

#endif
