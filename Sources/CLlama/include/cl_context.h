#ifndef CL_CONTEXT_H
#define CL_CONTEXT_H

#include "cl_base.h"
#include "cl_model.h"
#include "cl_status.h"

CL_BEGIN_DECLS

/// KV cache and compute buffers over one model. Used by one thread at a time, except `cl_context_request_abort` and
/// `cl_context_set_wanted`.
typedef struct cl_context cl_context;

typedef enum cl_kv_type { CL_KV_F16 = 0, CL_KV_BF16 = 1, CL_KV_Q8_0 = 2, CL_KV_Q4_0 = 3 } cl_kv_type;

typedef enum cl_flash_attention {
    CL_FLASH_ATTENTION_AUTO = 0,
    CL_FLASH_ATTENTION_ENABLED = 1,
    CL_FLASH_ATTENTION_DISABLED = 2
} cl_flash_attention;

typedef struct cl_context_params {
    /// KV cells shared by all sequences, at most 16777216.
    uint32_t context_size;
    /// Most entries of one `cl_decode`.
    uint32_t batch_size;
    /// Entries computed at once; at most `batch_size`.
    uint32_t micro_batch_size;
    /// Sequences that may live in the cache at the same time, 1…64.
    uint32_t maximum_sequences;
    /// Threads for single-token and for prompt batches, 1…512.
    int32_t threads;
    int32_t batch_threads;
    cl_kv_type type_k;
    cl_kv_type type_v;
    cl_flash_attention flash_attention;
    /// Most tokens of one `cl_context_predict`, at most 32; 0 leaves the model's prediction layers alone.
    uint32_t prediction_tokens;
    /// Ends waiting for servers during the creation.
    cl_stop CL_NULLABLE wants_stop;
    void *CL_NULLABLE stop_context;
} cl_context_params;

/// Creates a context. `model` must outlive it.
///
/// The first context of a model computes one token with one thread, to meet failures of a broken file where they can
/// still be answered. Models without a decoder or a memory of their own get `CL_CONTEXT_UNSUPPORTED`, as does a cache
/// of quantised values without flash attention, or of rows that its blocks do not divide: the reason says what to
/// change, and a failed assertion of llama.cpp. After `CL_OUT_OF_MEMORY` and `CL_CONTEXT_INIT_FAILED` smaller sizes may
/// work; predictions without layers for them get the latter too.
cl_status cl_context_create(cl_model *CL_NONNULL model, const cl_context_params *CL_NONNULL params,
                            cl_context *CL_NULLABLE *CL_NONNULL out_context) CL_NOEXCEPT;

void cl_context_free(cl_context *CL_NULLABLE context) CL_NOEXCEPT;

/// KV cells that llama.cpp really allocated.
uint32_t cl_context_size(const cl_context *CL_NONNULL context) CL_NOEXCEPT;

/// Whether sequences must be dropped as a whole: removing a suffix may fail.
bool cl_context_keeps_state(const cl_context *CL_NONNULL context) CL_NOEXCEPT;

/// Changes the number of threads used from the next decode on.
cl_status cl_context_set_threads(cl_context *CL_NONNULL context, int32_t threads, int32_t batch_threads) CL_NOEXCEPT;

/// Computes with the threads of `other` from now on. The two must never compute at the same time.
void cl_context_share_threads(cl_context *CL_NONNULL context, const cl_context *CL_NONNULL other) CL_NOEXCEPT;

typedef struct cl_batch_entry {
    int32_t token;
    int32_t position;
    int32_t sequence;
    /// Logits of this entry are kept for sampling. At most 33 entries for each of the context's sequences.
    bool wants_logits;
} cl_batch_entry;

/// Computes a batch and stores its tokens in the KV cache.
///
/// Everything is checked first: count within 1…batch size, token ids, sequence ids, and positions, which must
/// continue the sequence without a gap. `CL_CONTEXT_FULL` leaves the cache as it was. After `CL_CANCELLED` or
/// `CL_DECODE_FAILED` some entries may be in the cache: remove them with `cl_memory_remove` before going on. After
/// `CL_SERVER_LOST` there is no going on.
cl_status cl_decode(cl_context *CL_NONNULL context, const cl_batch_entry *CL_NULLABLE entries, size_t count)
    CL_NOEXCEPT;

/// Makes a running or the next `cl_decode` return `CL_CANCELLED` as soon as possible. From any thread.
void cl_context_request_abort(cl_context *CL_NONNULL context) CL_NOEXCEPT;

/// Takes a request back, so that decoding works again.
void cl_context_clear_abort(cl_context *CL_NONNULL context) CL_NOEXCEPT;

/// Says whether anybody still waits for work of this context, as is so at first. From any thread.
///
/// Nothing is stopped by that, but servers that do not answer are given up sooner when nobody does.
void cl_context_set_wanted(cl_context *CL_NONNULL context, bool is_wanted) CL_NOEXCEPT;

