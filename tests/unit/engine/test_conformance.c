/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of engine.h, run unchanged for every row of the engine table. */
#include "conformance.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

#include "base/arena.h"
#include "base/vec.h"

#define WATCHDOG_SECONDS 120 /* of one case: a reap that waits for nothing would hang */

struct bound_case {
	struct rig_variant variant;
	const struct conformance_case *test;
};

/* Options that make an engine work in another way. */
struct engine_setting {
	const char *engine;
	const char *name;
	struct engine_options options;
};

static const struct engine_setting settings[] = {
	{ "pvsync2", "hipri", { .hipri = true, .hipri_percent = 100 } },
	{ "pvsync2", "hipri drawn", { .hipri = true, .hipri_percent = 50 } },
	{ "io_uring", "fixed", { .fixedbufs = true, .registerfiles = true } },
	{ "io_uring", "vectors", { .nonvectored = ENGINE_VECTORS } },
	{ "io_uring", "force_async", { .force_async = 3 } },
	{ "io_uring", "sqthread_poll", { .sqthread_poll = true } },
	{ "io_uring",
	  "sqthread_poll, registered",
	  { .sqthread_poll = true,
	    .is_sqthread_cpu_set = true,
	    .fixedbufs = true,
	    .registerfiles = true } },
};

struct test_list VEC_BODY(struct CMUnitTest);

void conformance_open(struct rig *rig, const struct rig_variant *variant, const int *fds,
		      size_t nr_fds, const struct rig_options *options)
{
	struct err err = { .code = 0 };

	if (rig_open(rig, variant, fds, nr_fds, options, &err) < 0)
		fail_msg("%s: %s", variant->name, err.msg);
}

/* ThreadSanitizer knows only threads that the program starts; the C library's own crash in it. */
static bool is_beyond_tsan(const struct engine_ops *ops)
{
#ifdef __SANITIZE_THREAD__
	return strcmp(ops->name, "posixaio") == 0;
#else
	(void)ops;
	return false;
#endif
}

static void case_run(void **state)
{
	const struct bound_case *bound = *state;

	if (is_beyond_tsan(bound->variant.ops))
		test_skip("ThreadSanitizer cannot follow the C library's own threads");
	(void)alarm(WATCHDOG_SECONDS);
	bound->test->run(&bound->variant);
}

static void tests_add(struct test_list *tests, struct arena *arena,
		      const struct rig_variant *variant, const struct conformance_case *rows)
{
	for (; rows->name; rows++) {
		struct bound_case *bound;

		if ((rows->not_for | ENGINE_NO_DATA) & variant->ops->flags)
			continue; /* what moves no data is test_control.c's */
		bound = arena_alloc(arena, sizeof(*bound));
		*bound = (struct bound_case){ .variant = *variant, .test = rows };
		vec_push(tests,
			 (struct CMUnitTest){
				 .name = arena_printf(arena, "%s: %s", variant->name, rows->name),
				 .test_func = case_run,
				 .initial_state = bound });
	}
}

static void tests_add_tables(struct test_list *tests, struct arena *arena,
			     const struct rig_variant *variant)
{
	tests_add(tests, arena, variant, conformance_data);
	tests_add(tests, arena, variant, conformance_calls);
	tests_add(tests, arena, variant, conformance_failures);
}

static void tests_add_engine(struct test_list *tests, struct arena *arena,
			     const struct engine_ops *ops)
{
	const struct rig_variant plain = { .name = ops->name, .ops = ops };

	tests_add_tables(tests, arena, &plain);
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		const struct rig_variant variant = {
			.name = arena_printf(arena, "%s %s", ops->name, settings[i].name),
			.ops = ops,
			.options = settings[i].options,
		};

		if (strcmp(settings[i].engine, ops->name) == 0)
			tests_add_tables(tests, arena, &variant);
	}
}

int main(void)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct test_list tests = VEC_INIT;
	int failed;

	(void)signal(SIGXFSZ, SIG_IGN); /* the file size limit shall be an error code */
	for (const struct engine_ops *const *row = engine_table(); *row; row++)
		tests_add_engine(&tests, &arena, *row);
	failed = _cmocka_run_group_tests("engine conformance", tests.items, tests.nr, NULL, NULL);
	vec_release(&tests);
	return failed;
}
