/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layer: the table of layers, and the values of their options. */
#include "stack/layer.h"

#include <string.h>

#include "base/err.h"
#include "base/units.h"
#include "stack/layer_table.h"

static const struct layer_ops *const table[] = {
	&layer_file,	   &layer_device, &layer_loop,	    &layer_zram,    &layer_null_blk,
	&layer_scsi_debug, &layer_brd,	  &layer_linear,    &layer_striped, &layer_delay,
	&layer_error,	   &layer_flakey, &layer_multipath, &layer_cache,   &layer_raid0,
	&layer_hdd,	   &layer_ext4,	  &layer_xfs,	    &layer_btrfs,   NULL,
};

const struct layer_ops *const *layer_table(void)
{
	return table;
}

const struct layer_ops *layer_ops_find(const char *name)
{
	for (size_t i = 0; table[i]; i++) {
		if (!strcmp(table[i]->name, name))
			return table[i];
	}
	return NULL;
}

bool stack_layer_info(size_t layer, struct stack_word *ret_word)
{
	if (layer >= sizeof(table) / sizeof(table[0]) - 1)
		return false;
	*ret_word =
		(struct stack_word){ .name = table[layer]->name, .summary = table[layer]->summary };
	return true;
}

bool stack_layer_option_info(size_t layer, size_t option, struct stack_word *ret_word)
{
	const struct layer_ops *ops = table[layer];

	if (option >= ops->nr_keys)
		return false;
	*ret_word = (struct stack_word){ .name = ops->keys[option].name,
					 .summary = ops->keys[option].help };
	return true;
}

const struct layer_key *layer_key_find(const struct layer_ops *ops, const char *name)
{
	for (size_t i = 0; i < ops->nr_keys; i++) {
		if (!strcmp(ops->keys[i].name, name))
			return &ops->keys[i];
	}
	return NULL;
}

static const struct bool_word {
	const char *word;
	bool value;
} bool_words[] = {
	{ "on", true },	  { "yes", true }, { "true", true },   { "1", true },
	{ "off", false }, { "no", false }, { "false", false }, { "0", false },
};

static const struct bool_word *bool_word_find(const char *text)
{
	for (size_t i = 0; i < sizeof(bool_words) / sizeof(bool_words[0]); i++) {
		if (!strcmp(bool_words[i].word, text))
			return &bool_words[i];
	}
	return NULL;
}

static bool is_choice(const char *choices, const char *value)
{
	size_t len = strlen(value);

	for (const char *word = choices; *word; word += strspn(word, " ")) {
		size_t word_len = strcspn(word, " ");

		if (word_len == len && !memcmp(word, value, len))
			return true;
		word += word_len;
	}
	return false;
}

/* "2@50ms" at the start of a text. */
static bool event_read(const char *text, size_t len, struct layer_event *ret_event)
{
	CLEANUP(free) char *word = xstrndup(text, len);
	char *at = strchr(word, '@');
	uint64_t number = 0;

	if (!at)
		return false;
	*at = '\0';
	if (units_parse_u64(word, &number, NULL) < 0 || number == 0 || number > LAYER_MAX_COUNT ||
	    units_parse_duration_ns(at + 1, &ret_event->at_ns, NULL) < 0)
		return false;
	ret_event->number = (unsigned)number;
	return true;
}

bool layer_event_next(const char **rest, struct layer_event *ret_event)
{
	size_t len;

	*rest += strspn(*rest, " ");
	len = strcspn(*rest, " ");
	if (!len || !event_read(*rest, len, ret_event))
		return false;
	*rest += len;
	return true;
}

static int event_check(const struct layer_key *key, const char *value, struct err *err)
{
	const char *rest = value;
	struct layer_event event;

	while (layer_event_next(&rest, &event))
		;
	if (*value && !*rest)
		return 0;
	return err_set(err, ERR_USAGE,
		       "%s '%s' is not NUMBER@TIME, a device and a time such as 2@50ms", key->name,
		       value);
}

int layer_value_check(const struct layer_key *key, const char *value, struct err *err)
{
	uint64_t number = 0;

	switch (key->type) {
	case LAYER_BOOL:
		if (!bool_word_find(value))
			return err_set(err, ERR_USAGE, "%s '%s' is neither on nor off", key->name,
				       value);
		return 0;
	case LAYER_UNSIGNED:
		if (units_parse_u64(value, &number, NULL) < 0 || number > UINT32_MAX)
			return err_set(err, ERR_USAGE, "%s '%s' is not a whole number", key->name,
				       value);
		return 0;
	case LAYER_SIZE:
		if (units_parse_size(value, 1024, &number, NULL) < 0 || number == 0 ||
		    number > INT64_MAX)
			return err_set(err, ERR_USAGE, "%s '%s' is not a size such as 512M",
				       key->name, value);
		return 0;
	case LAYER_CHOICE:
		if (!is_choice(key->choices, value))
			return err_set(err, ERR_USAGE, "%s '%s' is none of %s", key->name, value,
				       key->choices);
		return 0;
	case LAYER_EVENT:
		return event_check(key, value, err);
	case LAYER_TEXT:
		break;
	}
	return *value ? 0 : err_set(err, ERR_USAGE, "%s has no value", key->name);
}

const char *layer_text(const struct layer *layer, const char *key)
{
	for (size_t i = 0; i < layer->nr_options; i++) {
		if (!strcmp(layer->options[i].key->name, key))
			return layer->options[i].value;
	}
	return NULL;
}

uint64_t layer_size(const struct layer *layer, const char *key, uint64_t otherwise)
{
	const char *text = layer_text(layer, key);
	uint64_t bytes = otherwise;

	if (text)
		(void)units_parse_size(text, 1024, &bytes, NULL); /* checked when it was read */
	return bytes;
}

unsigned layer_unsigned(const struct layer *layer, const char *key, unsigned otherwise)
{
	const char *text = layer_text(layer, key);
	uint64_t number = otherwise;

	if (text)
		(void)units_parse_u64(text, &number, NULL); /* checked when it was read */
	return (unsigned)number;
}

unsigned layer_nr_outputs(const struct layer *layer)
{
	const char *key = layer->ops->outputs_key;

	return layer->count * (key ? layer_unsigned(layer, key, 1) : 1);
}

bool layer_bool(const struct layer *layer, const char *key, bool otherwise)
{
	const char *text = layer_text(layer, key);

	return text ? bool_word_find(text)->value : otherwise;
}

int layer_refuse(const struct stack *stack, const struct layer *layer, unsigned line, int ret,
		 struct err *err)
{
	if (stack->is_file)
		(void)err_prefix(err, "%s:%u: layer '%s'", stack->source, line ? line : layer->line,
				 layer->name);
	else
		(void)err_prefix(err, "%s: layer '%s'", stack->source, layer->name);
	return ret;
}
