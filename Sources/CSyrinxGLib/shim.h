#pragma once
#include <glib.h>
#include <glib-unix.h>

// What libdispatch offers to run loops that are not its own: Core Foundation's run loop uses the same two. They are exported
// from the library, and not declared in a header that is installed.

// The event descriptor that counts wake-ups of the main queue.
extern int _dispatch_get_main_queue_handle_4CF(void);
// Runs what the main queue holds; on the main thread only.
extern void _dispatch_main_queue_callback_4CF(void *message);
