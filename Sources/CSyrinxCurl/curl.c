#include "CSyrinxCurl.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>

// The functions of libcurl, with the types that they have in curl/curl.h.
static struct {
    const char *(*version)(void);
    int (*global_init)(long flags);
    CSyrinxEasy *(*easy_init)(void);
    void (*easy_cleanup)(CSyrinxEasy *);
    int (*easy_setopt)(CSyrinxEasy *, int, ...);
    int (*easy_getinfo)(CSyrinxEasy *, int, ...);
    int (*easy_pause)(CSyrinxEasy *, int);
    CSyrinxList *(*slist_append)(CSyrinxList *, const char *);
    void (*slist_free_all)(CSyrinxList *);
    CSyrinxMulti *(*multi_init)(void);
    int (*multi_cleanup)(CSyrinxMulti *);
    int (*multi_setopt)(CSyrinxMulti *, int, ...);
    int (*multi_add_handle)(CSyrinxMulti *, CSyrinxEasy *);
    int (*multi_remove_handle)(CSyrinxMulti *, CSyrinxEasy *);
    int (*multi_perform)(CSyrinxMulti *, int *);
    int (*multi_poll)(CSyrinxMulti *, void *, unsigned, int, int *);
    int (*multi_wakeup)(CSyrinxMulti *);
    void *(*multi_info_read)(CSyrinxMulti *, int *);
    CSyrinxShare *(*share_init)(void);
    int (*share_setopt)(CSyrinxShare *, int, ...);
    int (*share_cleanup)(CSyrinxShare *);
} curl;

static char failure[512];

static void load_once(void) {
    // The second has the same functions, with GnuTLS below.
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(failure, sizeof failure, "%s", dlerror());
        library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
        if (!library) return;
        failure[0] = 0;
    }
    const struct {
        const char *name;
        void *place;
    } functions[] = {
        {"curl_version", &curl.version},
        {"curl_global_init", &curl.global_init},
        {"curl_easy_init", &curl.easy_init},
        {"curl_easy_cleanup", &curl.easy_cleanup},
        {"curl_easy_setopt", &curl.easy_setopt},
        {"curl_easy_getinfo", &curl.easy_getinfo},
        {"curl_easy_pause", &curl.easy_pause},
        {"curl_slist_append", &curl.slist_append},
        {"curl_slist_free_all", &curl.slist_free_all},
        {"curl_multi_init", &curl.multi_init},
        {"curl_multi_cleanup", &curl.multi_cleanup},
        {"curl_multi_setopt", &curl.multi_setopt},
        {"curl_multi_add_handle", &curl.multi_add_handle},
        {"curl_multi_remove_handle", &curl.multi_remove_handle},
        {"curl_multi_perform", &curl.multi_perform},
        {"curl_multi_poll", &curl.multi_poll},
        {"curl_multi_wakeup", &curl.multi_wakeup},
        {"curl_multi_info_read", &curl.multi_info_read},
        {"curl_share_init", &curl.share_init},
        {"curl_share_setopt", &curl.share_setopt},
        {"curl_share_cleanup", &curl.share_cleanup},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) {
            snprintf(failure, sizeof failure, "it has no function %s: version 7.87 or later is needed", functions[i].name);
            return;
        }
        *(void **)functions[i].place = function;
    }
    // CURL_GLOBAL_DEFAULT
    CSyrinxEasy *easy = curl.global_init(3) ? NULL : curl.easy_init();
    if (!easy) {
        snprintf(failure, sizeof failure, "it cannot be initialized");
    } else if (curl.easy_setopt(easy, CSYRINX_OPT_QUICK_EXIT, 1L)) {
        snprintf(failure, sizeof failure, "version 7.87 or later is needed");
    }
    if (easy) curl.easy_cleanup(easy);
}

const char *csyrinx_curl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_once);
    return failure[0] ? failure : NULL;
}

const char *csyrinx_curl_version(void) { return curl.version(); }

