/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_candidate_git: commits along first parents, trees that are built once, and the user's
 * repository as it was. */
#include "candidate_files.h"

#include "base/strbuf.h"

#define GIT "git -c user.name=Jo -c user.email=jo@example.org -C r "

/* Commits 0 .. 4 on main, of which 3 is a merge of two; 2 does not build. */
static void make_repository(void)
{
	files_shell("git init -q -b main r && cd r && for i in 0 1 2; do "
		    "echo $i >nr; [ $i = 2 ] && rm nr; git add -A; "
		    "git -c user.name=Jo -c user.email=jo@example.org commit -q -m \"change $i\"; "
		    "git tag c$i; done");
	files_shell(GIT "checkout -q -b side c1");
	files_shell("echo side >r/side && " GIT "add side && " GIT
		    "commit -q -m 'side 1' && echo x "
		    ">>r/side && " GIT "commit -q -am 'side 2'");
	files_shell(GIT "checkout -q main && " GIT "merge -q --no-ff -m 'merge side' side && " GIT
			"tag c3");
	files_shell("echo 4 >r/nr && " GIT "add nr && " GIT "commit -q -m 'change 4' && " GIT
		    "tag c4");
	/* a line with three more merges: of two at once, of what is there, of a stranger */
	files_shell("g() { " GIT "\"$@\"; }; merge() { g reset -q --hard "
		    "$(g commit-tree -p HEAD -p \"$1\" -m \"$2\" HEAD^{tree}); }; "
		    "g checkout -q -b odd c4; for i in left right; do g checkout -q -b $i c1; "
		    "g commit -q --allow-empty -m $i; done; g checkout -q odd; "
		    "g merge -q -m octopus left right; merge c0 again; "
		    "merge $(g commit-tree -m stranger HEAD^{tree}) foreign; "
		    "g checkout -q right; merge c4 'main into right'; g commit -q --allow-empty "
		    "-m 'right 2'; g checkout -q odd; merge right crossed; "
		    "g tag odd-end; g checkout -q main");
	/* and a signed commit, of which the user's git log says more */
	files_shell(GIT "config log.showSignature true && c=$(" GIT
			"cat-file commit c4 | sed '/^committer/a gpgsig -----BEGIN PGP "
			"SIGNATURE-----\\n \\n x\\n -----END PGP SIGNATURE-----' | " GIT
			"hash-object -t commit -w --stdin) && " GIT "tag signed $c");
	/* something of the user's own is going on */
	files_shell("echo dirty >>r/side; echo new >r/untracked; echo staged >r/s; " GIT "add s");
	files_shell("cp -a r before");
}

static void unchanged(void)
{
	files_shell("diff -r before r && cmp before/.git/index r/.git/index");
}

static void test_commits(void **state)
{
	CLEANUP(candidate_source) struct candidate_source source = { .ops = NULL };
	CLEANUP(candidate_facts) struct candidate_facts facts = VEC_INIT;
	struct err err = { .code = 0 };

	(void)state;
	make_repository();
	assert_int_equal(files_open("git", "r", "c0..c4", "test -f nr", &source, &err), 0);
	assert_int_equal(source.list.nr, 5); /* those of the side are inside the merge */
	assert_string_equal(source.list.items[0].text, "change 0");
	assert_string_equal(source.list.items[3].text, "merge side");
	assert_int_equal(strlen(source.list.items[3].id), 40);
	assert_int_equal(candidate_describe(&source, 3, &facts, &err), 0);
	assert_string_equal(facts.items[1].value, "merge side");
	candidate_close(&source);
	assert_int_equal(files_open("git", "r", "c3..signed", "true", &source, &err), 0);
	assert_int_equal(source.list.nr, 2);
	assert_string_equal(source.list.items[1].text, "change 4");
	candidate_close(&source);
	assert_int_equal(files_open("git", "r", "c0..c4", "test -f nr", &source, &err), 0);
	assert_string_equal(facts.items[2].value, "Jo <jo@example.org>");
	assert_string_equal(facts.items[4].key, "file");
	assert_string_equal(facts.items[4].value, "side");
	assert_string_equal(vec_last(&facts)->key, CANDIDATE_FACT_INSIDE);
	assert_non_null(strstr(vec_last(&facts)->value, ".."));
	{ /* that range has the commits of the side */
		CLEANUP(candidate_source) struct candidate_source inside = { .ops = NULL };

		assert_int_equal(
			files_open("git", "r", vec_last(&facts)->value, "true", &inside, &err), 0);
		assert_int_equal(inside.list.nr, 3);
		assert_string_equal(inside.list.items[2].text, "side 2");
	}
	unchanged();
}