/// Makes `cl_decode` return `CL_CANCELLED` when it computes for longer than `seconds` from now; 0 sets no limit.
///
/// Prediction layers, which read the batch and draft beside it, are not bound by that.
void cl_context_set_deadline(cl_context *CL_NONNULL context, double seconds) CL_NOEXCEPT;

/// Whether the last `cl_decode` was stopped because of the limit that was set last. Then it returned `CL_CANCELLED`.
bool cl_context_missed_deadline(const cl_context *CL_NONNULL context) CL_NOEXCEPT;

/// Removes the positions from `from` on of `sequence`; `from` 0 removes the whole sequence.
///
/// Returns false, with nothing removed, when the memory cannot drop just a suffix: recurrent states, and sliding
/// windows that no longer hold what a token at `from` would look back on.
bool cl_memory_remove(cl_context *CL_NONNULL context, int32_t sequence, int32_t from) CL_NOEXCEPT;

/// Whether `cl_memory_remove` is expected to succeed. Changes nothing; only the removal itself is proof.
bool cl_memory_can_remove(const cl_context *CL_NONNULL context, int32_t sequence, int32_t from) CL_NOEXCEPT;

/// Whether `cl_memory_copy` may work: every layer keeps all tokens of a sequence, each in a cell of its own.
bool cl_memory_can_copy(const cl_context *CL_NONNULL context) CL_NOEXCEPT;

/// Lets `target`, which must be empty, begin with the first `count` tokens of `source`. They share the cells.
///
/// Returns false, with nothing copied, when the memory cannot or `source` holds fewer tokens.
bool cl_memory_copy(cl_context *CL_NONNULL context, int32_t source, int32_t target, int32_t count) CL_NOEXCEPT;

/// Whether going back to the first `count` tokens of a sequence will need a checkpoint, once it has grown.
bool cl_checkpoint_is_needed(const cl_context *CL_NONNULL context, int32_t count) CL_NOEXCEPT;

/// Bytes of a checkpoint of `sequence` as it is now, 0 when there is nothing to save.
///
/// A checkpoint holds what cannot be cut: recurrent state and windows. The rest stays in the cache.
size_t cl_checkpoint_size(cl_context *CL_NONNULL context, int32_t sequence) CL_NOEXCEPT;

/// Writes a checkpoint of `sequence` and returns its size, 0 when it failed or `capacity` is too small.
size_t cl_checkpoint_save(cl_context *CL_NONNULL context, int32_t sequence, void *CL_NONNULL bytes,
                          size_t capacity) CL_NOEXCEPT;

/// Takes `sequence` back to its first `count` tokens, behind which the checkpoint was saved.
///
/// The sequence must have kept those tokens since. After false it is unknown what it holds: remove it as a whole.
bool cl_checkpoint_restore(cl_context *CL_NONNULL context, int32_t sequence, const void *CL_NONNULL bytes, size_t size,
                           int32_t count) CL_NOEXCEPT;

/// Lets `target`, which must be empty, begin with the first `count` tokens of `source`, behind which the checkpoint was
/// saved. Whatever can be shared is.
///
/// `source` must have kept those tokens since. After false it is unknown what `target` holds: remove it as a whole.
bool cl_checkpoint_copy(cl_context *CL_NONNULL context, int32_t source, int32_t target, const void *CL_NONNULL bytes,
                        size_t size, int32_t count) CL_NOEXCEPT;

/// Forgets every sequence and all state.
void cl_memory_clear(cl_context *CL_NONNULL context) CL_NOEXCEPT;

/// The smallest and largest cached position of `sequence`, −1 when it is empty.
int32_t cl_memory_first_position(const cl_context *CL_NONNULL context, int32_t sequence) CL_NOEXCEPT;
int32_t cl_memory_last_position(const cl_context *CL_NONNULL context, int32_t sequence) CL_NOEXCEPT;

/// The logits of batch entry `index` of the last decode (vocabulary size values), or NULL.
const float *CL_NULLABLE cl_context_logits(cl_context *CL_NONNULL context, int32_t index) CL_NOEXCEPT;

/// Tokens that the model's prediction layers expect behind `token`, which comes at `position` and was not computed yet.
///
/// At most `count`, and as many as the context was created for; none when the layers are not sure, or not in use.
size_t cl_context_predict(cl_context *CL_NONNULL context, int32_t sequence, int32_t token, int32_t position,
                          int32_t *CL_NONNULL out_tokens, size_t count) CL_NOEXCEPT;

/// Whether the prediction layers, if in use, read the batches to come. What they do not read they know nothing of.
void cl_context_set_predicting(cl_context *CL_NONNULL context, bool is_predicting) CL_NOEXCEPT;

/// Tells the prediction layers that so many tokens of the draft stayed that was computed last.
void cl_context_accept(cl_context *CL_NONNULL context, int32_t sequence, size_t count) CL_NOEXCEPT;

/// The likeliest token behind entry `index` of the last decode, and its probability; false when there is none.
bool cl_context_likeliest(cl_context *CL_NONNULL context, int32_t index, int32_t *CL_NONNULL out_token,
                          double *CL_NONNULL out_probability) CL_NOEXCEPT;

CL_END_DECLS

#endif
