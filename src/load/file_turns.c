/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file_turns: round robin, random, sequential and uneven turns of the files of a clone. */
#include "load/file_turns.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

void file_turns_init(struct file_turns *turns, const struct job *job, size_t nr_files,
		     const struct rng *rng)
{
	*turns = (struct file_turns){
		.max_active =
			job->open_files && job->open_files < nr_files ? job->open_files : nr_files,
		.nr_files = nr_files,
		.ios_each = job->file_service_ios ? job->file_service_ios : 1,
		.service = job->file_service,
		.rng = *rng,
	};
	turns->is_plain = turns->service == FILE_SERVICE_ROUNDROBIN && turns->ios_each == 1;
	turns->active = xcalloc(turns->max_active + 1, sizeof(*turns->active));
	if (turns->service == FILE_SERVICE_DISTRIBUTION)
		spread_init(&turns->spread, &job->file_distribution, IO_READ, nr_files, 1,
			    &turns->rng);
}

void file_turns_release(struct file_turns *turns)
{
	free(turns->active);
	turns->active = NULL;
}

void file_turns_begin_pass(struct file_turns *turns)
{
	for (size_t i = 0; i < turns->max_active; i++)
		turns->active[i] = i;
	turns->nr_active = turns->waiting = turns->max_active;
	turns->at = 0;
	turns->ios_left = 0;
}

/* The place of the file that was drawn or, if it is not being served, of the next one that is. */
static size_t draw_place(struct file_turns *turns)
{
	size_t file = (size_t)spread_draw(&turns->spread, &turns->rng);
	size_t place = 0;

	for (size_t i = 0; i < turns->nr_active; i++) {
		if (turns->active[i] == file)
			return i;
		if (turns->active[i] > file &&
		    (turns->active[place] < file || turns->active[i] < turns->active[place]))
			place = i;
	}
	return place;
}

static __attribute__((noinline)) size_t choose_place(struct file_turns *turns)
{
	switch (turns->service) {
	case FILE_SERVICE_RANDOM:
		return (size_t)rng_below(&turns->rng, turns->nr_active);
	case FILE_SERVICE_DISTRIBUTION:
		return draw_place(turns);
	case FILE_SERVICE_ROUNDROBIN:
	case FILE_SERVICE_SEQUENTIAL:
		break;
	}
	return 0;
}

size_t file_turns_choose(struct file_turns *turns)
{
	if (turns->nr_active == 0)
		return FILE_TURNS_NONE;
	if (turns->ios_left > 0) {
		turns->ios_left--;
		return turns->active[turns->last];
	}
	turns->ios_left = turns->ios_each - 1;
	if (turns->service != FILE_SERVICE_ROUNDROBIN) {
		turns->last = choose_place(turns);
		return turns->active[turns->last];
	}
	turns->last = turns->at;
	turns->at = turns->at + 1 < turns->nr_active ? turns->at + 1 : 0;
	return turns->active[turns->last];
}

void file_turns_finish(struct file_turns *turns)
{
	size_t place = turns->last;

	turns->ios_left = 0;
	if (turns->waiting < turns->nr_files) {
		turns->active[place] = turns->waiting++;
		return;
	}
	turns->nr_active--;
	memmove(&turns->active[place], &turns->active[place + 1],
		(turns->nr_active - place) * sizeof(*turns->active));
	if (turns->at > place)
		turns->at--;
	if (turns->at >= turns->nr_active)
		turns->at = 0;
}
