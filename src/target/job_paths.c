/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files a job set touches: what the guard and the device look-up are asked about. */
#include "target/job_paths.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "model/job.h"

struct path_vec VEC_BODY(struct job_path);

static int path_compare(const void *left, const void *right)
{
	const struct job_path *a = left;
	const struct job_path *b = right;

	return strcmp(a->path, b->path);
}

/* Sorts and merges equal paths; moves the result into the arena and frees the vector. */
static void path_vec_finish(struct path_vec *vec, struct arena *arena, struct job_paths *ret_paths)
{
	size_t nr = 0;

	if (vec->nr)
		qsort(vec->items, vec->nr, sizeof(*vec->items), path_compare);
	for (size_t i = 0; i < vec->nr; i++) {
		if (nr == 0 || strcmp(vec->items[nr - 1].path, vec->items[i].path) != 0)
			vec->items[nr++] = vec->items[i];
		else if (vec->items[i].is_written && !vec->items[nr - 1].is_written)
			vec->items[nr - 1] = vec->items[i];
	}
	ret_paths->items =
		arena_memdup(arena, vec->items ? vec->items : (void *)"", nr * sizeof(*vec->items));
	ret_paths->nr = nr;
	vec_release(vec);
}

static void collect_job(const struct job *job, struct arena *arena, struct path_vec *vec)
{
	const struct engine_ops *engine = engine_find(job->ioengine);

	if (!engine || (engine->flags & (ENGINE_NO_FILES | ENGINE_NAMES_ONLY)))
		return;
	for (unsigned clone = 0; clone < job->nr_clones; clone++) {
		size_t nr;
		const char *const *names = job_file_names(job, clone, arena, &nr);

		for (size_t i = 0; i < nr; i++) {
			struct job_path path = {
				.path = names[i],
				.job = job,
				.is_written = job_does(job, IO_WRITE) || job_does(job, IO_TRIM) ||
					      (engine->flags & ENGINE_CHANGES_FILES),
			};

			vec_push(vec, path);
		}
	}
}

void job_paths_collect(const struct job_set *jobs, struct arena *arena, struct job_paths *ret_paths)
{
	struct path_vec vec = VEC_INIT;

	for (size_t i = 0; i < jobs->nr; i++)
		collect_job(&jobs->jobs[i], arena, &vec);
	path_vec_finish(&vec, arena, ret_paths);
}

static const char *folder_of(const char *path, struct arena *arena)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return ".";
	return slash == path ? "/" : arena_strndup(arena, path, (size_t)(slash - path));
}

void job_paths_for_devices(const struct job_paths *paths, struct arena *arena,
			   struct job_paths *ret_paths)
{
	struct path_vec vec = VEC_INIT;

	for (size_t i = 0; i < paths->nr; i++) {
		struct job_path path = paths->items[i];
		struct stat info;

		/* a link may lead anywhere, so only what is plainly a file shares its folder */
		if (lstat(path.path, &info) != 0 || S_ISREG(info.st_mode))
			path.path = folder_of(path.path, arena);
		vec_push(&vec, path);
	}
	path_vec_finish(&vec, arena, ret_paths);
}
