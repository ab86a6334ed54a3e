/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracepoint: perf rings without perf(1). */
#include "monitor/tracepoint.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"

#define MAX_FORMAT_BYTES (1U << 20)
#define ALL_RINGS_BYTES (64UL << 20)
#define MIN_RING_BYTES (512UL << 10)
#define MAX_RING_BYTES (8UL << 20)
#define MAX_RECORD_BYTES 65536 /* its length has 16 bits */

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* A share of all, so that a machine of many CPUs does not lose its memory to them. */
static size_t choose_ring_bytes(size_t nr_rings)
{
	size_t bytes = MAX_RING_BYTES;

	while (bytes > MIN_RING_BYTES && bytes * nr_rings > ALL_RINGS_BYTES)
		bytes /= 2;
	return bytes;
}

static int map_rings(struct tracepoint *tracepoint, struct err *err)
{
	const struct perf_event *event = &tracepoint->event;

	tracepoint->rings = xcalloc(event->nr + 1, sizeof(*tracepoint->rings));
	tracepoint->ring_bytes = choose_ring_bytes(event->nr);
	for (size_t i = 0; i < event->nr; i++) {
		void *pages = mmap(NULL, page_bytes() + tracepoint->ring_bytes,
				   PROT_READ | PROT_WRITE, MAP_SHARED, event->fds[i], 0);

		if (pages == MAP_FAILED)
			return err_set_errno(err, "memory for a perf ring");
		tracepoint->rings[i].pages = pages;
	}
	return 0;
}

static int set_filter(const struct perf_event *event, const char *filter, struct err *err)
{
	for (size_t i = 0; i < event->nr; i++) {
		if (ioctl(event->fds[i], PERF_EVENT_IOC_SET_FILTER, filter) < 0)
			return err_set_errno(err, "perf filter '%s'", filter);
	}
	return 0;
}

/* Its number and its format; a tracefs that is not mounted has none. */
static int read_description(const char *tracefs, const char *name, uint64_t *ret_id,
			    struct strbuf *format, struct err *err)
{
	CLEANUP(free) char *id = xasprintf("%s/events/%s/id", tracefs, name);
	CLEANUP(free) char *text = xasprintf("%s/events/%s/format", tracefs, name);

	if (file_read_u64(id, ret_id, NULL) < 0 ||
	    file_read(text, MAX_FORMAT_BYTES, format, NULL) < 0)
		return err_set(err, ERR_UNSUPPORTED,
			       "no tracepoint %s in %s: not mounted, not in this kernel, or not "
			       "for this user",
			       name, tracefs);
	return 0;
}

static int open_events(struct tracepoint *tracepoint, uint64_t id, const char *filter,
		       struct err *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.config = id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1, /* nobody waits for a record */
		.wakeup_watermark = MAX_RING_BYTES,
	};
	int ret = perf_event_open_all(&attr, &tracepoint->event, err);

	if (ret == 0 && filter)
		ret = set_filter(&tracepoint->event, filter, err);
	return ret < 0 ? ret : map_rings(tracepoint, err);
}

int tracepoint_open(const char *tracefs, const char *name, const char *filter,
		    struct tracepoint *ret_tracepoint, struct err *err)
{
	struct tracepoint tracepoint = { .format = STRBUF_INIT };
	uint64_t id = 0;
	int ret = read_description(tracefs, name, &id, &tracepoint.format, err);

	if (ret == 0)
		ret = open_events(&tracepoint, id, filter, err);
	if (ret < 0)
		tracepoint_close(&tracepoint);
	else
		*ret_tracepoint = tracepoint;
	return ret;
}

/* A ring may go around within a record. */
static void copy_out(const struct tracepoint *tracepoint, const struct tracepoint_ring *ring,
		     uint64_t at, void *to, size_t len)
{
	const char *data = (const char *)ring->pages + page_bytes();
	size_t from = (size_t)(at & (tracepoint->ring_bytes - 1));
	size_t first = tracepoint->ring_bytes - from;

	if (first > len)
		first = len;
	memcpy(to, data + from, first);
	memcpy((char *)to + first, data, len - first);
}

/* PERF_RECORD_SAMPLE of TIME and RAW, PERF_RECORD_LOST: perf_event_open(2). */
struct sample_head {
	struct perf_event_header header;
	uint64_t time_ns;
	uint32_t raw_len;
};

struct lost {
	struct perf_event_header header;
	uint64_t id, nr;
};

static void drain_ring(struct tracepoint *tracepoint, struct tracepoint_ring *ring, char *record,
		       void (*take)(void *arg, uint64_t time_ns, const void *raw, size_t len),
		       void *arg)
{
	struct perf_event_mmap_page *control = ring->pages;
	uint64_t head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);

	while (ring->tail < head) {
		struct perf_event_header header;
		const size_t sample_len = offsetof(struct sample_head, raw_len) + sizeof(uint32_t);

		copy_out(tracepoint, ring, ring->tail, &header, sizeof(header));
		if (header.size < sizeof(header))
			break; /* no such thing is written */
		copy_out(tracepoint, ring, ring->tail, record, header.size);
		ring->tail += header.size;
		if (header.type == PERF_RECORD_LOST && header.size >= sizeof(struct lost)) {
			tracepoint->nr_lost += ((const struct lost *)(const void *)record)->nr;
		} else if (header.type == PERF_RECORD_SAMPLE && header.size >= sample_len) {
			const struct sample_head *sample = (const void *)record;
			size_t len = header.size - sample_len;

			take(arg, sample->time_ns, record + sample_len,
			     sample->raw_len < len ? sample->raw_len : len);
		}
	}
	__atomic_store_n(&control->data_tail, ring->tail, __ATOMIC_RELEASE);
}

void tracepoint_drain(struct tracepoint *tracepoint,
		      void (*take)(void *arg, uint64_t time_ns, const void *raw, size_t len),
		      void *arg)
{
	CLEANUP(free) char *record = xmalloc(MAX_RECORD_BYTES);

	for (size_t i = 0; i < tracepoint->event.nr; i++)
		drain_ring(tracepoint, &tracepoint->rings[i], record, take, arg);
}

void tracepoint_close(struct tracepoint *tracepoint)
{
	for (size_t i = 0; tracepoint->rings && i < tracepoint->event.nr; i++) {
		if (tracepoint->rings[i].pages)
			(void)munmap(tracepoint->rings[i].pages,
				     page_bytes() + tracepoint->ring_bytes);
	}
	free(tracepoint->rings);
	perf_event_close(&tracepoint->event);
	strbuf_release(&tracepoint->format);
	*tracepoint = (struct tracepoint){ .nr_lost = tracepoint->nr_lost };
}
