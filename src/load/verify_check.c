/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verify_check: compares what was read with what was written, and tells and dumps what differs. */
#include "load/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "load/files.h"
#include "load/plan.h"
#include "model/job.h"
#include "model/pattern.h"
#include "verify/sum.h"

#define DUMP_MODE 0644

/* One interval of an I/O under check. */
struct checked_block {
	struct verify *verify;
	const struct verify_io *io;
	unsigned char *data;
	uint32_t len_bytes; /* that are there */
	struct block_expectation expectation;
	struct block_verdict verdict;
};

static const char *path_of(const struct verify *verify, uint32_t file)
{
	return verify->table->items[verify->plan->files[file]].path;
}

/* Nothing but the name of the data file and the offset, as fio's. Says what came of it. */
static void dump(struct strbuf *text, const struct checked_block *block, const char *suffix,
		 const void *data)
{
	const char *path = path_of(block->verify, block->io->file);
	const char *slash = strrchr(path, '/');
	CLEANUP(free)
	char *name = xasprintf("%s.%" PRIu64 ".%s", slash ? slash + 1 : path,
			       block->expectation.offset_bytes, suffix);
	CLEANUP(fd) int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, DUMP_MODE);
	ssize_t written = fd < 0 ? -1 : write(fd, data, block->len_bytes);

	if (written == (ssize_t)block->len_bytes)
		strbuf_printf(text, "; %s data dumped as %s", suffix, name);
	else
		strbuf_printf(text, "; %s data not dumped as %s: %s", suffix, name,
			      strerror(written < 0 ? errno : ENOSPC));
}

/* What should be there: the write that the map names, else the one that the header names. */
static void make_expected(const struct checked_block *block, unsigned char *to)
{
	const struct verify *verify = block->verify;
	const struct block_expectation *expectation = &block->expectation;
	const struct pattern *pattern = verify->format.pattern;
	struct block_id id = {
		.offset_bytes = expectation->offset_bytes,
		.seed = block->verdict.seed,
		.number = block->verdict.number,
		.thread = block->verdict.thread,
	};
	size_t first = (size_t)(expectation->offset_bytes - expectation->io_offset_bytes);

	if (expectation->has_number) {
		id.number = expectation->number;
		id.thread = expectation->thread;
		id.seed = rng_mix64(rng_mix64(verify->seed + id.number + 1) + id.offset_bytes);
	}
	if (pattern && first) {
		for (uint32_t at = 0; at < block->len_bytes; at++)
			to[at] = pattern_byte(pattern, first + at, expectation->io_offset_bytes);
	} else {
		block_fill(&verify->format, to, block->len_bytes, id.seed,
			   expectation->io_offset_bytes);
	}
	block_seal(&verify->format, to, block->len_bytes, &id);
}

static void dump_block(struct strbuf *text, const struct checked_block *block)
{
	const struct block_verdict *verdict = &block->verdict;
	CLEANUP(free) unsigned char *expected = xcalloc(1, block->len_bytes + 1);
	bool is_header = block_fault_is_header(verdict->fault);

	dump(text, block, is_header ? "hdr_fail" : "received", block->data);
	if (verdict->fault == BLOCK_CUT || (is_header && !block->expectation.has_number))
		return; /* nobody knows */
	if (verdict->fault != BLOCK_NOT_ZERO)
		make_expected(block, expected);
	dump(text, block, "expected", expected);
}

/* One line, the first half of it as fio has it. */
static char *describe(const struct checked_block *block)
{
	const struct verify *verify = block->verify;
	const struct block_verdict *verdict = &block->verdict;
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	const char *name = verdict->fault == BLOCK_NOT_ZERO ? "trim" : verify->format.method->name;

	if (block_fault_is_header(verdict->fault))
		strbuf_printf(&text, "verify: %s %s at", block_fault_name(verdict->fault),
			      verdict->text);
	else
		strbuf_printf(&text, "%s: verify failed at", name);
	strbuf_printf(&text,
		      " file %s offset %" PRIu64 ", length %" PRIu32
		      " (requested block: offset=%" PRIu64 ", length=%" PRIu32 "), block %" PRIu64,
		      path_of(verify, block->io->file), block->expectation.offset_bytes,
		      verify->interval_bytes, block->io->offset_bytes, block->io->len_bytes,
		      block->expectation.offset_bytes / verify->interval_bytes);
	if (!block_fault_is_header(verdict->fault))
		strbuf_printf(&text, ": %s", verdict->text);
	if (verify->job->verify_dump && block->len_bytes)
		dump_block(&text, block);
	return strbuf_take(&text);
}

