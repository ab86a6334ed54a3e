/* SPDX-License-Identifier: GPL-2.0-or-later */
/* module_index: the order of loading comes out of the modules themselves. */
#include "vm/module_index.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "make_module.h"
#include "test.h"
#include "vm/module_info.h"
#include "vm/tree.h"

struct fixture {
	char folder[64];
	char *from, *to;
};

#define INFO(text) (text), sizeof(text)

static void add(const struct fixture *fixture, const char *file, const char *modinfo, size_t len)
{
	CLEANUP(free) char *path = xasprintf("%s/%s", fixture->from, file);
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;

	make_module(&content, modinfo, len);
	assert_int_equal(file_write_atomic(path, content.buf, content.len, 0644, NULL), 0);
}

static int setup(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));

	(void)snprintf(fixture->folder, sizeof(fixture->folder), "/tmp/regio-modules-XXXXXX");
	assert_non_null(mkdtemp(fixture->folder));
	fixture->from = xasprintf("%s/from", fixture->folder);
	fixture->to = xasprintf("%s/to", fixture->folder);
	assert_int_equal(file_make_dirs(fixture->from, 0755, NULL), 0);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	tree_remove(fixture->folder);
	assert_false(file_exists(fixture->folder));
	free(fixture->from);
	free(fixture->to);
	free(fixture);
	return 0;
}

static void add_family(const struct fixture *fixture)
{
	CLEANUP(free) char *builtin = xasprintf("%s/modules.builtin", fixture->from);
	static const char text[] = "kernel/block/mq-deadline.ko\n";

	add(fixture, "dm-mod.ko", INFO("license=GPL\0depends="));
	add(fixture, "libcrc32c.ko", INFO("depends=\0softdep=pre: crc32c post: other"));
	add(fixture, "crc32c_generic.ko", INFO("alias=crc32c-generic\0alias=crc32c\0depends="));
	add(fixture, "crc32c-intel.ko", INFO("alias=crc32c\0depends="));
	add(fixture, "dm-cache.ko", INFO("depends=dm-mod,libcrc32c\0alias=dm-x"));
	add(fixture, "broken.ko", INFO("depends=nowhere"));
	add(fixture, "ring_a.ko", INFO("depends=ring_b"));
	add(fixture, "ring_b.ko", INFO("depends=ring_a"));
	add(fixture, "README", INFO("depends=nowhere"));
	assert_int_equal(file_write_atomic(builtin, text, strlen(text), 0644, NULL), 0);
}

static void assert_order(const struct module_index *index, const char *name, const char *expected)
{
	struct module_order order = VEC_INIT;
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	struct err err = { .code = 0 };

	assert_int_equal(module_order_add(index, name, &order, &err), 0);
	for (size_t i = 0; i < order.nr; i++)
		strbuf_printf(&text, "%s%s", i ? " " : "", order.items[i]->name);
	assert_string_equal(strbuf_str(&text), expected);
	vec_release(&order);
}

static void assert_refused(const struct module_index *index, const char *name, const char *message)
{
	struct module_order order = VEC_INIT;
	struct err err = { .code = 0 };

	assert_true(module_order_add(index, name, &order, &err) < 0);
	assert_non_null(strstr(err.msg, message));
	vec_release(&order);
}

static void orders(void **state)
{
	const struct fixture *fixture = *state;
	CLEANUP(module_index) struct module_index index = { .arena = ARENA_INIT };

	add_family(fixture);
	assert_int_equal(module_index_build(fixture->from, fixture->to, NULL), 0);
	assert_int_equal(module_index_load(fixture->to, &index, NULL), 0);
	assert_int_equal(index.entries.nr, 8);
	assert_order(&index, "dm-mod", "dm_mod");
	/* the portable one of an alias, and before what names it */
	assert_order(&index, "dm_cache", "dm_mod crc32c_generic libcrc32c dm_cache");
	assert_order(&index, "dm-x", "dm_mod crc32c_generic libcrc32c dm_cache");
	assert_order(&index, "mq-deadline", "");
	assert_refused(&index, "absent", "this kernel has no module 'absent'");
	assert_refused(&index, "broken", "module 'broken': this kernel has no module 'nowhere'");
	assert_refused(&index, "ring_a", "form a circle");
}

static void refuses_what_is_no_module(void **state)
{
	const struct fixture *fixture = *state;
	CLEANUP(free) char *path = xasprintf("%s/text.ko", fixture->from);
	struct err err = { .code = 0 };

	assert_int_equal(file_write_atomic(path, "text", 4, 0644, NULL), 0);
	assert_int_equal(module_index_build(fixture->from, fixture->to, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "text.ko: not a kernel module"));
}

/* Each length that a file can be cut to, and each byte changed: never outside of the file. */
static void damaged_files_are_harmless(void **state)
{
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	static const char info[] = "depends=a,b\0softdep=pre: c\0alias=d";

	(void)state;
	make_module(&content, info, sizeof(info));
	for (size_t len = 0; len < content.len; len++) {
		char *copy = xmalloc(len + 1);
		CLEANUP(module_info) struct module_info found = { .depends = STRBUF_INIT };

		memcpy(copy, content.buf, len);
		(void)module_info_read(copy, len, &found);
		free(copy);
	}
	for (size_t i = 0; i < content.len; i++) {
		CLEANUP(module_info) struct module_info found = { .depends = STRBUF_INIT };

		content.buf[i] = (char)(content.buf[i] ^ 0xff);
		(void)module_info_read(content.buf, content.len, &found);
		content.buf[i] = (char)(content.buf[i] ^ 0xff);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(orders, setup, teardown),
		cmocka_unit_test_setup_teardown(refuses_what_is_no_module, setup, teardown),
		cmocka_unit_test(damaged_files_are_harmless),
	};

	return cmocka_run_group_tests_name("module_index", tests, NULL, NULL);
}