/* What came into the candidate by that parent, "good first last" in the words of their subjects, or
 * why there is nothing; "" if there is no such parent. */
static void entered(struct candidate_source *source, size_t position, unsigned parent,
		    const char *wanted)
{
	CLEANUP(candidate_source) struct candidate_source inside = { .ops = NULL };
	CLEANUP(free) char *why = NULL;
	CLEANUP(strbuf) struct strbuf words = STRBUF_INIT;
	struct err err = { .code = 0 };

	assert_int_equal(
		candidate_enter(source,
				&(struct candidate_door){ .position = position, .parent = parent },
				&inside, &why, &err),
		0);
	assert_true(!inside.ops || (inside.list.nr >= 2 && !why));
	VEC_FOREACH (&inside.list, candidate)
		strbuf_printf(&words, "%s;", candidate->text);
	strbuf_add_str(&words, why ? why : "");
	assert_string_equal(strbuf_str(&words), wanted);
}

static void test_sides(void **state)
{
	CLEANUP(candidate_source) struct candidate_source source = { .ops = NULL };
	CLEANUP(candidate_facts) struct candidate_facts facts = VEC_INIT;
	struct err err = { .code = 0 };

	(void)state;
	assert_int_equal(files_open("git", "r", "c0..odd-end", "test -f nr", &source, &err), 0);
	assert_int_equal(source.list.nr, 9);
	entered(&source, 3, 2, "change 1;side 1;side 2;");
	entered(&source, 3, 3, "");
	entered(&source, 4, 2, "");		  /* no merge */
	entered(&source, 5, 2, "change 1;left;"); /* one commit */
	entered(&source, 5, 3, "change 1;right;");
	entered(&source, 5, 4, "");
	entered(&source, 6, 2, "nothing new came in with it");
	entered(&source, 7, 2, "its history has no commit in common");
	/* "right" itself had come in before: what came after it */
	entered(&source, 8, 2, "right;main into right;right 2;");
	assert_int_equal(candidate_describe(&source, 7, &facts, &err), 0);
	assert_string_not_equal(vec_last(&facts)->key, CANDIDATE_FACT_INSIDE);
	{ /* its commits are built in the same cache, under the same lock */
		CLEANUP(candidate_source) struct candidate_source inside = { .ops = NULL };
		CLEANUP(candidate_setup) struct candidate_setup setup = { .tree = NULL };
		CLEANUP(free) char *why = NULL;

		assert_int_equal(
			candidate_enter(&source,
					&(struct candidate_door){ .position = 3, .parent = 2 },
					&inside, &why, &err),
			0);
		assert_int_equal(candidate_prepare(&inside, 2, &setup, &err), 0);
		assert_null(setup.why_untestable);
		assert_int_equal(setenv("TREE", setup.tree, 1), 0);
		files_shell("[ $(wc -l <$TREE/side) = 2 ]");
	}
	entered(&source, 3, 2, "change 1;side 1;side 2;"); /* closing one closed nothing else */
	unchanged();
}

