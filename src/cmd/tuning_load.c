/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tuning_load: what differs between two environments, and how each of it is set. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/env_diff.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "cmd/bisect.h"
#include "cmd/compare.h"
#include "cmd/env_report.h"
#include "cmd/tuning.h"

#define SETTINGS_FILE_MAX_BYTES (1u << 20)
#define SCHEDULER_KEY "queue.scheduler"
#define NR_RANKS 5

CLEANUP_DEFINE(compare, struct compare, compare_release)

/* Attributes of a queue that can be written; all others are properties of the device. */
static const char *const queue_attributes[] = {
	"scheduler",  "nr_requests",   "nomerges",     "rq_affinity",	    "read_ahead_kb",
	"add_random", "iostats",       "wbt_lat_usec", "max_sectors_kb",    "io_poll",
	"rotational", "io_poll_delay", "write_cache",  "discard_max_bytes", "io_timeout",
};

void tuning_free(struct tuning *tuning)
{
	if (!tuning)
		return;
	VEC_FOREACH (&tuning->values, values) {
		for (int side = 0; side < TUNING_NR_SIDES; side++)
			setting_list_release(&values->sides[side]);
	}
	vec_release(&tuning->values);
	candidate_list_release(&tuning->settings);
	candidate_list_release(&tuning->others);
	settings_search_free(tuning->search);
	free(tuning);
}

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static bool is_queue_attribute(const char *name)
{
	for (size_t i = 0; i < sizeof(queue_attributes) / sizeof(*queue_attributes); i++) {
		size_t len = strlen(queue_attributes[i]);

		if (!strncmp(name, queue_attributes[i], len) &&
		    (name[len] == '\0' || name[len] == '@'))
			return true;
	}
	return false;
}

static bool can_be_set(const char *key)
{
	if (starts_with(key, "queue."))
		return is_queue_attribute(key + strlen("queue."));
	return starts_with(key, "iosched.") || starts_with(key, "sysctl.") ||
	       starts_with(key, "job.");
}

/* The setting of a fact, "disk.sda.queue.nomerges": "queue.nomerges". A new string. */
static char *setting_of_fact(const char *key)
{
	const char *attribute;

	if (!starts_with(key, "disk."))
		return xstrdup(key);
	attribute = strstr(key, ".queue.");
	if (!attribute)
		attribute = strstr(key, ".iosched.");
	return xstrdup(attribute ? attribute + 1 : key);
}

/* "queue.nomerges" is that of any device. */
static bool is_same_key(const char *a, const char *b)
{
	size_t len = strcspn(a, "@");

	return len == strcspn(b, "@") && !strncmp(a, b, len) &&
	       (!a[len] || !b[len] || !strcmp(a + len, b + len));
}

static bool is_known(const struct tuning *tuning, const char *key)
{
	VEC_FOREACH (&tuning->settings, setting) {
		if (is_same_key(setting->id, key))
			return true;
	}
	return false;
}

static int add_value(struct tuning_values *values, enum tuning_side side, const char *key,
		     const char *value, struct err *err)
{
	CLEANUP(free) char *text = xasprintf("%s=%s", key, value);

	return setting_list_parse(&values->sides[side], text, err);
}

static void add_other(struct tuning *tuning, const char *key, const char *base, const char *new)
{
	CLEANUP(free)
	char *text = xasprintf("%s -> %s", base ? base : "absent", new ? new : "absent");

	candidate_list_add(&tuning->others, key, key, text);
}

static int add_difference(struct tuning *tuning, const char *key, const char *base, const char *new,
			  struct err *err)
{
	CLEANUP(free) char *text = NULL;
	struct tuning_values values = { .sides = { { .nr = 0 }, { .nr = 0 } } };
	int ret;

	if (is_known(tuning, key))
		return 0;
	ret = add_value(&values, TUNING_BASE, key, base, err);
	if (ret == 0)
		ret = add_value(&values, TUNING_NEW, key, new, err);
	text = xasprintf("%s -> %s", base, new);
	candidate_list_add(&tuning->settings, key, key, text);
	vec_push(&tuning->values, values);
	return ret;
}

