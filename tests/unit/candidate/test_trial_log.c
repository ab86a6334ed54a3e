/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trial_log: a log comes back as it was printed; damaged ones are refused with their line. */
#include "test.h"

#include "base/err.h"
#include "base/strbuf.h"
#include "candidate/trial_log.h"

#include <string.h>

#define HEAD "regio bisect log, version 1\n"
#define TWO HEAD "candidate 0 a a\ncandidate 1 b b\n"

static void make_log(struct trial_log *log)
{
	candidate_facts_add(&log->options, "command", "regio bisect --list=x --run 'a # b'");
	candidate_facts_add(&log->options, "seed", "7");
	candidate_list_add(&log->candidates, "0123456789abcdef", "01234567", "first \"one\"\n#2");
	candidate_list_add(&log->candidates, "with blank # and \\ and \"", "wi\nth", "");
	trial_log_add(log, &(struct trial_event){ .kind = EVENT_WARMUP, .value = 1 });
	trial_log_add(log, &(struct trial_event){ .kind = EVENT_RUN,
						  .position = 1,
						  .value = 0.1 + 0.2,
						  .elapsed_ms = 1234,
						  .text = (char[]){ "search, wi" } });
	trial_log_add(log, &(struct trial_event){ .kind = EVENT_RUN, .value = -1e300 });
	trial_log_add(log, &(struct trial_event){ .kind = EVENT_FAILED,
						  .position = 1,
						  .text = (char[]){ "exit status 3: # no\tway" } });
	trial_log_add(log, &(struct trial_event){ .kind = EVENT_UNTESTABLE, .position = 1 });
}

static void test_round_trip(void **state)
{
	CLEANUP(trial_log) struct trial_log log = { .options = VEC_INIT };
	CLEANUP(trial_log) struct trial_log back = { .options = VEC_INIT };
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	struct err err = { .code = 0 };

	(void)state;
	make_log(&log);
	trial_log_print(&log, &text);
	assert_int_equal(trial_log_parse("log", text.buf, text.len, &back, &err), 0);
	assert_string_equal(trial_log_option(&back, "command"),
			    "regio bisect --list=x --run 'a # b'");
	assert_null(trial_log_option(&back, "nothing"));
	assert_int_equal(back.candidates.nr, 2);
	assert_string_equal(back.candidates.items[0].text, "first \"one\" #2");
	assert_string_equal(back.candidates.items[1].id, "with blank # and \\ and \"");
	assert_string_equal(back.candidates.items[1].name, "wi\nth");
	assert_int_equal(back.events.nr, log.events.nr);
	for (size_t i = 0; i < log.events.nr; i++) {
		assert_int_equal(back.events.items[i].kind, log.events.items[i].kind);
		assert_int_equal(back.events.items[i].position, log.events.items[i].position);
		assert_true(back.events.items[i].value == log.events.items[i].value);
	}
	assert_string_equal(back.events.items[3].text, "exit status 3: # no way");
}

/* A merge that was entered, one in it that had nothing, and its second side. */
static void test_entered(void **state)
{
	CLEANUP(trial_log) struct trial_log log = { .options = VEC_INIT };
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	struct err err = { .code = 0 };
	static const char wanted[] =
		TWO "run 0 1\nrun 1 2\n"
		    "enter 0 1 2\n"
		    "candidate 0 c c before\ncandidate 1 d d\ncandidate 2 b b\n"
		    "run 2 3\nuntestable 1 no \"tree\"\n"
		    "enter 1 2 2 nothing new came in with it\n"
		    "enter 1 2 3\n"
		    "candidate 0 e e\ncandidate 1 f f\n"
		    "run 1 4\n";

	(void)state;
	assert_int_equal(trial_log_parse("log", wanted, sizeof(wanted) - 1, &log, &err), 0);
	assert_int_equal(log.candidates.nr, 2);
	assert_int_equal(log.events.nr, 2);
	assert_int_equal(log.entered.nr, 3);
	assert_int_equal(log.entered.items[0]->candidates.nr, 3);
	assert_int_equal(log.entered.items[0]->events.nr, 2);
	assert_null(log.entered.items[0]->entry.why);
	assert_string_equal(log.entered.items[1]->entry.why, "nothing new came in with it");
	assert_int_equal(log.entered.items[2]->entry.line, 1);
	assert_int_equal(log.entered.items[2]->entry.position, 2);
	assert_int_equal(log.entered.items[2]->entry.parent, 3);
	trial_log_print(&log, &text);
	for (char *at = text.buf; (at = strstr(at, " \n"));) /* texts that are empty */
		memmove(at, at + 1, strlen(at));
	assert_string_equal(text.buf, wanted);
}

