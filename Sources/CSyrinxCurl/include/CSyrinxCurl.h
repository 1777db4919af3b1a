// libcurl, loaded when the first URL is opened.
//
// Linking libcurl would cost each start of a program some 7 ms. So this header needs none of libcurl's own, and the program
// needs libcurl only at run time. The numbers are those of curl/curl.h. They never change: libcurl keeps the binary interface of
// libcurl.so.4 compatible (https://curl.se/libcurl/abi.html).
//
// All functions but csyrinx_curl_load and csyrinx_multi_wakeup are called on one thread, and only after csyrinx_curl_load has
// returned NULL. Each has the result of the function of libcurl that its name ends with.

#ifndef CSYRINX_CURL_H
#define CSYRINX_CURL_H

#include <stddef.h>

/// A transfer: libcurl's `CURL`.
typedef struct CSyrinxEasy CSyrinxEasy;
/// The transfers of a thread: libcurl's `CURLM`.
typedef struct CSyrinxMulti CSyrinxMulti;
/// Cookies and TLS sessions that several transfers share: libcurl's `CURLSH`.
typedef struct CSyrinxShare CSyrinxShare;
/// A list of strings: libcurl's `curl_slist`.
typedef struct CSyrinxList {
    char *data;
    struct CSyrinxList *next;
} CSyrinxList;

/// A receiver of header lines or of bytes of a body.
typedef size_t (*CSyrinxReceiver)(char *bytes, size_t size, size_t count, void *context);

/// Loads libcurl. Returns NULL, or the reason why libcurl cannot be used. Any thread may call it, any number of times.
const char *csyrinx_curl_load(void);

/// Returns the versions of libcurl and of the libraries below it.
const char *csyrinx_curl_version(void);

CSyrinxEasy *csyrinx_easy_init(void);
void csyrinx_easy_cleanup(CSyrinxEasy *easy);
int csyrinx_easy_set_long(CSyrinxEasy *easy, int option, long value);
int csyrinx_easy_set_string(CSyrinxEasy *easy, int option, const char *value);
int csyrinx_easy_set_pointer(CSyrinxEasy *easy, int option, void *value);
int csyrinx_easy_set_receiver(CSyrinxEasy *easy, int option, CSyrinxReceiver value);
int csyrinx_easy_get_long(CSyrinxEasy *easy, int info, long *value);
int csyrinx_easy_get_list(CSyrinxEasy *easy, int info, CSyrinxList **value);
int csyrinx_easy_pause(CSyrinxEasy *easy, int mask);

CSyrinxList *csyrinx_slist_append(CSyrinxList *list, const char *text);
void csyrinx_slist_free_all(CSyrinxList *list);

CSyrinxMulti *csyrinx_multi_init(void);
int csyrinx_multi_cleanup(CSyrinxMulti *multi);
int csyrinx_multi_set_long(CSyrinxMulti *multi, int option, long value);
int csyrinx_multi_add_handle(CSyrinxMulti *multi, CSyrinxEasy *easy);
int csyrinx_multi_remove_handle(CSyrinxMulti *multi, CSyrinxEasy *easy);
int csyrinx_multi_perform(CSyrinxMulti *multi);
int csyrinx_multi_poll(CSyrinxMulti *multi, int milliseconds);
int csyrinx_multi_wakeup(CSyrinxMulti *multi);
/// Returns the next transfer that has ended, and stores its `CURLcode` in `result`. Returns NULL if no further one has ended.
CSyrinxEasy *csyrinx_multi_next_ended(CSyrinxMulti *multi, int *result);

CSyrinxShare *csyrinx_share_init(void);
int csyrinx_share_add(CSyrinxShare *share, int data);
int csyrinx_share_cleanup(CSyrinxShare *share);

