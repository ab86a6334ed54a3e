/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric_choose: which number of a result decides where nobody has named one. */
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "model/metric.h"
#include "model/result.h"

#define COMMAND_TIME "time.elapsed_time"

#define MAX_NAMES_LEN 200 /* the message has one line */

/* How long something ran is mostly what was asked for, so that it decides only where nothing else
 * is known. */
static bool is_duration(const char *name)
{
	static const char ending[] = "runtime_ms";
	size_t len = strlen(name);

	return len >= sizeof(ending) - 1 && !strcmp(name + len - (sizeof(ending) - 1), ending);
}

/* Index of the first metric that the command has not printed: from it on it was watched. */
static size_t nr_printed(const struct metric_list *metrics)
{
	size_t nr = 0;

	while (nr < metrics->nr && strncmp(metrics->items[nr].name, "time.", 5) != 0)
		nr++;
	return nr;
}

static int refuse(const struct metric_list *metrics, size_t nr, const char *how, struct err *err)
{
	CLEANUP(strbuf) struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < nr; i++)
		strbuf_printf(&names, "%s'%s'", i ? ", " : "", metrics->items[i].name);
	words_shorten(&names, MAX_NAMES_LEN);
	return err_set(err, ERR_USAGE,
		       "the command printed %s, and %s whether more is better: name what decides "
		       "with %s; " COMMAND_TIME " is how long it took",
		       strbuf_str(&names), nr == 1 ? "nothing tells" : "of none is known", how);
}

/* NULL: IOPS or bandwidth. Its own numbers come before the time that it took, which is always
 * there. */
static int command_text(const struct metric_list *metrics, const struct metric_choice *choice,
			const char **ret_text, struct err *err)
{
	const size_t nr = nr_printed(metrics);
	const char *duration = NULL;
	double value;

	*ret_text = NULL;
	if (metric_find(metrics, "total.iops", &value) == 0 ||
	    metric_find(metrics, "total.bw_bytes_per_sec", &value) == 0)
		return 0;
	for (size_t i = 0; i < nr && !*ret_text; i++) {
		const char *name = metrics->items[i].name;

		if (is_duration(name))
			duration = duration ? duration : name;
		else if (!metric_is_percent(name) &&
			 (choice->is_way_known || metric_polarity(name) != POLARITY_NONE))
			*ret_text = name;
	}
	if (!*ret_text && !duration && nr > 0)
		return refuse(metrics, nr, choice->how, err);
	if (!*ret_text)
		*ret_text = duration ? duration : COMMAND_TIME;
	return 0;
}

int metric_resolve(const struct result *result, const struct metric_choice *choice, char **ret_name,
		   struct err *err)
{
	CLEANUP(metric_list) struct metric_list metrics = { .nr = 0 };
	const char *text = choice->text;
	int ret = 0;

	result_metrics(result, &metrics);
	if (!text && result->command)
		ret = command_text(&metrics, choice, &text, err);
	return ret < 0 ? ret : metric_list_resolve(&metrics, text, ret_name, err);
}
