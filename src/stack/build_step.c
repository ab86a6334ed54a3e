/* SPDX-License-Identifier: GPL-2.0-or-later */
/* build_step: what several layers do: wait for a node, write an attribute, make a file .. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "base/vec.h"
#include "host/attribute.h"
#include "host/sysblock.h"
#include "stack/build.h"

#define NODE_PATIENCE_NS UINT64_C(5000000000)
#define NODE_RETRY_NS 2000000

/* The kernel makes the node, or a daemon does: it may take a moment. */
static int open_node(const char *path, int *ret_fd, struct err *err)
{
	uint64_t end_ns = clock_now_ns() + NODE_PATIENCE_NS;
	struct stat st;

	while (stat(path, &st) < 0 || !S_ISBLK(st.st_mode)) {
		if (clock_now_ns() >= end_ns)
			return err_set(err, ERR_SYSTEM, "there is no block device %s after %d s",
				       path, (int)(NODE_PATIENCE_NS / 1000000000));
		(void)clock_sleep_until_ns(clock_now_ns() + NODE_RETRY_NS); /* early is fine */
	}
	*ret_fd = open(path, O_RDONLY | O_CLOEXEC);
	return *ret_fd < 0 ? err_set_errno(err, "open %s", path) : 0;
}

int build_add_block(struct build *build, const struct layer *layer, const char *path,
		    struct err *err)
{
	CLEANUP(fd) int fd = -1;
	CLEANUP(free) char *folder = NULL;
	struct stack_device device = { .layer = layer->name };
	struct stat st;
	int ret = open_node(path, &fd, err);

	if (ret < 0)
		return ret;
	if (fstat(fd, &st) < 0 || ioctl(fd, BLKGETSIZE64, &device.size_bytes) < 0)
		return err_set_errno(err, "look at %s", path);
	if (device.size_bytes == 0)
		return err_set(err, ERR_SYSTEM, "%s is empty", path);
	device.dev = st.st_rdev;
	folder = sysblock_folder(build->context->sys_root, st.st_rdev);
	device.path = xstrdup(path);
	device.name = xstrdup(folder ? sysblock_name(folder) : strrchr(path, '/') + 1);
	vec_push(build->built, device);
	return 0;
}

void build_add_path(struct build *build, const struct layer *layer, const char *path,
		    uint64_t size_bytes)
{
	vec_push(build->built, (struct stack_device){ .layer = layer->name,
						      .path = xstrdup(path),
						      .size_bytes = size_bytes });
}

int build_write(const char *path, const char *text, struct err *err)
{
	CLEANUP(strbuf) struct strbuf now = STRBUF_INIT;
	int ret = attribute_write(path, text, err);

	if (ret == 0)
		ret = attribute_read(path, &now, err);
	if (ret < 0 || attribute_equal(strbuf_str(&now), text))
		return ret;
	return err_set(err, ERR_SYSTEM, "'%s' was written to %s, but it reads '%s'", text, path,
		       strbuf_str(&now));
}

static int use_file(const char *path, uint64_t wanted_bytes, uint64_t *ret_size_bytes,
		    struct err *err)
{
	char wanted[UNITS_TEXT_LEN];
	char has[UNITS_TEXT_LEN];
	struct stat st;

	if (stat(path, &st) < 0)
		return err_set_errno(err, "look at %s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_USAGE, "%s is not a plain file", path);
	if (st.st_size == 0 || (uint64_t)st.st_size < wanted_bytes)
		return err_set(err, ERR_USAGE, "%s has %s, less than size %s", path,
			       units_print_bytes((uint64_t)st.st_size, has, sizeof(has)),
			       units_print_bytes(wanted_bytes, wanted, sizeof(wanted)));
	*ret_size_bytes = wanted_bytes ? wanted_bytes : (uint64_t)st.st_size;
	return 0;
}

static int make_file(struct build *build, const struct layer *layer, const char *path,
		     uint64_t size_bytes, struct err *err)
{
	const struct build_step step = { .action = "file", .path = path, .is_hidden = true };
	CLEANUP(fd) int fd = -1;
	char size[UNITS_TEXT_LEN];
	int ret = build_record(build, &step, err);

	if (ret < 0)
		return ret;
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_set_errno(err, "create %s", path);
	if (ftruncate(fd, (off_t)size_bytes) < 0 ||
	    (!layer_bool(layer, "sparse", false) && fallocate(fd, 0, 0, (off_t)size_bytes) < 0 &&
	     errno != EOPNOTSUPP))
		return err_set_errno(err, "make %s of %s", path,
				     units_print_bytes(size_bytes, size, sizeof(size)));
	return 0;
}

int build_file(struct build *build, const struct layer *layer, char **ret_path,
	       uint64_t *ret_size_bytes, struct err *err)
{
	const char *given = layer_text(layer, "path");
	uint64_t size_bytes = layer_size(layer, "size", 0);
	CLEANUP(free)
	char *path = given ? xstrdup(given)
			   : xasprintf("%s/%s%u", build->stack->folder, layer->name, build->nr);
	int ret;

	if (given && file_exists(given)) {
		ret = use_file(given, size_bytes, &size_bytes, err);
	} else if (size_bytes == 0) {
		return err_set(err, ERR_USAGE, "it needs a size, such as %s:1G", layer->ops->name);
	} else {
		ret = make_file(build, layer, path, size_bytes, err);
	}
	if (ret < 0)
		return ret;
	*ret_path = ptr_take(path);
	*ret_size_bytes = size_bytes;
	return 0;
}

int build_no_driver(const struct build *build, const struct layer *layer, struct err *err)
{
	return err_set(err, ERR_UNSUPPORTED, "%s: this kernel has no such driver%s",
		       layer->ops->driver ? layer->ops->driver : layer->ops->name,
		       build->context->is_guest ? "" : "; use --on vm");
}

static int run_modprobe(const char *module, const char *params, struct err *err)
{
	CLEANUP(free) char *program = child_find_program("modprobe");
	CLEANUP(free) char *words = xstrdup(params);
	const char *argv[16] = { program, module };
	const struct child_spec spec = { .argv = argv };
	char *rest = words;
	size_t nr = 2;

	if (!program)
		return err_set(err, ERR_SYSTEM, "modprobe is not installed (package kmod)");
	while (nr < sizeof(argv) / sizeof(argv[0]) - 1 && (argv[nr] = strsep(&rest, " ")) != NULL)
		nr += argv[nr][0] != '\0';
	argv[nr] = NULL;
	return child_run_checked(&spec, "modprobe", NULL, err);
}

int build_need_module(struct build *build, const struct layer *layer, const char *module,
		      const char *params, const char *present, struct err *err)
{
	const struct stack_context *context = build->context;
	CLEANUP(free) char *path = xasprintf("%s/module/%s", build_sys_root(build), module);
	CLEANUP(free) char *what = xasprintf("module %s", module);
	const struct build_step step = {
		.action = "module",
		.path = path,
		.value = module,
		.what = what,
	};
	struct err reason = { .code = 0 };
	int ret;

	if (file_exists(present))
		return 0;
	ret = build_record(build, &step, err);
	if (ret < 0)
		return ret;
	ret = context->load_module ? context->load_module(context->arg, module, params, &reason)
				   : run_modprobe(module, params, &reason);
	if (file_exists(present))
		return 0;
	/* a module that is there and cannot be loaded, or refuses its parameters, says why */
	if (ret < 0 && (file_exists(path) || !strstr(reason.msg, "not found")))
		return err_set(err, ERR_SYSTEM, "%s", reason.msg);
	return build_no_driver(build, layer, err);
}
