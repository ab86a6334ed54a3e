/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stress_yaml: the metrics in the file that stress-ng --yaml writes. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/units.h"
#include "import/importer.h"
#include "import/stress_ng.h"

#define MAX_HEAD_LINES 60 /* from the system's description to the metrics */
#define MAX_BLANK 3	  /* lines in a row */

static const struct key_row {
	const char *key;
	enum stress_column column;
} keys[] = {
	{ "bogo-ops", STRESS_OPS },
	{ "wall-clock-time", STRESS_REAL_S },
	{ "user-time", STRESS_USR_S },
	{ "system-time", STRESS_SYS_S },
	{ "bogo-ops-per-second-real-time", STRESS_OPS_PER_SEC },
	{ "bogo-ops-per-second-usr-sys-time", STRESS_OPS_PER_CPU_SEC },
	{ "cpu-usage-per-instance", STRESS_CPU_PERCENT },
	{ "max-rss", STRESS_RSS_KIB },
};

/* "    - key: value" */
struct yaml_line {
	const char *key; /* not terminated */
	size_t key_len;
	const char *value; /* "" = none */
	size_t indent;	   /* of the key */
	bool is_item;	   /* begins an item of a list */
};

static bool parse_line(const struct import_line *line, struct yaml_line *ret_line)
{
	const char *body = import_body(line);
	struct yaml_line yaml = { .indent = line->indent };

	if (body[0] == '-' && body[1] == ' ') {
		size_t blanks = 1 + strspn(body + 1, " ");

		yaml.is_item = true;
		yaml.indent += blanks;
		body += blanks;
	}
	yaml.key = body;
	yaml.key_len = strcspn(body, ": ");
	if (!yaml.key_len || body[yaml.key_len] != ':')
		return false;
	yaml.value = body + yaml.key_len + 1;
	if (*yaml.value && *yaml.value != ' ')
		return false;
	yaml.value += strspn(yaml.value, " ");
	*ret_line = yaml;
	return true;
}

static bool is_key(const struct yaml_line *line, const char *key)
{
	return line->key_len == strlen(key) && !strncmp(line->key, key, line->key_len);
}

static bool is_stressor(const struct import_line *line)
{
	struct yaml_line yaml;

	return line && parse_line(line, &yaml) && yaml.is_item && is_key(&yaml, "stressor");
}

bool stress_yaml_begins(struct import_reader *in)
{
	const char *body = import_body(import_peek(in, 0));

	if (!strcmp(body, "metrics:"))
		return is_stressor(import_peek(in, 1)) || is_stressor(import_peek(in, 2));
	if (strncmp(body, "- stressor:", 11) == 0)
		return true;
	if (strcmp(body, "system-info:") != 0)
		return false;
	for (size_t i = 1; i < MAX_HEAD_LINES; i++) {
		const struct import_line *line = import_peek(in, i);

		if (line && is_stressor(line))
			return true;
	}
	return false;
}

struct reading {
	struct stress_run run;
	char *stressor;	      /* whose metrics follow; NULL = none yet */
	size_t indent;	      /* of its keys */
	bool is_in_instances; /* each instance again, below the sums */
	bool has_means;	      /* of instances, where the log has sums */
};

static void take_metric(struct reading *reading, const struct yaml_line *yaml,
			const struct import_line *line)
{
	CLEANUP(free) char *key = xstrndup(yaml->key, yaml->key_len);
	double value;

	if (line->is_cut || units_parse_double(yaml->value, &value, NULL) != 0) {
		stress_note_damage(&reading->run, line->nr);
		return;
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcmp(key, keys[i].key) != 0)
			continue;
		stress_add_column(&reading->run, reading->stressor, keys[i].column, value,
				  line->nr);
		return;
	}
	reading->has_means = true;
	stress_add_other(&reading->run, reading->stressor, key, value, line->nr);
}

static void begin_stressor(struct reading *reading, const struct yaml_line *yaml)
{
	free(reading->stressor);
	reading->stressor = xstrdup(yaml->value);
	reading->indent = yaml->indent;
	reading->is_in_instances = false;
	stress_add_stressor(&reading->run, yaml->value);
}

static void take_line(struct reading *reading, const struct yaml_line *yaml,
		      const struct import_line *line)
{
	if (is_key(yaml, "stress-ng-version") && !reading->stressor) {
		free(reading->run.result.tool_version);
		reading->run.result.tool_version = xstrdup(yaml->value);
	} else if (yaml->is_item && is_key(yaml, "stressor") && *yaml->value) {
		begin_stressor(reading, yaml);
	} else if (!reading->stressor) {
		return;
	} else if (yaml->indent < reading->indent) {
		free(reading->stressor); /* "times:" and what follows is of the whole program */
		reading->stressor = NULL;
	} else if (yaml->indent == reading->indent && !yaml->is_item) {
		reading->is_in_instances = is_key(yaml, "instances");
		if (!reading->is_in_instances)
			take_metric(reading, yaml, line);
	}
}

/* Blank lines stand between the parts, and in pages behind every line. */
static bool is_of_document(struct import_reader *in, const struct import_line *line)
{
	const struct import_line *next;
	struct yaml_line yaml;

	if (line->is_partial)
		return false;
	if (*import_body(line))
		return parse_line(line, &yaml);
	for (size_t i = 1; i <= MAX_BLANK; i++) {
		next = import_peek(in, i);
		if (next && *import_body(next))
			return parse_line(next, &yaml) && (yaml.indent || !*yaml.value);
	}
	return false;
}

int stress_read_yaml(struct import_reader *in, struct err *err)
{
	struct reading reading = { .run = { .in = in } };
	const struct import_line *line;
	struct yaml_line yaml;
	int ret;

	while ((line = import_peek(in, 0)) && is_of_document(in, line)) {
		if (parse_line(line, &yaml))
			take_line(&reading, &yaml, line);
		import_next(in);
	}
	if (reading.has_means)
		note_add(&reading.run.result.notes, NOTE_INPUT_AMBIGUOUS,
			 "what stressors count besides are means over the instances here, where "
			 "the log prints totals and harmonic means: names with '-' are not those "
			 "with '_'");
	ret = stress_deliver(&reading.run, err);
	free(reading.stressor);
	stress_run_release(&reading.run);
	return ret;
}
