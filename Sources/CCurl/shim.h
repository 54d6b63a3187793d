#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>

// Swift cannot call C functions with variable arguments, so each kind of argument has its own function here.

static inline CURLcode ccurl_set_number(CURL *_Nonnull easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_text(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_list(CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

/// For `CURLOPT_HEADERFUNCTION` and `CURLOPT_WRITEFUNCTION`, whose functions have the same type.
static inline CURLcode ccurl_set_receiver(CURL *_Nonnull easy, CURLoption option, curl_write_callback _Nonnull value) {
    return curl_easy_setopt(easy, option, value);
}

/// For `CURLOPT_OPENSOCKETFUNCTION`.
static inline CURLcode ccurl_set_opener(CURL *_Nonnull easy, curl_opensocket_callback _Nonnull value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

/// The address that the transfer's connection led to, if there was one; valid until the next transfer.
static inline const char *_Nullable ccurl_peer(CURL *_Nonnull easy) {
    char *text = NULL;
    return curl_easy_getinfo(easy, CURLINFO_PRIMARY_IP, &text) == CURLE_OK ? text : NULL;
}

/// Allows http and https only, for what is sent and for every address that libcurl might be led to.
static inline CURLcode ccurl_allow_only_http(CURL *_Nonnull easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    long allowed = CURLPROTO_HTTP | CURLPROTO_HTTPS;
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS, allowed);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS, allowed);
#endif
}

/// Lets a transfer that is given up leave the thread that looks its host up behind, instead of waiting for it.
static inline void ccurl_leave_resolver_behind(CURL *_Nonnull easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    (void)curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
#endif
}

/// Whether the transfer's connection stands, TLS included.
static inline int ccurl_is_connected(CURL *_Nonnull easy) {
    curl_off_t microseconds = 0;
    return curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &microseconds) == CURLE_OK && microseconds > 0;
}

/// The code of the finished transfer that `multi` has to tell of; false while there is none.
static inline int ccurl_take_result(CURLM *_Nonnull multi, CURLcode *_Nonnull code) {
    int left = 0;
    CURLMsg *message = curl_multi_info_read(multi, &left);
    if (message == NULL || message->msg != CURLMSG_DONE) return 0;
    *code = message->data.result;
    return 1;
}

#endif
