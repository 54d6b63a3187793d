#ifndef CL_MODEL_H
#define CL_MODEL_H

#include "cl_base.h"
#include "cl_server.h"
#include "cl_status.h"

CL_BEGIN_DECLS

/// Loaded weights and vocabulary. Immutable after loading, so it may be used from several threads at once.
typedef struct cl_model cl_model;

/// Told the loaded fraction (0…1); returning false cancels the load.
typedef bool (*cl_load_progress)(float fraction, void *CL_NULLABLE context);

typedef struct cl_model_params {
    /// Layers kept on a GPU; 0 or less means CPU only.
    int32_t gpu_layers;
    bool use_mmap;
    /// Also loads the layers that predict further tokens, if there are any.
    bool predicts;
    /// Reads the vocabulary only: no decoding.
    bool vocab_only;
    cl_load_progress CL_NULLABLE progress;
    void *CL_NULLABLE progress_context;
    /// Servers that keep layers as GPUs do, in front of any GPU; ignored with `gpu_layers` of 0.
    const cl_server *CL_NULLABLE servers;
    size_t server_count;
    cl_server_limits server_limits;
    /// Ends waiting for servers.
    cl_stop CL_NULLABLE wants_stop;
    void *CL_NULLABLE stop_context;
} cl_model_params;

/// Loads a GGUF file; of a split set, its first part.
///
/// Blocks until done. `CL_CANCELLED` when `progress` returned false or `wants_stop` true. `CL_SERVER_LOST` when a server
/// broke off after it was connected.
cl_status cl_model_load(const char *CL_NONNULL path, const cl_model_params *CL_NONNULL params,
                        cl_model *CL_NULLABLE *CL_NONNULL out_model) CL_NOEXCEPT;

/// Frees the weights. No context of the model may be alive. With servers, that may wait for what they compute.
void cl_model_free(cl_model *CL_NULLABLE model) CL_NOEXCEPT;

/// Whether a server of the model was lost, so that it cannot compute any more.
bool cl_model_has_lost_server(const cl_model *CL_NONNULL model) CL_NOEXCEPT;

/// Whether all servers of the model still hold their connections, as far as is known here: a look, no question to them.
///
/// Where one ended its connection since it was used last, the server is lost from now on.
bool cl_model_reaches_servers(const cl_model *CL_NONNULL model) CL_NOEXCEPT;

typedef struct cl_model_info {
    /// Tokens the model was trained on; 0 when the file does not say.
    int32_t training_context;
    int32_t vocabulary_size;
    int32_t layer_count;
    uint64_t size_bytes;
    uint64_t parameter_count;
    /// False for encoder-only models, which cannot generate.
    bool has_decoder;
    bool has_encoder;
    /// Memory that cannot drop a suffix.
    bool is_recurrent;
    bool is_hybrid;
    /// Sliding attention window in tokens; 0 for full attention.
    int32_t sliding_window;
    /// The vocabulary asks for a leading or trailing special token.
    bool adds_bos;
    bool adds_eos;
    /// Token ids, −1 when the vocabulary has none.
    int32_t bos_token;
    int32_t eos_token;
    int32_t eot_token;
    /// Layers that predict further tokens; loaded only on demand.
    int32_t prediction_layer_count;
    /// The file holds no vocabulary: no text can be tokenised.
    bool has_vocabulary;
} cl_model_info;

void cl_model_get_info(const cl_model *CL_NONNULL model, cl_model_info *CL_NONNULL out_info) CL_NOEXCEPT;

/// Whether the tokens of both models are the same, so that one can draft for the other.
bool cl_model_shares_vocabulary(const cl_model *CL_NONNULL model, const cl_model *CL_NONNULL other) CL_NOEXCEPT;

/// One line on architecture, size and quantisation, for example "llama 135M Q4_1".
const char *CL_NONNULL cl_model_description(const cl_model *CL_NONNULL model) CL_NOEXCEPT;

/// The embedded chat template called `name` (NULL for the default one), or NULL when there is none.
const char *CL_NULLABLE cl_model_chat_template(const cl_model *CL_NONNULL model, const char *CL_NULLABLE name)
    CL_NOEXCEPT;

CL_END_DECLS

#endif