static void test_builds(void **state)
{
	CLEANUP(candidate_source) struct candidate_source source = { .ops = NULL };
	struct candidate_setup setup = { .tree = NULL };
	struct err err = { .code = 0 };
	static const char build[] = "echo $REGIO_CANDIDATE >>$OUT; cp nr built && "
				    "[ $PWD = $REGIO_TREE ]";

	(void)state;
	files_shell("true");
	{
		CLEANUP(free) char *out = realpath(".", NULL);
		CLEANUP(strbuf) struct strbuf path = STRBUF_INIT;

		strbuf_printf(&path, "%s/builds", out);
		(void)setenv("OUT", strbuf_str(&path), 1);
	}
	for (int round = 0; round < 2; round++) { /* the second one finds what the first built */
		assert_int_equal(files_open("git", "r", "c0..c4", build, &source, &err), 0);
		assert_int_equal(candidate_prepare(&source, 1, &setup, &err), 0);
		assert_null(setup.why_untestable);
		assert_int_equal(setenv("TREE", setup.tree, 1), 0);
		files_shell("[ $(cat $TREE/built) = 1 ] && [ $(wc -l <builds) = 1 ]");
		candidate_setup_release(&setup);
		candidate_close(&source);
	}
	assert_int_equal(files_open("git", "r", "c0..c4", build, &source, &err), 0);
	assert_int_equal(candidate_prepare(&source, 2, &setup, &err), 0);
	assert_non_null(setup.why_untestable);
	assert_non_null(strstr(setup.why_untestable, "build failed with status 1: cp: "));
	candidate_setup_release(&setup);
	unchanged();
}

static void test_leftovers(void **state)
{
	CLEANUP(candidate_source) struct candidate_source source = { .ops = NULL };
	struct err err = { .code = 0 };

	(void)state;
	/* a tree without its marker: its build was killed */
	files_shell(
		"for d in git-*; do mkdir $d/0123abcd.AbCdEf && touch $d/0123abcd.AbCdEf/x; done");
	assert_int_equal(files_open("git", "r", "c0..c4", "test -f nr", &source, &err), 0);
	files_shell("[ $(ls -d git-*/0123abcd.* | wc -l) -lt $(ls -d git-* | wc -l) ]");
	{ /* one at a time */
		struct candidate_source other = { .ops = NULL };

		assert_int_equal(files_open("git", "r", "c1..c4", "test -f nr", &other, &err),
				 -ERR_SYSTEM);
		assert_non_null(strstr(err.msg, "another bisection builds the same commits"));
	}
}

static void refused(const char *where, const char *range, const char *wanted)
{
	struct candidate_source source = { .ops = NULL };
	struct err err = { .code = 0 };

	assert_true(files_open("git", where, range, "true", &source, &err) < 0);
	if (!strstr(err.msg, wanted))
		fail_msg("'%s' does not say '%s'", err.msg, wanted);
}

static void test_refused(void **state)
{
	(void)state;
	refused("r", NULL, "GOOD..BAD is missing");
	refused("r", "c0", "'c0' is not GOOD..BAD");
	refused("r", "..c0", "is not GOOD..BAD");
	refused("r", "c0..", "is not GOOD..BAD");
	refused("r", "c0...c4", "is not GOOD..BAD");
	refused("r", "c0..nothing", "'nothing' names no commit of 'r'");
	refused("r", "--all..c0", "'--all' names no commit");
	refused("r", "c4..c0", "'c4' comes after 'c0'");
	refused("r", "side..c2", "'side' is not an ancestor of 'c2'");
	refused("r", "c1..c1", "are the same commit");
	refused("nowhere", "a..b", "No such file");
	files_shell("mkdir -p plain");
	refused("/", "a..b", "is no repository");
	unchanged();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commits), cmocka_unit_test(test_sides),
		cmocka_unit_test(test_builds),	cmocka_unit_test(test_leftovers),
		cmocka_unit_test(test_refused),
	};

	CLEANUP(free) char *program = child_find_program("git");

	if (!program) {
		(void)printf("1..0 # skip: git is not installed\n");
		return 0;
	}
	return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
