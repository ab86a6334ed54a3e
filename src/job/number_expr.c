/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates the arithmetic in values. */
#include "job/number_expr.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "job/number.h"

#define MAX_DEPTH 32	   /* of parentheses, signs and powers: keeps the recursion bounded */
#define MAX_SUFFIX_LEN 15  /* "minutes" and the like */
#define MAX_ROUNDING 1e-6L /* of a result that is whole */
#define BLANKS " \t"

struct expr {
	const char *pos;
	const struct number_expr_units *units;
	unsigned depth;
	int error; /* 0, or the first -EINVAL or -ERANGE */
};

static long double expr_sum(struct expr *expr);

static long double expr_fail(struct expr *expr, int error)
{
	if (!expr->error)
		expr->error = error;
	return 0;
}

static char expr_peek(struct expr *expr)
{
	expr->pos += strspn(expr->pos, BLANKS);
	return *expr->pos;
}

static long double expr_suffix(struct expr *expr)
{
	char suffix[MAX_SUFFIX_LEN + 1];
	long double factor = 1;
	size_t len = 0;

	while (isalpha((unsigned char)expr->pos[len]))
		len++;
	if (len == 0)
		return 1;
	if (len > MAX_SUFFIX_LEN)
		return expr_fail(expr, -EINVAL);
	memcpy(suffix, expr->pos, len);
	suffix[len] = '\0';
	expr->pos += len;
	return expr->units->factor(expr->units->arg, suffix, &factor) ? factor
								      : expr_fail(expr, -EINVAL);
}

/* Digits with at most one point, and a suffix. */
static long double expr_number(struct expr *expr)
{
	long double value = 0;
	long double scale = 1;
	bool has_point = false;
	bool has_digit = false;

	for (; isdigit((unsigned char)*expr->pos) || (*expr->pos == '.' && !has_point);
	     expr->pos++) {
		if (*expr->pos == '.') {
			has_point = true;
			continue;
		}
		value = value * 10 + (*expr->pos - '0');
		scale = has_point ? scale * 10 : 1;
		has_digit = true;
	}
	if (!has_digit)
		return expr_fail(expr, -EINVAL);
	return value * expr_suffix(expr) / scale;
}

static long double expr_factor(struct expr *expr)
{
	const char sign = expr_peek(expr);
	long double value;

	if (expr->error || ++expr->depth > MAX_DEPTH)
		return expr_fail(expr, -EINVAL);
	if (sign == '-') {
		expr->pos++;
		value = -expr_factor(expr);
	} else if (sign == '(') {
		expr->pos++;
		value = expr_sum(expr);
		if (expr_peek(expr) != ')')
			return expr_fail(expr, -EINVAL);
		expr->pos++;
	} else {
		value = expr_number(expr);
	}
	expr->depth--;
	return value;
}

static long double expr_power(struct expr *expr)
{
	const long double base = expr_factor(expr);
	long double value;

	if (expr->error || expr_peek(expr) != '^')
		return base;
	expr->pos++;
	if (++expr->depth > MAX_DEPTH)
		return expr_fail(expr, -EINVAL);
	value = powl(base, expr_power(expr));
	expr->depth--;
	return value;
}

static long double expr_product(struct expr *expr)
{
	long double value = expr_power(expr);

	for (;;) {
		const char sign = expr_peek(expr);
		long double right;

		if (expr->error || !sign || !strchr("*/%", sign))
			return value;
		expr->pos++;
		right = expr_power(expr);
		if (sign != '*' && right == 0)
			return expr_fail(expr, -ERANGE);
		if (sign == '%')
			value = fmodl(value, right);
		else
			value = sign == '*' ? value * right : value / right;
	}
}

static long double expr_sum(struct expr *expr)
{
	long double value = expr_product(expr);

	for (;;) {
		const char sign = expr_peek(expr);
		long double right;

		if (expr->error || (sign != '+' && sign != '-'))
			return value;
		expr->pos++;
		right = expr_product(expr);
		value = sign == '+' ? value + right : value - right;
	}
}

int number_expr_evaluate(const char *text, const struct number_expr_units *units,
			 long double *ret_value)
{
	struct expr expr = { .pos = text, .units = units };
	long double value = expr_sum(&expr);

	if (!expr.error && expr_peek(&expr) != '\0')
		return -EINVAL;
	if (expr.error)
		return expr.error;
	if (!isfinite(value))
		return -ERANGE;
	*ret_value = value;
	return 0;
}

int number_expr_parse(struct number_reader *reader, const char *text,
		      const struct number_expr_units *units, uint64_t *ret_value, struct err *err)
{
	long double value = 0;
	struct short_text quoted;

	(void)short_text(text, &quoted);
	if (number_expr_evaluate(text, units, &value) < 0)
		return err_set(err, ERR_INPUT, "'%s' cannot be computed", quoted.buf);
	value *= (long double)units->unit;
	if (value < 0 || fabsl(value - roundl(value)) > MAX_ROUNDING)
		return err_set(err, ERR_INPUT, "'%s' is %Lg: it must be whole and not negative",
			       quoted.buf, value);
	if (value >= (long double)INT64_MAX)
		return err_set(err, ERR_INPUT, "'%s' is too large", quoted.buf);
	*ret_value = (uint64_t)roundl(value);
	number_note(reader, TRAP_EXPRESSION, "'%s' is %" PRIu64 "; most builds of fio refuse it",
		    quoted.buf, *ret_value / units->unit);
	return 0;
}