/* An attribute that one scheduler has and the other one has not comes with its scheduler. */
static int add_to_scheduler(struct tuning *tuning, const char *key, const char *base,
			    const char *new, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < tuning->settings.nr; i++) {
		struct tuning_values *values = &tuning->values.items[i];

		if (strcmp(tuning->settings.items[i].id, SCHEDULER_KEY) != 0)
			continue;
		if (base)
			ret = add_value(values, TUNING_BASE, key, base, err);
		if (ret == 0 && new)
			ret = add_value(values, TUNING_NEW, key, new, err);
		return ret;
	}
	add_other(tuning, key, base, new);
	return 0;
}

/*
 * In which order they are applied: what changes others on its way comes before them. Since Linux
 * 6.11 every change of a limit or a feature of the queue sets read_ahead_kb anew.
 */
static unsigned rank_of(const char *key)
{
	static const char *const order[] = { SCHEDULER_KEY, "queue.nr_requests", "queue.", "" };
	unsigned rank = 0;

	if (starts_with(key, "queue.read_ahead_kb"))
		return NR_RANKS - 1;
	while (!starts_with(key, order[rank]))
		rank++;
	return rank;
}

/* One row of what differs, if it is of that rank. */
static int take_row(struct tuning *tuning, const char *fact, const char *base, const char *new,
		    unsigned rank, struct err *err)
{
	CLEANUP(free) char *key = setting_of_fact(fact);
	bool has_scheduler = is_known(tuning, SCHEDULER_KEY);

	if (rank_of(key) != rank)
		return 0;
	if (!can_be_set(key) || (base && strstr(base, " | ")) || (new &&strstr(new, " | "))) {
		add_other(tuning, fact, base, new);
		return 0;
	}
	if (starts_with(key, "iosched.") && (has_scheduler || !base || !new))
		return add_to_scheduler(tuning, key, base, new, err);
	if (base && new)
		return add_difference(tuning, key, base, new, err);
	if (!is_known(tuning, key))
		add_other(tuning, fact, base, new);
	return 0;
}

/* ---- samples ---- */

/* A side that did not set it has what the machine had, which stands in the fact beside it. */
static const char *value_of(const struct env_diff *diff, const struct env_diff_row *row,
			    bool is_new)
{
	const char *value = is_new ? row->new : row->base;

	for (size_t i = 0; !value && i < diff->nr; i++) {
		const struct env_diff_row *fact = &diff->rows[i];
		CLEANUP(free) char *key = setting_of_fact(fact->key);

		if (fact->setting && is_same_key(fact->setting, row->key) &&
		    is_same_key(key, row->key))
			value = is_new ? fact->new : fact->base;
	}
	return value;
}

/* What follows from a setting that is tried comes with it; attributes of a scheduler are set. */
static bool comes_along(const struct tuning *tuning, const struct env_diff_row *row)
{
	return row->setting && is_known(tuning, row->setting) &&
	       !is_same_key(row->setting, SCHEDULER_KEY);
}

static int load_samples(struct tuning *tuning, const struct bisect_config *config, const char *base,
			const char *new, struct err *err)
{
	const struct compare_options options = { .store_path = config->trial.store_path };
	CLEANUP(compare) struct compare compare = { .config = &options };
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };
	struct arg_list operands = { .nr = 0 };
	int ret;

	arg_list_push(&operands, base);
	arg_list_push(&operands, new);
	ret = compare_load(&compare, &operands, err);
	arg_list_release(&operands);
	if (ret < 0)
		return ret;
	env_report_diff(&compare.sides[0], &compare.sides[1], &diff);
	for (unsigned rank = 0; rank < NR_RANKS; rank++) {
		for (size_t i = 0; ret == 0 && i < diff.nr; i++) {
			const struct env_diff_row *row = &diff.rows[i];

			if (!comes_along(tuning, row))
				ret = take_row(tuning, row->key, value_of(&diff, row, false),
					       value_of(&diff, row, true), rank, err);
		}
	}
	return ret;
}

