/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verify_option: refuses what cannot be verified, and notes what is verified less than it seems. */
#include "load/verify_option.h"

#include <inttypes.h>

#include "base/err.h"
#include "load/plan.h"
#include "load/verify.h"
#include "model/job.h"
#include "model/note.h"
#include "model/trap.h"
#include "verify/sum.h"

static int check_header(const struct job *job, struct err *err)
{
	const struct block_format format = { .method =
						     sum_method((enum verify_method)job->verify) };
	uint64_t header_bytes = block_overhead_bytes(&format);
	uint32_t interval_bytes = verify_interval_of(job);
	uint32_t at_bytes = job->verify_offset_bytes;

	if (header_bytes == 0)
		return 0;
	if (header_bytes >= interval_bytes)
		return err_set(err, ERR_INPUT,
			       "verify=%s: a block of %" PRIu32
			       " bytes has no room for a header of %" PRIu64,
			       format.method->name, interval_bytes, header_bytes);
	if (at_bytes && at_bytes < header_bytes)
		return err_set(err, ERR_INPUT,
			       "verify_offset %" PRIu32 " is within the header of verify=%s, "
			       "which has %" PRIu64 " bytes",
			       at_bytes, format.method->name, header_bytes);
	if (at_bytes + header_bytes > interval_bytes)
		return err_set(err, ERR_INPUT,
			       "verify_offset %" PRIu32 ": a block of %" PRIu32
			       " bytes ends within the header, which has %" PRIu64,
			       at_bytes, interval_bytes, header_bytes);
	return 0;
}

/* I/Os have to lie on one grid, or parts of blocks would be overwritten. */
static int check_grid(const struct job *job, struct err *err)
{
	uint64_t interval_bytes = verify_interval_of(job);
	uint64_t step_bytes =
		(uint64_t)(job->rw_step_bytes < 0 ? -job->rw_step_bytes : job->rw_step_bytes);

	if (job_does(job, IO_WRITE) && job->bs_unaligned)
		return err_set(err, ERR_INPUT,
			       "verify: with bs_unaligned no block has a place of its own");
	if (job_does(job, IO_WRITE) && step_bytes % interval_bytes)
		return err_set(err, ERR_INPUT,
			       "verify: the step of rw, %" PRIu64
			       ", is not a multiple of the verify_interval of %" PRIu64,
			       step_bytes, interval_bytes);
	return 0;
}

int verify_option_check(const struct job *job, struct err *err)
{
	const struct sum_method *method;
	int ret;

	if (job->verify == VERIFY_NONE)
		return 0;
	method = sum_method((enum verify_method)job->verify);
	if (method->has_pattern && !job->verify_pattern)
		return err_set(err, ERR_INPUT, "verify=%s needs a verify_pattern", method->name);
	ret = check_header(job, err);
	return ret < 0 ? ret : check_grid(job, err);
}

static bool have_common_bytes(const struct clone_plan *a, const struct clone_plan *b)
{
	for (size_t i = 0; i < a->nr_files; i++) {
		for (size_t j = 0; j < b->nr_files; j++) {
			const struct region *x = &a->regions[i], *y = &b->regions[j];

			if (a->files[i] == b->files[j] &&
			    x->start_bytes < y->start_bytes + y->len_bytes &&
			    y->start_bytes < x->start_bytes + x->len_bytes)
				return true;
		}
	}
	return false;
}

static bool is_shared(const struct plan *plan, const struct clone_plan *clone)
{
	for (size_t i = 0; i < plan->nr; i++) {
		const struct clone_plan *other = &plan->clones[i];

		if (other != clone && other->job->phase == clone->job->phase &&
		    (other->dirs & (RW_WRITE | RW_TRIM)) && have_common_bytes(clone, other))
			return true;
	}
	return false;
}

static void note_interval(const struct job *job, struct note_list *notes)
{
	uint32_t interval_bytes = verify_interval_of(job);

	if (job->verify_interval_bytes && job->verify_interval_bytes != interval_bytes)
		note_add(
			notes, NOTE_OPTION_WARNING,
			"job '%s': bs is no multiple of verify_interval %u, so there is one header "
			"every %" PRIu32 " bytes",
			job->name, job->verify_interval_bytes, interval_bytes);
}

void verify_option_plan(struct plan *plan, struct note_list *notes)
{
	for (size_t i = 0; i < plan->nr; i++) {
		struct clone_plan *clone = &plan->clones[i];

		if (clone->job->verify == VERIFY_NONE)
			continue;
		note_interval(clone->job, notes);
		if ((clone->dirs & RW_WRITE) && !clone->job->verify_state_save)
			note_add(notes, NOTE_FIO_TRAP,
				 "no verify.state is left behind without verify_state_save=1; fio "
				 "leaves one (trap %s)",
				 trap_row(TRAP_STATE_LEFT)->name);
		clone->is_shared = is_shared(plan, clone);
		if (clone->is_shared)
			note_add(notes, NOTE_SHARED_FILE,
				 "job '%s': others write to the same blocks, so that verify cannot "
				 "know which write was the last",
				 clone->job->name);
	}
}
