/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exec: placeholders and environment of an external command. Running it is left to the target. */
#include "cmd/exec.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "model/setting.h"

struct env_list VEC_BODY(char *);

static bool is_named(const struct setting *setting, const char *name, size_t len)
{
	size_t prefix = strlen(setting->namespace);

	if (strlen(setting->key) == len && !strncmp(setting->key, name, len) &&
	    !strcmp(setting->namespace, "job"))
		return true;
	return len == prefix + 1 + strlen(setting->key) && name[prefix] == '.' &&
	       !strncmp(setting->namespace, name, prefix) &&
	       !strncmp(setting->key, name + prefix + 1, len - prefix - 1);
}

/* The last one of that name counts, as when settings are applied. */
static const char *value_of(const struct setting_list *settings, const char *name, size_t len)
{
	for (size_t i = settings->nr; i-- > 0;) {
		if (settings->items[i].key[0] && is_named(&settings->items[i], name, len))
			return settings->items[i].value;
	}
	return NULL;
}

/* Length of NAME in "{NAME}" at text; 0 if there is none. */
static size_t placeholder_len(const char *text)
{
	size_t len = strspn(text + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_.@-");

	return isalpha((unsigned char)text[1]) && text[1 + len] == '}' ? len : 0;
}

static int expand(const struct exec_request *request, struct strbuf *out, struct err *err)
{
	const char *text = request->command;

	while (*text) {
		size_t plain = strcspn(text, "{");
		size_t len = text[plain] ? placeholder_len(text + plain) : 0;
		bool is_shell = plain > 0 && text[plain - 1] == '$'; /* ${NAME} */
		const char *name = text + plain + 1;
		const char *value =
			len && !is_shell ? value_of(request->settings, name, len) : NULL;

		strbuf_add(out, text, plain);
		text += plain;
		if (value) {
			strbuf_add_str(out, value);
			text += len + 2;
		} else if (len && !is_shell && memchr(name, '.', len)) {
			return err_set(err, ERR_USAGE,
				       "command '%s': no setting '%.*s' for its placeholder",
				       request->command, (int)len, name);
		} else if (*text) {
			strbuf_add_char(out, *text++);
		}
	}
	return 0;
}

/* "REGIO_QUEUE_SCHEDULER=bfq" */
static char *env_entry(const struct setting *setting)
{
	char *text = xasprintf("REGIO_%s_%s=%s", setting->namespace, setting->key, setting->value);

	for (char *c = text; *c != '='; c++)
		*c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
	return text;
}

static bool is_shadowed(const struct setting_list *settings, size_t at)
{
	for (size_t i = at + 1; i < settings->nr; i++) {
		if (!strcmp(settings->items[i].namespace, settings->items[at].namespace) &&
		    !strcmp(settings->items[i].key, settings->items[at].key))
			return true;
	}
	return false;
}

static char **make_env(const struct exec_request *request)
{
	const struct setting_list *settings = request->settings;
	struct env_list env = VEC_INIT;

	vec_push(&env, xasprintf("REGIO_LABEL=%s", request->label ? request->label : ""));
	vec_push(&env, xasprintf("REGIO_SEED=%llu", (unsigned long long)request->seed));
	for (size_t i = 0; i < settings->nr; i++) {
		if (settings->items[i].key[0] && !strchr(settings->items[i].key, '=') &&
		    !is_shadowed(settings, i))
			vec_push(&env, env_entry(&settings->items[i]));
	}
	vec_push(&env, NULL);
	return env.items;
}

int exec_work_init(struct exec_work *work, const struct exec_request *request, struct err *err)
{
	CLEANUP(strbuf) struct strbuf command = STRBUF_INIT;
	int ret = expand(request, &command, err);

	if (ret < 0)
		return ret;
	*work = (struct exec_work){
		.command = strbuf_take(&command),
		.env = make_env(request),
	};
	work->exec = (struct trial_exec){
		.command = work->command,
		.name = request->command,
		.env = (const char *const *)work->env,
		.timeout_ns = request->timeout_ns,
		.dir = request->dir,
	};
	return 0;
}

void exec_work_release(struct exec_work *work)
{
	for (char **entry = work->env; entry && *entry; entry++)
		free(*entry);
	free(work->env);
	free(work->command);
	*work = (struct exec_work){ .env = NULL };
}
