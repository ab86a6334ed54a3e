/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_arena: alignment, zeroing, stability, block handling, and the x*alloc family. */
#include "base/arena.h"

#include "base/err.h"
#include "test.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_alignment_and_zero(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;

	(void)state;
	for (size_t size = 0; size < 6000; size += 7) {
		unsigned char *data = arena_alloc(&arena, size);

		assert_int_equal((uintptr_t)data % alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(data[i], 0);
		memset(data, 0xff, size); /* the next one must not see it */
	}
}

static void test_items_do_not_overlap_or_move(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	char *items[2000];

	(void)state;
	for (size_t i = 0; i < 2000; i++)
		items[i] = arena_printf(&arena, "item %zu", i);
	for (size_t i = 0; i < 2000; i++) {
		char expected[32];

		(void)snprintf(expected, sizeof(expected), "item %zu", i);
		assert_string_equal(items[i], expected);
	}
}

static void test_large_item_does_not_waste_the_block(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	char *first = arena_alloc(&arena, 16);
	char *second;

	(void)state;
	memset(arena_alloc(&arena, 100000), 1, 100000);
	second = arena_alloc(&arena, 16);
	assert_ptr_equal(second, first + 16); /* still from the first block */
}

static void test_strings(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;

	(void)state;
	assert_string_equal(arena_strdup(&arena, ""), "");
	assert_string_equal(arena_strdup(&arena, "abc"), "abc");
	assert_string_equal(arena_strndup(&arena, "abcdef", 3), "abc");
	assert_string_equal(arena_strndup(&arena, "ab", 3), "ab");
	assert_memory_equal(arena_memdup(&arena, "a\0b", 3), "a\0b", 3);
	assert_non_null(arena_memdup(&arena, NULL, 0));
}

static void test_used_bytes(void **state)
{
	struct arena arena = ARENA_INIT;

	(void)state;
	(void)arena_alloc(&arena, 1000);
	assert_true(arena.used_bytes >= 1000 && arena.used_bytes < 1100);
	arena_release(&arena);
	assert_int_equal(arena.used_bytes, 0);
	assert_null(arena.blocks);
	(void)arena_alloc(&arena, 1); /* usable again */
	arena_release(&arena);
	arena_release(&arena); /* empty is fine */
}

static void test_x_functions(void **state)
{
	char *text = xmalloc(0);
	char *unterminated;
	int *numbers;

	(void)state;
	assert_non_null(text);
	text = xrealloc(text, 10);
	(void)snprintf(text, 10, "abc");
	free(text);

	numbers = xcalloc(3, sizeof(*numbers));
	assert_int_equal(numbers[0] | numbers[1] | numbers[2], 0);
	numbers = xreallocarray(numbers, 1000, sizeof(*numbers));
	numbers[999] = 1;
	free(numbers);
	free(xcalloc(0, 8));

	text = xstrndup("abcdef", 2);
	assert_string_equal(text, "ab");
	free(text);

	unterminated = xmalloc(3); /* ASan sees a read past its end */
	memcpy(unterminated, "abc", 3);
	text = xstrndup(unterminated, 3);
	assert_string_equal(text, "abc");
	free(text);
	free(unterminated);

	text = xasprintf("%d-%s", 1, "x");
	assert_string_equal(text, "1-x");
	free(text);
}

static void alloc_overflow(void)
{
	(void)xreallocarray(NULL, SIZE_MAX / 2, 4);
}

static void alloc_arena_overflow(void)
{
	struct arena arena = ARENA_INIT;

	(void)arena_alloc_array(&arena, SIZE_MAX / 2, 4);
}

static void alloc_arena_max(void)
{
	struct arena arena = ARENA_INIT;

	(void)arena_alloc(&arena, SIZE_MAX - 3);
}

/* Runs it in a child, which must end after one line on stderr. */
static void assert_ends(void (*function)(void))
{
	char text[200] = "";
	int fds[2];
	int status;
	ssize_t got;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		(void)dup2(fds[1], STDERR_FILENO);
		function();
		_exit(0);
	}
	(void)close(fds[1]);
	got = read(fds[0], text, sizeof(text) - 1);
	(void)close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(got > 0);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == ERR_SYSTEM);
	assert_non_null(strstr(text, "regio: error: out of memory: no "));
	assert_ptr_equal(strchr(text, '\n'), text + got - 1);
}

static void test_out_of_memory(void **state)
{
	(void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	test_skip("sanitizers replace the allocator and its failure");
#endif
	assert_ends(alloc_overflow);
	assert_ends(alloc_arena_overflow);
	assert_ends(alloc_arena_max);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alignment_and_zero),
		cmocka_unit_test(test_items_do_not_overlap_or_move),
		cmocka_unit_test(test_large_item_does_not_waste_the_block),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_used_bytes),
		cmocka_unit_test(test_x_functions),
		cmocka_unit_test(test_out_of_memory),
	};

	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
