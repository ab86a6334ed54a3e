/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_candidate_kernels: packages in the order of their versions, and lists as they are. */
#include "candidate_files.h"

static void test_folder(void **state)
{
	static const char *const wanted[] = { "6.1.0-9",   "6.1~rc7-1~exp1", "6.1.55-1",
					      "6.1.128-1", "6.12~rc4",	     "6.12" };
	CLEANUP(candidate_source) struct candidate_source source = { .ops = NULL };
	CLEANUP(candidate_setup) struct candidate_setup setup = { .tree = NULL };
	struct err err = { .code = 0 };

	(void)state;
	files_shell("mkdir k && cd k && touch linux-image-6.1.0-13-amd64_6.1.55-1_amd64.deb "
		    "linux-image-6.1.0-30-amd64_6.1.128-1_amd64.deb vmlinuz-6.12 bzImage-6.12-rc4 "
		    "linux-image-6.1_6.1~rc7-1~exp1_amd64.deb vmlinuz-6.1.0-9 config-6.12 "
		    "linux-image-6.1.0-13-amd64-dbg_6.1.55-1_amd64.deb "
		    "linux-headers-6_6.1-1_amd64.deb");
	assert_int_equal(files_open("kernels", "k", NULL, NULL, &source, &err), 0);
	assert_int_equal(source.list.nr, 6);
	/* 6.1~rc7 comes before 6.1.0 */
	assert_string_equal(source.list.items[0].name, wanted[1]);
	assert_string_equal(source.list.items[1].name, wanted[0]);
	for (size_t i = 2; i < 6; i++)
		assert_string_equal(source.list.items[i].name, wanted[i]);
	assert_int_equal(candidate_prepare(&source, 5, &setup, &err), 0);
	assert_int_equal(setup.settings.nr, 1);
	assert_string_equal(setup.settings.items[0].namespace, "kernel");
	assert_string_equal(setup.settings.items[0].value, "k/vmlinuz-6.12");
}

static void test_list(void **state)
{
	CLEANUP(candidate_source) struct candidate_source source = { .ops = NULL };
	struct err err = { .code = 0 };

	(void)state;
	files_shell("mkdir -p l && cd l && touch b a && printf 'b\\na\\n' >list");
	assert_int_equal(files_open("kernels", "l/list", NULL, NULL, &source, &err), 0);
	assert_string_equal(source.list.items[0].id, "l/b");
	candidate_close(&source);
	files_shell("echo c >>l/list");
	assert_int_equal(files_open("kernels", "l/list", NULL, NULL, &source, &err), -ERR_INPUT);
	assert_string_equal(err.msg, "l/list:3: there is no kernel 'l/c'");
}

/* The cache has one 6.1, which a list may name as the setting kernel=6.1 does. */
static void test_releases(void **state)
{
	CLEANUP(candidate_source) struct candidate_source source = { .ops = NULL };
	CLEANUP(candidate_setup) struct candidate_setup setup = { .tree = NULL };
	struct err err = { .code = 0 };
	char *here = realpath(".", NULL);

	(void)state;
	assert_int_equal(setenv("XDG_CACHE_HOME", here, 1), 0);
	free(here);
	files_shell("f=regio/kernels/0123456789abcdef0123456789abcdef; mkdir -p $f r && "
		    "printf '6.1.0-47-amd64\\nid\\nfrom\\n' >$f/info && touch r/bzImage && "
		    "printf '6.1\\nbzImage\\n' >r/list");
	assert_int_equal(files_open("kernels", "r/list", NULL, NULL, &source, &err), 0);
	assert_string_equal(source.list.items[0].id, "6.1.0-47-amd64");
	assert_string_equal(source.list.items[1].id, "r/bzImage");
	assert_int_equal(candidate_prepare(&source, 0, &setup, &err), 0);
	assert_string_equal(setup.settings.items[0].value, "6.1.0-47-amd64");
	candidate_close(&source);
	files_shell("echo 6.12 >>r/list");
	assert_int_equal(files_open("kernels", "r/list", NULL, NULL, &source, &err), -ERR_SYSTEM);
	assert_non_null(strstr(err.msg, "r/list:3: kernel 6.12: there is no such file, and no "));
}

static void test_names(void **state)
{
	static const char *const wanted[] = { "6.11", "6.12",
					      "linux-image-6.13-amd64_6.13-1_amd64.deb",
					      "linux-image-6.13-rt-amd64_6.13-1_amd64.deb",
					      "7.0-1" };
	CLEANUP(candidate_source) struct candidate_source source = { .ops = NULL };
	struct err err = { .code = 0 };

	(void)state;
	files_shell("mkdir n && cd n && touch linux-image-6.12.deb linux-image-6.11.deb "
		    "linux-image-6.13-amd64_6.13-1_amd64.deb "
		    "linux-image-6.13-rt-amd64_6.13-1_amd64.deb linux-image-7_7.0-1_amd64.deb");
	assert_int_equal(files_open("kernels", "n", NULL, NULL, &source, &err), 0);
	assert_int_equal(source.list.nr, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_string_equal(source.list.items[i].name, wanted[i]);
		assert_string_equal(source.list.items[i].text, ""); /* it stands beside the name */
	}
}

static void test_boot(void **state)
{
	CLEANUP(candidate_source) struct candidate_source source = { .ops = NULL };
	CLEANUP(candidate_setup) struct candidate_setup setup = { .tree = NULL };
	struct err err = { .code = 0 };

	(void)state;
	files_write("names", "one\ntwo\n");
	assert_int_equal(files_open("kernels", "names", NULL,
				    "echo booted $REGIO_CANDIDATE >>boots; "
				    "[ $REGIO_CANDIDATE = one ] || { echo no disk >&2; exit 9; }",
				    &source, &err),
			 0);
	assert_int_equal(candidate_prepare(&source, 0, &setup, &err), 0);
	assert_null(setup.why_untestable);
	assert_int_equal(setup.settings.nr, 0);
	assert_int_equal(candidate_prepare(&source, 1, &setup, &err), 0);
	assert_string_equal(setup.why_untestable, "boot failed with status 9: no disk");
	files_shell("[ \"$(cat boots)\" = \"$(printf 'booted one\\nbooted two')\" ]");
}

static void test_refused(void **state)
{
	struct candidate_source source = { .ops = NULL };
	struct err err = { .code = 0 };

	(void)state;
	assert_int_equal(files_open("kernels", "nowhere", NULL, NULL, &source, &err), -ERR_SYSTEM);
	files_shell("mkdir -p e");
	assert_int_equal(files_open("kernels", "e", NULL, NULL, &source, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "e: 0 kernels to choose from"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_folder),	 cmocka_unit_test(test_list),
		cmocka_unit_test(test_releases), cmocka_unit_test(test_names),
		cmocka_unit_test(test_boot),	 cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