static void test_by_mail(void **state)
{
	CLEANUP(trial_log) struct trial_log log = { .options = VEC_INIT };
	struct err err = { .code = 0 };
	static const char text[] =
		"# look at this\r\n\r\nregio bisect log, version 1\r\n"
		"set seed  3\r\ncandidate 0 a a\r\n  candidate 1 b b text of it\r\n"
		"run 0 12.5 # 1.0 s ends\r\n\r\nrun 1 13\r\n";

	(void)state;
	assert_int_equal(trial_log_parse("log", text, sizeof(text) - 1, &log, &err), 0);
	assert_string_equal(trial_log_option(&log, "seed"), "3");
	assert_string_equal(log.candidates.items[1].text, "text of it");
	assert_int_equal(log.events.nr, 2);
	assert_true(log.events.items[0].value == 12.5 && log.events.items[1].value == 13);
}

static void refused(const char *text, const char *wanted)
{
	struct trial_log log = { .options = VEC_INIT };
	struct err err = { .code = 0 };

	assert_int_equal(trial_log_parse("log", text, strlen(text), &log, &err), -ERR_INPUT);
	if (!strstr(err.msg, wanted))
		fail_msg("'%s' does not say '%s'", err.msg, wanted);
}

static void test_damage(void **state)
{
	(void)state;
	refused("", "no log of a bisection: 0 candidates");
	refused("hello\n", "log:1: no log of a bisection");
	refused(HEAD "candidate 0 a a\n", "1 candidates");
	refused(HEAD "candidate 1 a a\n", "log:2: not in order");
	refused(HEAD "candidate 0 a\n", "log:2: no name of candidate 'a'");
	refused(HEAD "candidate x a a\n", "log:2: there is no position 'x'");
	refused(HEAD "candidate 999999999 a a\n", "there is no position");
	refused(HEAD "set\n", "log:2: nothing is");
	refused(HEAD "set a 1\nset a 2\n", "log:3: set twice: 'a'");
	refused(TWO "run 2 1\n", "log:4: there is no position '2'");
	refused(TWO "run 1\n", "log:4: not a number: ''");
	refused(TWO "run 1 nan\n", "not a number: 'nan'");
	refused(TWO "run 1 5 6\n", "not a comment: '6'");
	refused(TWO "enter 1 1 2\n", "log:4: there is no position '1'");
	refused(TWO "enter 0 2 2\n", "log:4: there is no position '2'");
	refused(TWO "enter 0 1 1\n", "log:4: not the number of a merged parent: '1'");
	refused(TWO "enter 0 1\n", "not the number of a merged parent: ''");
	refused(TWO "enter 0 1 2\nrun 0 1\n", "log:5: there is no position '0'");
	refused(TWO "enter 0 1 2\ncandidate 0 a a\n", "number 1 that was entered has 1 candidates");
	refused(TWO "enter 0 1 2 closed\ncandidate 0 a a\n",
		"log:5: nothing was entered, and here is candidate 'a'");
	refused(HEAD "candidate 0 a a\nenter 0 0 2\n", "1 candidates");
	refused(TWO "enter 0 1 2\ncandidate 0 a a\ncandidate 1 b b\nset seed 1\nset seed 2\n",
		"log:8: set twice: 'seed'");
	refused(TWO "ran 1 5\n", "log:4: not understood: 'ran'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_entered),
		cmocka_unit_test(test_by_mail),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
