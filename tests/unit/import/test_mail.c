/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Damage to single lines is undone, and what only looks like damage stays. */
#include "import/mail.h"

#include "base/strbuf.h"
#include "test.h"

#include <string.h>

static void assert_cleaned_len(const char *raw, size_t len, const char *expected)
{
	struct mail mail = { .is_in_tag = false };
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

	mail_detect_encoding(&mail, raw, len);
	mail_clean(&mail, raw, len, &out);
	assert_string_equal(strbuf_str(&out), expected);
}

static void assert_cleaned(const char *raw, const char *expected)
{
	assert_cleaned_len(raw, strlen(raw), expected);
}

static void test_plain_lines(void **state)
{
	static const char *const lines[] = {
		"",
		"  read: IOPS=6959, BW=27.2MiB/s (28.5MB/s)(81.6MiB/3001msec)",
		"  IO depths    : 1=0.1%, 2=0.1%, >=64=0.0%",
		">=64=0.0%",
		"   >=2000=8.42%",
		"a < b > c & d",
		"errors    : total=1, first_error=28/<No space left on device>",
		"x=20, y=3F",
		"<host> job: (g=0)",
		"ä ö ü"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_cleaned(lines[i], lines[i]);
}

static void test_quoting(void **state)
{
	(void)state;
	assert_cleaned("> a", "a");
	assert_cleaned(">a", "a");
	assert_cleaned(">>   a", "  a");
	assert_cleaned(" > > > a", "a");
	assert_cleaned("> > > > > > > > a", "a");
	assert_cleaned(">", "");
	assert_cleaned(">   >=64=199.5%", "  >=64=199.5%");
	assert_cleaned(">>=64=0.0%", ">=64=0.0%");
	assert_cleaned(">> =64=0.0%", "=64=0.0%");
	assert_cleaned("&gt; &gt; a &gt; b", "a > b");
}

static void test_bytes(void **state)
{
	(void)state;
	assert_cleaned("\xef\xbb\xbf"
		       "a",
		       "a");
	assert_cleaned("a\xc2\xa0\xe2\x80\xaf"
		       "b\xa0",
		       "a  b ");
	assert_cleaned("a\te", "a       e");
	assert_cleaned("1\xe2\x80\xa6\xe2\x80\xa6\x85", "1.........");
	assert_cleaned("5 \xc2\xb1 1", "5 \xc2\xb1 1");
	assert_cleaned("5 \xb1 1", "5 \xc2\xb1 1");
	assert_cleaned("5 \\261 1", "5 \xc2\xb1 1");
	assert_cleaned("5 \xc4\x85 1", "5 \xc2\xb1 1");
	assert_cleaned("5 \xc3\x82\xc2\xb1 1", "5 \xc2\xb1 1");
	assert_cleaned("\xe2\x88\x92"
		       "5\xe2\x80\x93"
		       "6",
		       "-5-6");
	assert_cleaned("4\xe2\x80\x8b\xc2\xad"
		       "2",
		       "42");
	/* No character at all, and a sequence that is cut. */
	assert_cleaned("\x80\xff\xe2\x80", "?\xc3\xbf\xc3\xa2?");
	assert_cleaned("\xed\xa0\x80", "\xc3\xad ?");
}

static void test_terminal(void **state)
{
	(void)state;
	assert_cleaned("\x1b[01;31m\x1b[K99\x1b[m\x1b[K.00", "99.00");
	assert_cleaned("\x1b]0;title\x07"
		       "a\x1b]2;x\x1b\\b",
		       "ab");
	assert_cleaned("^[[1ma^[[0m", "a");
	assert_cleaned("a\x1b(Bb\x1b", "ab");
	assert_cleaned("one\rtwo\r", "one\ntwo");
	assert_cleaned("a\x08\x07"
		       "b",
		       "ab");
}

static void test_html(void **state)
{
	(void)state;
	assert_cleaned("<b>1</b>8<span class='n'>84</span>", "1884");
	assert_cleaned("a<br/>b<BR>c</p>", "a\nb\nc");
	assert_cleaned("a<br>", "a");
	assert_cleaned("a<br><br>", "a\n");
	assert_cleaned("<td>a</td><td>b</td>", "a b ");
	assert_cleaned("a&nbsp;&lt;b&gt;&#32;&#xb1;&plusmn;&hellip;", "a <b> \xc2\xb1\xc2\xb1...");
	assert_cleaned("a &amp;lt; &unknown; &; & &#; &#x110000; &#xd800;",
		       "a &lt; &unknown; &; & &#; ? ?");
	assert_cleaned("<!-- no -->a<!-- and", "a");
	assert_cleaned("<nothing> <1> <", "<nothing> <1> <");
}

static void test_tag_over_lines(void **state)
{
	struct mail mail = { .is_in_tag = false };
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

	(void)state;
	mail_clean(&mail, "a<span", 6, &out);
	assert_true(mail.is_in_tag);
	mail_clean(&mail, "class=x", 7, &out);
	mail_clean(&mail, "id=y>b", 6, &out);
	assert_false(mail.is_in_tag);
	assert_string_equal(strbuf_str(&out), "ab");

	/* A tag that never ends is none. */
	mail_clean(&mail, "<span", 5, &out);
	for (int i = 0; i < 20; i++)
		mail_clean(&mail, "c", 1, &out);
	assert_non_null(strstr(strbuf_str(&out), "abccccc"));
}

static void test_quoted_printable(void **state)
{
	struct mail mail = { .is_in_tag = false };

	(void)state;
	assert_cleaned("min=3D 3, max=3D9=20", "min= 3, max=9 ");
	assert_cleaned("=3E =3E bw=3D5 =B1 =C2=B1", "bw=5 \xc2\xb1 \xc2\xb1");
	assert_cleaned("a=3d1", "a=1");
	assert_cleaned("=1B[01;31mx=3D=1B[m5", "x=5");
	/* Lines of fio may consist of nothing but digits after "=". */
	assert_cleaned("lat (msec) : 10=13.69%, 20=20.00%", "lat (msec) : 10=13.69%, 20=20.00%");

	/* The sign may stand in a later line, the contradiction too. */
	mail_detect_encoding(&mail, "long prose =\nx=3D5\n", 19);
	assert_true(mail.is_quoted_printable);
	assert_true(mail_is_soft_break(&mail, "long prose =", 12));
	assert_true(mail_is_soft_break(&mail, "long prose = \r", 14));
	assert_false(mail_is_soft_break(&mail, "x=3D5", 5));
	mail_detect_encoding(&mail, "a=20\nb=c\nx=3D5\n", 15);
	assert_false(mail.is_quoted_printable);
	assert_false(mail_is_soft_break(&mail, "long prose =", 12));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_lines),
		cmocka_unit_test(test_quoting),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_terminal),
		cmocka_unit_test(test_html),
		cmocka_unit_test(test_tag_over_lines),
		cmocka_unit_test(test_quoted_printable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
