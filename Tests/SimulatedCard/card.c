// A plugin of ALSA that simulates a sound card: it plays what is written in real time, into a file.
//
// As in a card, a buffer lies between the two: what has not been played can be written over. What is played is read a
// millisecond at a time. While there is a file of the same name with `.gone` at its end, the card has been taken out. It is built by
// the tests, and loaded by ALSA:
//
//   pcm.card { type simulated file "/path/of/the/samples" }
//   pcm_type.simulated { lib "/path/of/this/plugin.so" }

#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    snd_pcm_ioplug_t io;
    int timer;
    int file;
    char *gone;
    int runs;
    int paused;
    int ended;
    struct timespec begin;
    snd_pcm_uframes_t played;
    pthread_mutex_t mutex;
    pthread_t thread;
} card_t;

static double seconds_since(const struct timespec *begin) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) * 1e-9;
}

// With the mutex: plays what is due.
static void play(card_t *card) {
    if (!card->runs || card->paused) return;
    snd_pcm_uframes_t due = (snd_pcm_uframes_t)(seconds_since(&card->begin) * card->io.rate);
    const snd_pcm_channel_area_t *areas = snd_pcm_ioplug_mmap_areas(&card->io);
    size_t frame_size = areas->step / 8;
    while (card->played < due) {
        snd_pcm_uframes_t offset = card->played % card->io.buffer_size;
        snd_pcm_uframes_t count = card->io.buffer_size - offset;
        // What was never written is nothing.
        snd_pcm_uframes_t end = card->io.appl_ptr < due ? card->io.appl_ptr : due;
        if (card->played >= end) return;
        if (count > end - card->played) count = end - card->played;
        const char *samples = (const char *)areas->addr + areas->first / 8 + offset * frame_size;
        if (write(card->file, samples, count * frame_size) < 0) return;
        card->played += count;
    }
}

static void *play_always(void *argument) {
    card_t *card = argument;
    for (;;) {
        usleep(1000);
        pthread_mutex_lock(&card->mutex);
        int ended = card->ended;
        if (!ended) play(card);
        pthread_mutex_unlock(&card->mutex);
        if (ended) return NULL;
    }
}

// Whether the card has been taken out: a file says so.
static int is_gone(const char *path) { return access(path, F_OK) == 0; }

static int card_start(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    pthread_mutex_lock(&card->mutex);
    clock_gettime(CLOCK_MONOTONIC, &card->begin);
    card->played = 0;
    card->paused = 0;
    card->runs = 1;
    pthread_mutex_unlock(&card->mutex);
    return 0;
}

static int card_stop(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    pthread_mutex_lock(&card->mutex);
    play(card);
    card->runs = 0;
    pthread_mutex_unlock(&card->mutex);
    return 0;
}

static int card_pause(snd_pcm_ioplug_t *io, int enable) {
    card_t *card = io->private_data;
    pthread_mutex_lock(&card->mutex);
    play(card);
    card->paused = enable;
    if (!enable) {
        // As if it had begun as long ago as what it has played is long.
        double seconds = (double)card->played / io->rate;
        clock_gettime(CLOCK_MONOTONIC, &card->begin);
        card->begin.tv_sec -= (time_t)seconds;
        card->begin.tv_nsec -= (long)((seconds - (double)(time_t)seconds) * 1e9);
    }
    pthread_mutex_unlock(&card->mutex);
    return 0;
}

static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    if (is_gone(card->gone)) return -ENODEV;
    pthread_mutex_lock(&card->mutex);
    play(card);
    snd_pcm_uframes_t played = card->played;
    pthread_mutex_unlock(&card->mutex);
    return (snd_pcm_sframes_t)(played % io->buffer_size);
}

static int card_prepare(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    if (is_gone(card->gone)) return -ENODEV;
    long period = (long)(1e9 * (double)io->period_size / io->rate);
    struct itimerspec interval = {.it_interval = {0, period}, .it_value = {0, period}};
    card->played = 0;
    return timerfd_settime(card->timer, 0, &interval, NULL);
}

static int card_poll_revents(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned int count, unsigned short *events) {
    uint64_t ticks;
    (void)io;
    (void)count;
    *events = 0;
    if (fds[0].revents & POLLIN && read(fds[0].fd, &ticks, sizeof ticks) > 0) *events = POLLOUT;
    return 0;
}

static int card_close(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    pthread_mutex_lock(&card->mutex);
    card->ended = 1;
    pthread_mutex_unlock(&card->mutex);
    pthread_join(card->thread, NULL);
    close(card->timer);
    close(card->file);
    free(card->gone);
    free(card);
    return 0;
}

static const snd_pcm_ioplug_callback_t card_callback = {
    .start = card_start,
    .stop = card_stop,
    .pause = card_pause,
    .pointer = card_pointer,
    .prepare = card_prepare,
    .poll_revents = card_poll_revents,
    .close = card_close,
};

static int restrict_hardware(snd_pcm_ioplug_t *io) {
    static const unsigned int access[] = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
    static const unsigned int format[] = {SND_PCM_FORMAT_FLOAT_LE};
    int status = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, access);
    if (status >= 0) status = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, format);
    if (status >= 0) status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, 1, 8);
    if (status >= 0) status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, 8000, 192000);
    if (status >= 0) status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64, 1 << 20);
    if (status >= 0) status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
    return status;
}

SND_PCM_PLUGIN_DEFINE_FUNC(simulated) {
    const char *path = NULL;
    snd_config_iterator_t i, next;
    (void)root;
    snd_config_for_each(i, next, conf) {
        snd_config_t *entry = snd_config_iterator_entry(i);
        const char *id;
        if (snd_config_get_id(entry, &id) >= 0 && strcmp(id, "file") == 0) snd_config_get_string(entry, &path);
    }
    card_t *card = calloc(1, sizeof *card);
    if (!path || !card || asprintf(&card->gone, "%s.gone", path) < 0) return -EINVAL;
    if (is_gone(card->gone)) return -ENODEV;
    card->file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    card->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    pthread_mutex_init(&card->mutex, NULL);
    card->io.version = SND_PCM_IOPLUG_VERSION;
    card->io.name = "A simulated sound card";
    card->io.poll_fd = card->timer;
    card->io.poll_events = POLLIN;
    card->io.mmap_rw = 1;
    card->io.callback = &card_callback;
    card->io.private_data = card;
    int status = card->file < 0 || card->timer < 0 ? -errno : snd_pcm_ioplug_create(&card->io, name, stream, mode);
    if (status < 0) return status;
    status = restrict_hardware(&card->io);
    if (status >= 0) status = pthread_create(&card->thread, NULL, play_always, card) ? -EAGAIN : 0;
    if (status < 0) {
        snd_pcm_ioplug_delete(&card->io);
        return status;
    }
    *pcmp = card->io.pcm;
    return 0;
}

SND_PCM_PLUGIN_SYMBOL(simulated);

// Where this file is loaded before alsa-lib (LD_PRELOAD), what it simulates passes for hardware.
int snd_pcm_info_get_card(const snd_pcm_info_t *info) {
    (void)info;
    return 0;
}
