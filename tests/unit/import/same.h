/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_IMPORT_SAME_H
#define REGIO_TESTS_UNIT_IMPORT_SAME_H

/* Whether a damaged text gave the same results as the whole one. */

#include "collect.h"

static inline int is_same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static inline int is_same_text(const char *a, const char *b)
{
	return !a == !b && (!a || !strcmp(a, b));
}

static inline void assert_same_metric(const struct given_metric *got,
				      const struct given_metric *want, const char *what)
{
	if (!got)
		fail_msg("%s: %s is missing", what, want->name);
	if (!is_same_number(got->value, want->value))
		fail_msg("%s: %s is %.12g instead of %.12g", what, want->name, got->value,
			 want->value);
	if (!is_same_number(got->stddev_percent, want->stddev_percent) ||
	    !is_same_number(got->change, want->change) || got->nr_runs != want->nr_runs ||
	    !is_same_text(got->source_name, want->source_name))
		fail_msg("%s: %s +- %g, change %g, %u runs instead of +- %g, change %g, %u runs",
			 what, want->name, got->stddev_percent, got->change, got->nr_runs,
			 want->stddev_percent, want->change, want->nr_runs);
}

static inline void assert_same_result(const struct result *got, const struct result *want,
				      const char *what)
{
	if (!is_same_text(got->label, want->label))
		fail_msg("%s: label '%s' instead of '%s'", what, got->label, want->label);
	assert_string_equal(got->tool, want->tool);
	assert_true(is_same_text(got->tool_version, want->tool_version));
	for (size_t i = 0; i < want->given.nr; i++)
		assert_same_metric(given_find(&got->given, want->given.items[i].name),
				   &want->given.items[i], what);
	for (size_t i = 0; i < got->given.nr; i++) {
		if (!given_find(&want->given, got->given.items[i].name))
			fail_msg("%s: %s is invented", what, got->given.items[i].name);
	}
	assert_int_equal(got->nr_env, want->nr_env);
	for (size_t i = 0; i < want->nr_env; i++) {
		assert_string_equal(got->env[i].key, want->env[i].key);
		assert_string_equal(got->env[i].value, want->env[i].value);
	}
	if (got->notes.nr != want->notes.nr)
		fail_msg("%s: %zu notes instead of %zu, last: %s", what, got->notes.nr,
			 want->notes.nr,
			 got->notes.nr ? got->notes.items[got->notes.nr - 1].text : "");
}

/* Takes the damaged text over. */
static inline void assert_harmless(const char *text, char *damaged, const char *what)
{
	CLEANUP(free) char *owned = damaged;
	CLEANUP(collect) struct collect want = collect_good(text);
	CLEANUP(collect) struct collect got = collect_text("mail.txt", owned, strlen(owned));

	if (got.ret < 0)
		fail_msg("%s: %s", what, got.err.msg);
	if (got.results.nr != want.results.nr)
		fail_msg("%s: %zu results instead of %zu", what, got.results.nr, want.results.nr);
	for (size_t i = 0; i < want.results.nr; i++)
		assert_same_result(&got.results.items[i], &want.results.items[i], what);
}

#endif