/* ---- files of settings ---- */

/* Lines KEY=VALUE, as members of an object; NULL where a line is something else. */
static json_t *parse_lines(char *text)
{
	json_t *root = json_object();
	char *rest = text;
	char *line;

	while (root && (line = strsep(&rest, "\n")) != NULL) {
		char *value;

		line += strspn(line, " \t\r");
		line[strcspn(line, "\r")] = '\0';
		if (!*line || *line == '#')
			continue;
		value = strchr(line, '=');
		if (value)
			*value++ = '\0';
		if (!value || json_object_set_new(root, line, json_string(value)) < 0) {
			json_decref(root);
			root = NULL;
		}
	}
	if (json_object_size(root) == 0) {
		json_decref(root);
		root = NULL;
	}
	return root;
}

/* NULL where the file is something else. */
static json_t *read_settings(const char *path)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	json_t *root, *inner;
	const char *key;
	json_t *value;

	if (file_read(path, SETTINGS_FILE_MAX_BYTES, &text, NULL) < 0)
		return NULL;
	root = json_loadb(strbuf_str(&text), text.len, 0, NULL);
	if (!root)
		root = parse_lines(text.buf);
	inner = json_object_get(root, "settings");
	if (json_is_object(inner)) {
		json_incref(inner);
		json_decref(root);
		root = inner;
	}
	json_object_foreach(root, key, value)
	{
		if (!can_be_set(key) || json_is_object(value) || json_is_array(value)) {
			json_decref(root);
			return NULL;
		}
	}
	if (!json_is_object(root)) {
		json_decref(root);
		return NULL;
	}
	return root;
}

/* A new string; NULL for what is not there. */
static char *value_text(const json_t *value)
{
	return !value		       ? NULL
	       : json_is_string(value) ? xstrdup(json_string_value(value))
				       : json_dumps(value, JSON_ENCODE_ANY);
}

static int take_members(struct tuning *tuning, const json_t *sides[2], bool is_second,
			unsigned rank, struct err *err)
{
	const char *key;
	json_t *value;
	int ret = 0;

	json_object_foreach((json_t *)(uintptr_t)sides[is_second], key, value)
	{
		CLEANUP(free) char *base = value_text(json_object_get(sides[0], key));
		CLEANUP(free) char *new = value_text(json_object_get(sides[1], key));

		if (ret < 0 || (is_second && base) || (base && new && !strcmp(base, new)))
			continue;
		ret = take_row(tuning, key, base, new, rank, err);
	}
	return ret;
}

static int load_files(struct tuning *tuning, const json_t *base, const json_t *new, struct err *err)
{
	const json_t *sides[] = { base, new };
	int ret = 0;

	for (unsigned rank = 0; ret == 0 && rank < NR_RANKS; rank++) {
		ret = take_members(tuning, sides, false, rank, err);
		if (ret == 0)
			ret = take_members(tuning, sides, true, rank, err);
	}
	return ret;
}

int tuning_load(struct tuning *tuning, const struct bisect_config *config, const char *base,
		const char *new, struct err *err)
{
	json_t *files[] = { read_settings(base), read_settings(new) };
	int ret;

	if (files[0] && files[1])
		ret = load_files(tuning, files[0], files[1], err);
	else
		ret = load_samples(tuning, config, base, new, err);
	json_decref(files[0]);
	json_decref(files[1]);
	if (ret == 0 && tuning->settings.nr == 0)
		return err_set(err, ERR_INPUT,
			       "'%s' and '%s' differ in no setting that can be set%s%s", base, new,
			       tuning->others.nr ? ", but in " : "",
			       tuning->others.nr ? tuning->others.items[0].name : "");
	if (ret == 0 && tuning->settings.nr > SETTINGS_SEARCH_MAX)
		return err_set(err, ERR_INPUT, "more than %d settings differ", SETTINGS_SEARCH_MAX);
	return ret;
}
