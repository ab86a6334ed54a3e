/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/attachment.h"

#include "test.h"

struct mail_case {
	const char *lines[6];
	unsigned nr;
	const char *name; /* NULL: it has none */
};

static const struct mail_case cases[] = {
	{ { "Attached files:", "- setup.txt shows the table", "- old.log and new.log." },
	  1,
	  "setup.txt" },
	{ { "Attached files:", "- setup.txt shows the table", "- old.log and new.log." },
	  3,
	  "new.log" },
	{ { "Attached files:", "- setup.txt shows the table", "- old.log and new.log." }, 4, NULL },
	{ { "Attached: a.txt, then b.txt, and a.txt once more" }, 2, "b.txt" },
	/* what the sentence says they are, across lines */
	{ { "attached are", "- old.txt and new.txt   are the results for 5.4/mq",
	    "and 6.1/bfq tests respectively, as one can see." },
	  2,
	  "6.1/bfq" },
	{ { "Kernels 5.4 and 6.1 were run, old.txt and new.txt (attached) are their results",
	    "correspondingly." },
	  1,
	  "5.4" },
	/* three pairs cannot be told apart */
	{ { "Attached: a.txt and b.txt, c and d, e and f respectively." }, 1, "a.txt" },
	{ { "Attached: a.txt and b.txt. They show c and d. Good and bad respectively." },
	  1,
	  "a.txt" },
	/* no attachments, or nothing that is a file */
	{ { "See a.txt and b.txt." }, 1, NULL },
	{ { "Attached: the results of https://example.org/a.txt" }, 1, NULL },
	{ { "Attached: the results" }, 1, NULL },
	{ { "" }, 1, NULL },
	{ { "Attached: a.txt" }, 0, NULL },
};

static void test_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct attachments attachments = { .prose = STRBUF_INIT };
		CLEANUP(strbuf) struct strbuf name = STRBUF_INIT;

		for (size_t j = 0; j < 6 && cases[i].lines[j]; j++)
			attachments_add(&attachments, cases[i].lines[j]);
		if (attachments_name(&attachments, cases[i].nr, &name) != (cases[i].name != NULL))
			fail_msg("case %zu: '%s'", i, strbuf_str(&name));
		if (cases[i].name)
			assert_string_equal(strbuf_str(&name), cases[i].name);
		attachments_release(&attachments);
	}
}

static void test_prose_is_bounded(void **state)
{
	struct attachments attachments = { .prose = STRBUF_INIT };
	CLEANUP(strbuf) struct strbuf name = STRBUF_INIT;

	(void)state;
	for (int i = 0; i < 100000; i++)
		attachments_add(&attachments, "no word of it");
	assert_true(attachments.prose.len <= ATTACHMENT_MAX_PROSE + 1);
	attachments_add(&attachments, "attached: late.txt");
	assert_false(attachments_name(&attachments, 1, &name));
	attachments_release(&attachments);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_prose_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
