#include "metadata.hpp"

namespace cllama {

namespace {

std::string metadata(const llama_model * model, const std::string & key) {
    char value[64] = "";
    const int32_t length = llama_model_meta_val_str(model, key.c_str(), value, sizeof(value));
    return length > 0 ? value : "";
}

}  // namespace

std::string own_metadata(const llama_model * model, const char * key) {
    return metadata(model, metadata(model, "general.architecture") + "." + key);
}

}  // namespace cllama
