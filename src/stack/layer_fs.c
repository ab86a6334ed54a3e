/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layer_fs: mkfs and mount, the same for all filesystems. Their words are the kinds' own. */
#include "stack/layer_fs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "stack/build.h"

struct words VEC_BODY(const char *);

static void add_words(struct words *argv, char *text)
{
	char *rest = text;
	char *word;

	while (text && (word = strsep(&rest, " ")) != NULL) {
		if (*word)
			vec_push(argv, word);
	}
}

/* The first line says what is wrong: what follows it is often the usage. */
static int run_program(const struct child_spec *spec, const char *name, struct err *err)
{
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	int ret = child_run(spec, &result, err);
	const char *said = strbuf_str(&result.err);
	size_t len = strlen(name);

	if (ret < 0 || result.exit_status == 0)
		return ret;
	said += strspn(said, "\n");
	if (!strncmp(said, name, len) && said[len] == ':')
		said += len + 1 + strspn(said + len + 1, " ");
	return err_set(err, ERR_SYSTEM, "%s: %.*s", name, *said ? (int)strcspn(said, "\n") : 6,
		       *said ? said : "failed");
}

static int run_mkfs(struct build *build, const struct fs_kind *kind, const struct layer *layer,
		    const char *const *devices, struct err *err)
{
	CLEANUP(free) char *program = child_find_program(kind->mkfs);
	CLEANUP(free) char *fixed = xstrdup(kind->mkfs_words);
	CLEANUP(free)
	char *given = layer_text(layer, "mkfs") ? xstrdup(layer_text(layer, "mkfs")) : NULL;
	struct words argv = VEC_INIT;
	struct child_spec spec = { .stop = build->context->stop };
	int ret;

	if (!program)
		return err_set(err, ERR_SYSTEM, "%s is not installed (package %s)", kind->mkfs,
			       kind->package);
	vec_push(&argv, program);
	add_words(&argv, fixed);
	add_words(&argv, given);
	for (size_t i = 0; devices[i]; i++)
		vec_push(&argv, devices[i]);
	vec_push(&argv, NULL);
	spec.argv = argv.items;
	ret = run_program(&spec, kind->mkfs, err);
	vec_release(&argv);
	return ret;
}

static const struct mount_word {
	const char *word;
	unsigned long flag;
} mount_words[] = {
	{ "ro", MS_RDONLY },	     { "rw", 0 },
	{ "noatime", MS_NOATIME },   { "nodiratime", MS_NODIRATIME },
	{ "relatime", MS_RELATIME }, { "strictatime", MS_STRICTATIME },
	{ "lazytime", MS_LAZYTIME }, { "sync", MS_SYNCHRONOUS },
	{ "dirsync", MS_DIRSYNC },   { "nodev", MS_NODEV },
	{ "nosuid", MS_NOSUID },     { "noexec", MS_NOEXEC },
};

static bool add_flag(const char *word, unsigned long *flags)
{
	for (size_t i = 0; i < sizeof(mount_words) / sizeof(mount_words[0]); i++) {
		if (!strcmp(mount_words[i].word, word)) {
			*flags |= mount_words[i].flag;
			return true;
		}
	}
	return false;
}

void fs_mount_options(const char *text, unsigned long *ret_flags, struct strbuf *data)
{
	CLEANUP(free) char *copy = xstrdup(text ? text : "");
	char *rest = copy;
	char *word;

	*ret_flags = 0;
	while ((word = strsep(&rest, ",")) != NULL) {
		if (!*word || add_flag(word, ret_flags))
			continue;
		strbuf_printf(data, "%s%s", data->len ? "," : "", word);
	}
}

static int mount_it(struct build *build, const struct layer *layer, const char *device,
		    struct err *err)
{
	const char *folder = build->stack->mount_path;
	CLEANUP(free) char *what = xasprintf("%s of %s on %s", layer->ops->name, device, folder);
	const struct build_step step = { .action = "mount", .path = folder, .what = what };
	CLEANUP(strbuf) struct strbuf data = STRBUF_INIT;
	const char *options = layer_text(layer, "mount");
	unsigned long flags = 0;
	int ret = build_record(build, &step, err);

	if (ret < 0)
		return ret;
	fs_mount_options(options, &flags, &data);
	if (mount(device, folder, layer->ops->name, flags, strbuf_str(&data)) == 0)
		return 0;
	if (errno == ENODEV)
		return build_no_driver(build, layer, err);
	return err_set_errno(err, "mount %s%s%s", device, options ? " with " : "",
			     options ? options : "");
}

int fs_kind_build(struct build *build, const struct layer *layer, const struct fs_kind *kind,
		  struct err *err)
{
	const struct stack_context *context = build->context;
	CLEANUP(free) const struct stack_device **inputs = NULL;
	CLEANUP(free) const char **devices = NULL;
	size_t nr = 0;
	int ret;

	inputs = build_inputs(build, layer, &nr);
	devices = xcalloc(nr + 1, sizeof(*devices));
	for (size_t i = 0; i < nr; i++)
		devices[i] = inputs[i]->path;
	ret = context->format ? context->format(context->arg, layer, devices, nr, err)
			      : run_mkfs(build, kind, layer, devices, err);
	if (ret == 0)
		ret = mount_it(build, layer, devices[0], err);
	if (ret == 0)
		build_add_path(build, layer, build->stack->mount_path, inputs[0]->size_bytes);
	return ret;
}
