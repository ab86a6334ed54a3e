/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan: the document that tells a guest what to do. */
#include "guest/plan.h"

#include <string.h>

#include "base/err.h"
#include "model/guest_link.h"

/* Absent is NULL; anything else but a string is refused. */
static int get_text(const json_t *document, const char *key, const char **ret_text, struct err *err)
{
	const json_t *value = json_object_get(document, key);

	if (value && !json_is_string(value))
		return err_set(err, ERR_INPUT, "guest plan: %s is no text", key);
	*ret_text = json_string_value(value);
	return 0;
}

static int get_array(const json_t *document, const char *key, const json_t **ret_array,
		     struct err *err)
{
	*ret_array = json_object_get(document, key);
	if (!json_is_array(*ret_array))
		return err_set(err, ERR_INPUT, "guest plan: %s is no array", key);
	return 0;
}

static int get_fields(const json_t *document, struct guest_plan *plan, struct err *err)
{
	const struct {
		const char *key;
		const char **field;
	} texts[] = {
		{ "own", &plan->own },		 { "own_directory", &plan->own_directory },
		{ "stack", &plan->stack },	 { "place", &plan->place },
		{ "jobs", &plan->jobs },	 { "label", &plan->label },
		{ "monitors", &plan->monitors }, { "script", &plan->script },
	};
	int ret = get_array(document, "modules", &plan->modules, err);

	if (ret == 0)
		ret = get_array(document, "settings", &plan->settings, err);
	for (size_t i = 0; ret == 0 && i < sizeof(texts) / sizeof(texts[0]); i++)
		ret = get_text(document, texts[i].key, texts[i].field, err);
	if (ret == 0 && plan->own)
		ret = get_array(document, "own_words", &plan->own_words, err);
	if (ret == 0 && json_object_get(document, "steps"))
		ret = get_array(document, "steps", &plan->steps, err);
	plan->is_shell = json_is_true(json_object_get(document, "shell"));
	plan->seed = (uint64_t)json_integer_value(json_object_get(document, "seed"));
	plan->nr_warmups = (unsigned)json_integer_value(json_object_get(document, "nr_warmups"));
	return ret;
}

int guest_plan_read(const char *path, struct guest_plan *ret_plan, struct err *err)
{
	json_error_t fault;
	const char *schema;
	int ret;

	*ret_plan = (struct guest_plan){ .document = json_load_file(path, 0, &fault) };
	if (!ret_plan->document)
		return err_set(err, ERR_INPUT, "%s:%d: %s", path, fault.line, fault.text);
	schema = json_string_value(json_object_get(ret_plan->document, "schema"));
	if (!schema || strcmp(schema, GUEST_PLAN_SCHEMA) != 0 ||
	    json_integer_value(json_object_get(ret_plan->document, "version")) !=
		    GUEST_PLAN_VERSION)
		ret = err_set(err, ERR_INPUT, "%s: not the plan of this build of regio", path);
	else
		ret = get_fields(ret_plan->document, ret_plan, err);
	if (ret < 0)
		guest_plan_release(ret_plan);
	return ret;
}

void guest_plan_release(struct guest_plan *plan)
{
	json_decref(plan->document);
	*plan = (struct guest_plan){ .document = NULL };
}
