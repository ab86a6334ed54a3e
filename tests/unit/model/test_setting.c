/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setting: where a comma splits, what is refused and how it is said. */
#include "model/setting.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "test.h"

struct expected {
	const char *namespace, *key, *value;
};

struct accept_row {
	const char *text;
	struct expected settings[4];
	const char *printed; /* NULL = as text */
};

static const struct accept_row accept_rows[] = {
	{ "queue.scheduler=bfq", { { "queue", "scheduler", "bfq" } }, NULL },
	{ "job.bs=4k,8k", { { "job", "bs", "4k,8k" } }, NULL },
	{ "job.bs=4k,8k,job.iodepth=4,queue.nr_requests=2",
	  { { "job", "bs", "4k,8k" }, { "job", "iodepth", "4" }, { "queue", "nr_requests", "2" } },
	  NULL },
	{ "sysctl.vm.dirty_ratio=5, iosched.async_depth=1",
	  { { "sysctl", "vm.dirty_ratio", "5" }, { "iosched", "async_depth", "1" } },
	  "sysctl.vm.dirty_ratio=5,iosched.async_depth=1" },
	{ "cmd=echo a,b=c > /tmp/x, jobs.y=1,cmd=true",
	  { { "cmd", "", "echo a,b=c > /tmp/x, jobs.y=1" }, { "cmd", "", "true" } },
	  NULL },
	{ "job.filename=/a=b:/c,d.e", { { "job", "filename", "/a=b:/c,d.e" } }, NULL },
	{ "job.bs=4k,", { { "job", "bs", "4k," } }, NULL },
	{ "job.description=", { { "job", "description", "" } }, NULL },
};

static void test_accepts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(accept_rows) / sizeof(accept_rows[0]); i++) {
		const struct accept_row *row = &accept_rows[i];
		CLEANUP(setting_list) struct setting_list list = { .nr = 0 };
		CLEANUP(free) char *printed = NULL;
		struct err err = { .code = 0 };
		size_t nr = 0;

		assert_int_equal(setting_list_parse(&list, row->text, &err), 0);
		for (; nr < 4 && row->settings[nr].namespace; nr++) {
			assert_true(nr < list.nr);
			assert_string_equal(list.items[nr].namespace, row->settings[nr].namespace);
			assert_string_equal(list.items[nr].key, row->settings[nr].key);
			assert_string_equal(list.items[nr].value, row->settings[nr].value);
		}
		assert_int_equal(list.nr, nr);
		printed = setting_list_text(&list);
		assert_string_equal(printed, row->printed ? row->printed : row->text);
	}
}

static const struct {
	const char *text, *message_part;
} refuse_rows[] = {
	{ "", "setting '' is not KEY=VALUE" },
	{ "queue.scheduler", "setting 'queue.scheduler' is not KEY=VALUE" },
	{ "/proc/version", "is not KEY=VALUE; files of settings are not read" },
	{ "queue.=1", "no key after 'queue.'" },
	{ "cmd=", "no command" },
	{ "cmd=  ", "no command" },
	{ "bs=4k", "has no namespace; for a job option write job.bs=4k" },
	{ "disk.bs=4k",
	  "no known namespace; settings look like job.iodepth=64, queue.scheduler=bfq" },
	{ "quue.scheduler=bfq", "unknown namespace 'quue', did you mean 'queue'" },
	{ "job.bs=4k,quue.scheduler=bfq", "'quue.scheduler=bfq': unknown namespace 'quue'" },
	{ "queue.a=1,job.iodepth", "setting 'job.iodepth' is not KEY=VALUE" },
};

static void test_refuses_and_leaves_the_list(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refuse_rows) / sizeof(refuse_rows[0]); i++) {
		CLEANUP(setting_list) struct setting_list list = { .nr = 0 };
		struct err err = { .code = 0 };

		assert_int_equal(setting_list_parse(&list, "job.rw=read", &err), 0);
		assert_int_equal(setting_list_parse(&list, refuse_rows[i].text, &err), -ERR_USAGE);
		if (!strstr(err.msg, refuse_rows[i].message_part))
			fail_msg("'%s' gave '%s'", refuse_rows[i].text, err.msg);
		assert_int_equal(list.nr, 1);
	}
}

static void test_appends(void **state)
{
	CLEANUP(setting_list) struct setting_list list = { .nr = 0 };
	CLEANUP(free) char *none = setting_list_text(&list);
	CLEANUP(free) char *one = NULL;

	(void)state;
	assert_string_equal(none, "(none)");
	assert_int_equal(setting_list_parse(&list, "job.rw=read", NULL), 0);
	assert_int_equal(setting_list_parse(&list, "cmd=true", NULL), 0);
	assert_int_equal(list.nr, 2);
	one = setting_text(&list.items[1]);
	assert_string_equal(one, "cmd=true");
}

static void test_origin(void **state)
{
	CLEANUP(setting_list) struct setting_list list = { .nr = 0 };
	CLEANUP(setting_list) struct setting_list copy = { .nr = 0 };

	(void)state;
	assert_int_equal(setting_list_parse(&list, "job.rw=read,queue.nomerges=1", NULL), 0);
	setting_list_mark(&list, 1, "plan.yaml", 6);
	setting_list_mark(&list, 1, "plan.yaml", 7);
	assert_null(list.items[0].origin);
	assert_string_equal(list.items[1].origin, "plan.yaml:7");
	setting_list_add(&copy, &list.items[0]);
	setting_list_add(&copy, &list.items[1]);
	assert_null(copy.items[0].origin);
	assert_string_equal(copy.items[1].origin, "plan.yaml:7");
	assert_string_equal(copy.items[1].value, "1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accepts),
		cmocka_unit_test(test_refuses_and_leaves_the_list),
		cmocka_unit_test(test_appends),
		cmocka_unit_test(test_origin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