enum {
    CSYRINX_OPT_POST = 47,
    CSYRINX_OPT_POSTFIELDSIZE = 60,
    CSYRINX_OPT_FRESH_CONNECT = 74,
    CSYRINX_OPT_FORBID_REUSE = 75,
    CSYRINX_OPT_HTTPGET = 80,
    CSYRINX_OPT_HTTP_VERSION = 84,
    CSYRINX_OPT_NOSIGNAL = 99,
    CSYRINX_OPT_HTTPAUTH = 107,
    CSYRINX_OPT_CONNECTTIMEOUT_MS = 156,
    CSYRINX_OPT_PATH_AS_IS = 234,
    CSYRINX_OPT_SUPPRESS_CONNECT_HEADERS = 265,
    CSYRINX_OPT_MAXAGE_CONN = 288,
    CSYRINX_OPT_QUICK_EXIT = 322,
    CSYRINX_OPT_WRITEDATA = 10001,
    CSYRINX_OPT_URL = 10002,
    CSYRINX_OPT_PROXY = 10004,
    CSYRINX_OPT_ERRORBUFFER = 10010,
    CSYRINX_OPT_COOKIE = 10022,
    CSYRINX_OPT_HTTPHEADER = 10023,
    CSYRINX_OPT_HEADERDATA = 10029,
    CSYRINX_OPT_CUSTOMREQUEST = 10036,
    CSYRINX_OPT_CAINFO = 10065,
    CSYRINX_OPT_CAPATH = 10097,
    CSYRINX_OPT_SHARE = 10100,
    CSYRINX_OPT_ACCEPT_ENCODING = 10102,
    CSYRINX_OPT_HTTP200ALIASES = 10104,
    CSYRINX_OPT_COOKIELIST = 10135,
    CSYRINX_OPT_COPYPOSTFIELDS = 10165,
    CSYRINX_OPT_USERNAME = 10173,
    CSYRINX_OPT_PASSWORD = 10174,
    CSYRINX_OPT_NOPROXY = 10177,
    CSYRINX_OPT_PROTOCOLS_STR = 10318,
    CSYRINX_OPT_WRITEFUNCTION = 20011,
    CSYRINX_OPT_HEADERFUNCTION = 20079,
};

enum {
    CSYRINX_MULTI_MAXCONNECTS = 6,
};

enum {
    CSYRINX_INFO_HTTP_CONNECTCODE = 0x200016,
    CSYRINX_INFO_OS_ERRNO = 0x200019,
    CSYRINX_INFO_COOKIELIST = 0x40001c,
};

enum {
    CSYRINX_AUTH_BASIC = 1,
    CSYRINX_AUTH_DIGEST = 2,
};

enum {
    CSYRINX_HTTP_1_1 = 2,
    /// HTTP/2 over TLS, HTTP/1.1 without.
    CSYRINX_HTTP_2_TLS = 4,
};

enum {
    CSYRINX_SHARE_COOKIES = 2,
    CSYRINX_SHARE_TLS_SESSIONS = 4,
    CSYRINX_SHARE_PUBLIC_SUFFIXES = 6,
};

enum {
    CSYRINX_WRITEFUNC_PAUSE = 0x10000001,
    CSYRINX_PAUSE_CONT = 0,
    CSYRINX_ERROR_SIZE = 256,
};

/// Values of `CURLcode`.
enum {
    CSYRINX_E_OK = 0,
    CSYRINX_E_UNSUPPORTED_PROTOCOL = 1,
    CSYRINX_E_URL_MALFORMAT = 3,
    CSYRINX_E_COULDNT_RESOLVE_PROXY = 5,
    CSYRINX_E_COULDNT_RESOLVE_HOST = 6,
    CSYRINX_E_COULDNT_CONNECT = 7,
    CSYRINX_E_WEIRD_SERVER_REPLY = 8,
    CSYRINX_E_PARTIAL_FILE = 18,
    CSYRINX_E_OUT_OF_MEMORY = 27,
    CSYRINX_E_OPERATION_TIMEDOUT = 28,
    CSYRINX_E_SSL_CONNECT_ERROR = 35,
    CSYRINX_E_BAD_FUNCTION_ARGUMENT = 43,
    CSYRINX_E_RECV_ERROR = 56,
    CSYRINX_E_SSL_CERTPROBLEM = 58,
    CSYRINX_E_SSL_CIPHER = 59,
    CSYRINX_E_PEER_FAILED_VERIFICATION = 60,
    CSYRINX_E_BAD_CONTENT_ENCODING = 61,
    CSYRINX_E_SSL_CACERT_BADFILE = 77,
    CSYRINX_E_SSL_ISSUER_ERROR = 83,
    CSYRINX_E_PROXY = 97,
    CSYRINX_E_SSL_CLIENTCERT = 98,
    CSYRINX_E_TOO_LARGE = 100,
};

#endif