static void report(struct checked_block *block)
{
	struct verify_reports *reports = &block->verify->reports;

	(void)pthread_mutex_lock(&reports->lock);
	if (reports->nr_texts < VERIFY_MAX_REPORTS)
		reports->texts[reports->nr_texts++] = describe(block);
	(void)pthread_mutex_unlock(&reports->lock);
}

/* The entry that the block is judged by; false: it was never written. */
static bool find_entry(const struct checked_block *block, uint32_t *ret_entry)
{
	const struct verify *verify = block->verify;
	const uint32_t *entry;
	size_t nr;

	*ret_entry = block->io->entry;
	if (block->io->is_known || !verify->has_map)
		return true;
	entry = verify_map_at(&verify->map, block->io->file, block->expectation.offset_bytes,
			      verify->interval_bytes, &nr);
	if (!entry || (*entry & VERIFY_ENTRY_NUMBER) == 0)
		return false;
	*ret_entry = *entry;
	return true;
}

static bool is_cut(struct checked_block *block)
{
	if (block->len_bytes == block->verify->interval_bytes)
		return false;
	block->verdict = (struct block_verdict){ .fault = BLOCK_CUT };
	(void)snprintf(block->verdict.text, sizeof(block->verdict.text),
		       "the file ends after %" PRIu32 " bytes of it", block->len_bytes);
	return true;
}

static bool is_good(struct checked_block *block, uint32_t entry)
{
	const struct verify *verify = block->verify;
	struct block_expectation *expectation = &block->expectation;

	if (is_cut(block))
		return false;
	if ((entry & VERIFY_ENTRY_NUMBER) == VERIFY_ENTRY_TRIMMED)
		return !verify->job->trim_verify_zero ||
		       block_check_zero(block->data, block->len_bytes, &block->verdict);
	/* verify_only does not know in which order another program wrote */
	expectation->has_number = entry && !verify->job->verify_only &&
				  !(entry & VERIFY_ENTRY_IN_FLIGHT) &&
				  verify->job->verify_write_sequence;
	expectation->number = (entry & VERIFY_ENTRY_NUMBER) - 1;
	return block_check(&verify->format, block->data, block->len_bytes, expectation,
			   &block->verdict);
}

static bool check_block(struct checked_block *block)
{
	uint32_t entry;

	if (!find_entry(block, &entry) || is_good(block, entry))
		return true;
	if (entry & VERIFY_ENTRY_IN_FLIGHT) {
		(void)atomic_fetch_add(&block->verify->reports.nr_unknown, 1);
		return true; /* old, new or half of each: a killed run leaves any of them */
	}
	report(block);
	return false;
}

bool verify_check(struct verify *verify, const struct verify_io *io, void *buf, uint32_t got_bytes)
{
	bool is_all_good = true;

	if (verify->job->verify == VERIFY_NULL || verify->format.method->type == 0)
		return true;
	for (uint32_t at = 0; at < io->len_bytes; at += verify->interval_bytes) {
		uint32_t left_bytes = at < got_bytes ? got_bytes - at : 0;
		uint64_t offset_bytes = io->offset_bytes + at;
		struct checked_block block = {
			.verify = verify,
			.io = io,
			.data = (unsigned char *)buf + at,
			.len_bytes = left_bytes < verify->interval_bytes ? left_bytes
									: verify->interval_bytes,
			.expectation = {
				.offset_bytes = offset_bytes,
				.io_offset_bytes = verify->is_pattern_per_interval
							   ? offset_bytes
							   : io->offset_bytes,
				.thread = verify->thread,
				.may_be_of_another = verify->plan->is_shared,
			},
		};

		if (check_block(&block))
			continue;
		is_all_good = false;
		if (verify->job->verify_fatal || block.verdict.fault == BLOCK_CUT)
			break;
	}
	if (!is_all_good)
		(void)atomic_fetch_add(&verify->reports.nr_failed, 1);
	return is_all_good;
}
