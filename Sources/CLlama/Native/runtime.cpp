#include "cl_runtime.h"

#include "guard.hpp"

#include "carbocation-llama-build.h"
#include "ggml.h"
#include "llama.h"

bool cl_runtime_is_available(void) noexcept {
    return true;
}

const char * cl_runtime_version(void) noexcept {
    return CARBOCATION_LLAMA_VERSION;
}

const char * cl_runtime_commit(void) noexcept {
    return CARBOCATION_LLAMA_COMMIT;
}

const char * cl_runtime_ggml_version(void) noexcept {
    return ggml_version();
}

const char * cl_runtime_system_info(void) noexcept {
    return cllama::guarded_value("", [] { return llama_print_system_info(); });
}
