// Streams that take part in a capture, for the streams of both APIs. Each library includes this once, in the file that has
// its streams.
#ifndef PTXSAN_CAPTURE_H
#define PTXSAN_CAPTURE_H

#include "handles.h"

#include <pthread.h>

// All streams that capture, so that they leave the capture when it ends.
static pthread_mutex_t capture_lock = PTHREAD_MUTEX_INITIALIZER;
static struct stream *capturing;

// join_capture makes a stream that does not capture take part in a capture.
static void join_capture(struct stream *s, struct graph *g) {
	pthread_mutex_lock(&capture_lock);
	s->capture = g, s->next = capturing;
	capturing = s;
	pthread_mutex_unlock(&capture_lock);
}

// leave_capture ends a capture for all its streams, or for one.
static void leave_capture(const struct graph *g, const struct stream *one) {
	pthread_mutex_lock(&capture_lock);
	for (struct stream **p = &capturing; *p != NULL;) {
		struct stream *s = *p;
		if (s->capture != g || (one != NULL && s != one)) {
			p = &s->next;
			continue;
		}
		*p = s->next;
		s->capture = NULL;
	}
	pthread_mutex_unlock(&capture_lock);
}

#endif