// A program that is started meanwhile would otherwise keep the connection open.
static int close_on_exec(void *context, int socket, int purpose) {
    (void)context;
    (void)purpose;
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    // CURL_SOCKOPT_OK
    return 0;
}

CSyrinxEasy *csyrinx_easy_init(void) {
    CSyrinxEasy *easy = curl.easy_init();
    if (!easy) return NULL;
    // CURLOPT_SOCKOPTFUNCTION
    curl.easy_setopt(easy, 20148, close_on_exec);
    // CURLOPT_COOKIEFILE: an empty name turns cookies on, and reads no file.
    curl.easy_setopt(easy, 10031, "");
    return easy;
}
void csyrinx_easy_cleanup(CSyrinxEasy *easy) { curl.easy_cleanup(easy); }
int csyrinx_easy_set_long(CSyrinxEasy *easy, int option, long value) { return curl.easy_setopt(easy, option, value); }
int csyrinx_easy_set_string(CSyrinxEasy *easy, int option, const char *value) {
    return curl.easy_setopt(easy, option, value);
}
int csyrinx_easy_set_pointer(CSyrinxEasy *easy, int option, void *value) {
    return curl.easy_setopt(easy, option, value);
}
int csyrinx_easy_set_receiver(CSyrinxEasy *easy, int option, CSyrinxReceiver value) {
    return curl.easy_setopt(easy, option, value);
}
int csyrinx_easy_get_long(CSyrinxEasy *easy, int info, long *value) { return curl.easy_getinfo(easy, info, value); }
int csyrinx_easy_get_list(CSyrinxEasy *easy, int info, CSyrinxList **value) {
    return curl.easy_getinfo(easy, info, value);
}
int csyrinx_easy_pause(CSyrinxEasy *easy, int mask) { return curl.easy_pause(easy, mask); }

CSyrinxList *csyrinx_slist_append(CSyrinxList *list, const char *text) { return curl.slist_append(list, text); }
void csyrinx_slist_free_all(CSyrinxList *list) { curl.slist_free_all(list); }

CSyrinxMulti *csyrinx_multi_init(void) { return curl.multi_init(); }
int csyrinx_multi_cleanup(CSyrinxMulti *multi) { return curl.multi_cleanup(multi); }
int csyrinx_multi_set_long(CSyrinxMulti *multi, int option, long value) {
    return curl.multi_setopt(multi, option, value);
}
int csyrinx_multi_add_handle(CSyrinxMulti *multi, CSyrinxEasy *easy) { return curl.multi_add_handle(multi, easy); }
int csyrinx_multi_remove_handle(CSyrinxMulti *multi, CSyrinxEasy *easy) {
    return curl.multi_remove_handle(multi, easy);
}
int csyrinx_multi_perform(CSyrinxMulti *multi) {
    int running = 0;
    return curl.multi_perform(multi, &running);
}
int csyrinx_multi_poll(CSyrinxMulti *multi, int milliseconds) {
    return curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}
int csyrinx_multi_wakeup(CSyrinxMulti *multi) { return curl.multi_wakeup(multi); }

CSyrinxEasy *csyrinx_multi_next_ended(CSyrinxMulti *multi, int *result) {
    // CURLMsg, of which only CURLMSG_DONE exists.
    const struct {
        int message;
        CSyrinxEasy *easy;
        union {
            void *whatever;
            int result;
        } data;
    } *message;
    int left = 0;
    while ((message = curl.multi_info_read(multi, &left))) {
        if (message->message != 1) continue;
        *result = message->data.result;
        return message->easy;
    }
    return NULL;
}

CSyrinxShare *csyrinx_share_init(void) { return curl.share_init(); }
// CURLSHOPT_SHARE
int csyrinx_share_add(CSyrinxShare *share, int data) { return curl.share_setopt(share, 1, data); }
int csyrinx_share_cleanup(CSyrinxShare *share) { return curl.share_cleanup(share); }
