/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces variables, keywords and their arithmetic in an option line. */
#include "job/subst.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "job/number.h"

#define MAX_PARENTHESES 32 /* nested; keeps the recursion bounded */

struct expression {
	const char *pos;
	unsigned depth;
	int error; /* 0, or the first -EINVAL or -ERANGE */
};

static long long expression_sum(struct expression *expression);

static long long expression_fail(struct expression *expression, int error)
{
	if (!expression->error)
		expression->error = error;
	return 0;
}

static char expression_peek(struct expression *expression)
{
	while (*expression->pos == ' ' || *expression->pos == '\t')
		expression->pos++;
	return *expression->pos;
}

static long long expression_digits(struct expression *expression)
{
	long long value = 0;

	if (!isdigit((unsigned char)*expression->pos))
		return expression_fail(expression, -EINVAL);
	for (; isdigit((unsigned char)*expression->pos); expression->pos++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, *expression->pos - '0', &value))
			return expression_fail(expression, -ERANGE);
	}
	return value;
}

/* A number, a sum in parentheses, or either after minus signs. */
static long long expression_factor(struct expression *expression)
{
	bool is_negative = false;
	long long value;

	while (expression_peek(expression) == '-') {
		expression->pos++;
		is_negative = !is_negative;
	}
	if (*expression->pos != '(') {
		value = expression_digits(expression);
		return is_negative ? -value : value;
	}
	if (++expression->depth > MAX_PARENTHESES)
		return expression_fail(expression, -EINVAL);
	expression->pos++;
	value = expression_sum(expression);
	if (expression_peek(expression) != ')')
		return expression_fail(expression, -EINVAL);
	expression->pos++;
	expression->depth--;
	if (is_negative && __builtin_sub_overflow(0, value, &value))
		return expression_fail(expression, -ERANGE);
	return value;
}

static long long expression_product(struct expression *expression)
{
	long long value = expression_factor(expression);

	for (;;) {
		const char sign = expression_peek(expression);
		long long right;

		if (expression->error || (sign != '*' && sign != '/'))
			return value;
		expression->pos++;
		right = expression_factor(expression);
		if (sign == '*' && __builtin_mul_overflow(value, right, &value))
			return expression_fail(expression, -ERANGE);
		if (sign == '/' && (right == 0 || (right == -1 && value == LLONG_MIN)))
			return expression_fail(expression, -ERANGE);
		if (sign == '/')
			value /= right;
	}
}

static long long expression_sum(struct expression *expression)
{
	long long value = expression_product(expression);

	for (;;) {
		const char sign = expression_peek(expression);
		long long right;
		bool is_overflow;

		if (expression->error || (sign != '+' && sign != '-'))
			return value;
		expression->pos++;
		right = expression_product(expression);
		is_overflow = sign == '+' ? __builtin_add_overflow(value, right, &value)
					  : __builtin_sub_overflow(value, right, &value);
		if (is_overflow)
			return expression_fail(expression, -ERANGE);
	}
}

int subst_evaluate(const char *text, long long *ret_value)
{
	struct expression expression = { .pos = text };
	long long value = expression_sum(&expression);

	if (!expression.error && expression_peek(&expression) != '\0')
		return -EINVAL;
	if (expression.error)
		return expression.error;
	*ret_value = value;
	return 0;
}

static unsigned long long page_size(void)
{
	return (unsigned long long)sysconf(_SC_PAGESIZE);
}

static unsigned long long memory_mib(void)
{
	return (unsigned long long)sysconf(_SC_PHYS_PAGES) * page_size() >> 20;
}

static unsigned long long nr_cpus(void)
{
	return (unsigned long long)sysconf(_SC_NPROCESSORS_ONLN);
}

static const struct keyword {
	const char *word;
	unsigned long long (*value)(void);
} keywords[] = {
	{ "$pagesize", page_size },
	{ "$mb_memory", memory_mib },
	{ "$ncpus", nr_cpus },
};

static const struct keyword *keyword_at(const char *pos)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
		if (!strncmp(pos, keywords[i].word, strlen(keywords[i].word)))
			return &keywords[i];
	}
	return NULL;
}

/* Length of "${NAME}" at pos, 0 if there is none. last_brace: the last '}' of the line or NULL. */
static size_t variable_len(const char *pos, const char *last_brace)
{
	if (pos[0] != '$' || pos[1] != '{' || !last_brace || last_brace < pos)
		return 0;
	return (size_t)(strchr(pos, '}') - pos) + 1;
}

static void add_variable(struct strbuf *out, const char *pos, size_t len, struct arena *arena,
			 struct subst *subst)
{
	const char *name = arena_strndup(arena, pos + 2, len - 3);
	const char *value = getenv(name);

	if (value)
		strbuf_add_str(out, value);
	else if (!subst->unset_variable)
		subst->unset_variable = name;
}

/* If the value after '=' is an expression of numbers, puts its result there. */
static int arithmetic_apply(struct strbuf *out, struct err *err)
{
	const char *equals = strchr(strbuf_str(out), '=');
	struct short_text quoted;
	long long value = 0;
	int ret;

	if (!equals || !strpbrk(equals, "+-*/"))
		return 0;
	ret = subst_evaluate(equals + 1, &value);
	if (ret == -EINVAL)
		return 0; /* text, such as a path; the key will say if it wanted a number */
	if (ret < 0)
		return err_set(err, ERR_INPUT, "'%s' cannot be computed",
			       short_text(equals + 1, &quoted));
	strbuf_truncate(out, (size_t)(equals - strbuf_str(out)) + 1);
	strbuf_printf(out, "%lld", value);
	return 0;
}

int subst_line(const char *line, size_t max_len, struct arena *arena, struct subst *ret_subst,
	       struct err *err)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	struct subst subst = { .text = line };
	const char *last_brace = strrchr(line, '}');
	bool has_keyword = false;
	int ret;

	if (!strchr(line, '$')) {
		*ret_subst = subst;
		return 0;
	}
	for (const char *pos = line; *pos;) {
		const size_t len = variable_len(pos, last_brace);
		const struct keyword *keyword = len == 0 ? keyword_at(pos) : NULL;

		if (len > 0)
			add_variable(&out, pos, len, arena, &subst);
		else if (keyword)
			strbuf_printf(&out, "%llu", keyword->value());
		else
			strbuf_add_char(&out, *pos);
		has_keyword |= keyword != NULL;
		pos += len > 0 ? len : keyword ? strlen(keyword->word) : 1;
		if (out.len > max_len)
			return err_set(err, ERR_INPUT,
				       "the line is longer than %zu bytes with its variables",
				       max_len);
	}
	ret = has_keyword ? arithmetic_apply(&out, err) : 0;
	if (ret < 0)
		return ret;
	subst.text = arena_strdup(arena, strbuf_str(&out));
	*ret_subst = subst;
	return 0;
}
