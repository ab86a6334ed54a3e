/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of monitors, and the choice of some of them by name. */
#include "monitor/monitor.h"

#include <string.h>

#include "base/err.h"
#include "base/suggest.h"
#include "monitor/monitor_table.h"

/* clang-format off */
static const struct monitor_ops *const monitors[] = {
	&monitor_disk,
	&monitor_filesystem,
	&monitor_cpu,
	&monitor_vmstat,
	&monitor_meminfo,
	&monitor_proc_vmstat,
	&monitor_numa,
	&monitor_interrupts,
	&monitor_softirqs,
	&monitor_pressure,
	&monitor_thermal,
	&monitor_frequency,
	&monitor_idle,
	&monitor_schedstat,
	&monitor_process,
	&monitor_slabinfo,
	&monitor_sched_debug,
	&monitor_order,
	&monitor_perf_stat,
	&monitor_perf_record,
	NULL,
};
/* clang-format on */

_Static_assert(sizeof(monitors) / sizeof(monitors[0]) <= MONITOR_MAX_CHOICE, "choice too small");

const struct monitor_ops *const *monitor_table(void)
{
	return monitors;
}

static void choice_add(struct monitor_choice *choice, const struct monitor_ops *monitor)
{
	for (size_t i = 0; i < choice->nr; i++) {
		if (choice->items[i] == monitor)
			return;
	}
	choice->items[choice->nr++] = monitor;
}

static void choice_add_group(struct monitor_choice *choice, bool is_all)
{
	for (size_t i = 0; monitors[i]; i++) {
		if (monitors[i]->flags & MONITOR_DEFAULT ||
		    (is_all && !(monitors[i]->flags & MONITOR_BY_NAME)))
			choice_add(choice, monitors[i]);
	}
}

static bool word_is(const char *word, size_t len, const char *name)
{
	return strlen(name) == len && strncmp(word, name, len) == 0;
}

static int choice_refuse(const char *word, size_t len, struct err *err)
{
	char name[SUGGEST_MAX_LEN + 1];
	struct suggest suggest;

	if (len >= sizeof(name))
		len = sizeof(name) - 1;
	memcpy(name, word, len);
	name[len] = '\0';
	suggest = suggest_for(name);
	for (size_t i = 0; monitors[i]; i++)
		suggest_offer(&suggest, monitors[i]->name);
	if (suggest_best(&suggest))
		return err_set(err, ERR_USAGE,
			       "--monitors: there is no monitor '%s', did you mean '%s'?", name,
			       suggest_best(&suggest));
	return err_set(err, ERR_USAGE, "--monitors: there is no monitor '%s'; regio(1) lists them",
		       name);
}

static int choice_add_word(struct monitor_choice *choice, const char *word, size_t len,
			   struct err *err)
{
	if (word_is(word, len, "default") || word_is(word, len, "all")) {
		choice_add_group(choice, word_is(word, len, "all"));
		choice->has_default |= word_is(word, len, "default");
		return 0;
	}
	for (size_t i = 0; monitors[i]; i++) {
		if (!word_is(word, len, monitors[i]->name))
			continue;
		choice_add(choice, monitors[i]);
		return 0;
	}
	return choice_refuse(word, len, err);
}

int monitor_choose(const char *list, struct monitor_choice *ret_choice, struct err *err)
{
	struct monitor_choice choice = { .nr = 0 };
	const char *word = list;

	if (strcmp(list, "none") != 0) {
		for (;;) {
			size_t len = strcspn(word, ",");
			int ret = choice_add_word(&choice, word, len, err);

			if (ret < 0)
				return ret;
			if (!word[len])
				break;
			word += len + 1;
		}
	}
	*ret_choice = choice;
	return 0;
}
