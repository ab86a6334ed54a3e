/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verdict: findings turned into good or bad news, words and exit status. */
#include "analysis/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "stats/interval.h"

#define EXIT_NO_REGRESSION 0
#define EXIT_REGRESSION 1
#define EXIT_UNDECIDED 10

static const struct {
	const char *name;
	const char *text;
	int exit_status;
} verdict_rows[] = {
	[VERDICT_UNDECIDED] = { "undecided", "undecided", EXIT_UNDECIDED },
	[VERDICT_REGRESSION] = { "regression", "regression", EXIT_REGRESSION },
	[VERDICT_IMPROVEMENT] = { "improvement", "improvement", EXIT_NO_REGRESSION },
	[VERDICT_NO_DIFFERENCE] = { "no_difference", "no difference", EXIT_NO_REGRESSION },
	[VERDICT_LOWER] = { "lower", "lower", EXIT_UNDECIDED },
	[VERDICT_HIGHER] = { "higher", "higher", EXIT_UNDECIDED },
};

enum verdict verdict_of(enum finding finding, enum polarity polarity)
{
	enum finding bad = polarity == POLARITY_LOWER_IS_BETTER ? FINDING_HIGHER : FINDING_LOWER;

	if (finding == FINDING_UNDECIDED)
		return VERDICT_UNDECIDED;
	if (finding == FINDING_NO_DIFFERENCE)
		return VERDICT_NO_DIFFERENCE;
	if (polarity == POLARITY_NONE)
		return finding == FINDING_LOWER ? VERDICT_LOWER : VERDICT_HIGHER;
	return finding == bad ? VERDICT_REGRESSION : VERDICT_IMPROVEMENT;
}

const char *verdict_name(enum verdict verdict)
{
	return verdict_rows[verdict].name;
}

const char *verdict_text(enum verdict verdict)
{
	return verdict_rows[verdict].text;
}

int verdict_exit_status(enum verdict verdict)
{
	return verdict_rows[verdict].exit_status;
}

bool verdict_has_no_direction(enum verdict verdict)
{
	return verdict == VERDICT_LOWER || verdict == VERDICT_HIGHER;
}

enum verdict verdict_worse(enum verdict left, enum verdict right)
{
	if (left == VERDICT_REGRESSION || right == VERDICT_REGRESSION)
		return VERDICT_REGRESSION;
	if (left == VERDICT_UNDECIDED || right == VERDICT_UNDECIDED)
		return VERDICT_UNDECIDED;
	return verdict_has_no_direction(right) ? right : left;
}

/* As a person reads it: a ratio as per cent of change. */
static double shown(enum scale scale, double effect)
{
	return scale == SCALE_RATIO ? 100.0 * (effect - 1.0) : effect;
}

__attribute__((format(printf, 2, 3))) static void text_append(char text[VERDICT_TEXT_LEN],
							      const char *format, ...)
{
	size_t len = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + len, VERDICT_TEXT_LEN - len, format, args);
	va_end(args);
}

/* Appends without clearing. */
static void effect_append(const struct decision *decision, char text[VERDICT_TEXT_LEN])
{
	struct interval interval = decision_interval(decision);
	enum scale scale = decision->scale;
	int decimals = scale == SCALE_RATIO ? 1 : 2;

	text_append(text, "%+.*f%s", decimals, shown(scale, decision->effect),
		    scale == SCALE_RATIO ? " %" : "");
	if (interval_is_bounded(interval))
		text_append(text, " [%+.*f, %+.*f]", decimals, shown(scale, interval.lo), decimals,
			    shown(scale, interval.hi));
}

void verdict_format_effect(const struct decision *decision, char ret_text[VERDICT_TEXT_LEN])
{
	ret_text[0] = '\0';
	effect_append(decision, ret_text);
}

/* "5 %", or "5 points" respectively "5" for other units. */
static void size_append(const struct decision *decision, const struct effect_rule *rule,
			double size, char text[VERDICT_TEXT_LEN])
{
	if (decision->scale == SCALE_RATIO)
		text_append(text, "%.3g %%", 100.0 * size);
	else
		text_append(text, "%.3g%s", size, rule->is_percent ? " points" : "");
}

/* What the user called the smallest effect, on the scale of the decision. */
static double size_asked(const struct decision *decision, const struct effect_rule *rule)
{
	if (decision->scale == SCALE_RATIO)
		return rule->min_effect;
	return effect_limit(rule, SCALE_POINTS);
}

static void runs_append(size_t nr_a, size_t nr_b, char text[VERDICT_TEXT_LEN])
{
	if (nr_a == nr_b)
		text_append(text, "%zu run%s a side", nr_a, nr_a == 1 ? "" : "s");
	else
		text_append(text, "%zu and %zu runs", nr_a, nr_b);
}

void verdict_format(const struct decision *decision, const struct effect_rule *rule,
		    enum polarity polarity, char ret_text[VERDICT_TEXT_LEN])
{
	enum verdict verdict = verdict_of(decision->finding, polarity);
	double asked = size_asked(decision, rule);

	ret_text[0] = '\0';
	if (!decision->is_tested) {
		text_append(ret_text, "no verdict: ");
		runs_append(decision->nr_a, decision->nr_b, ret_text);
		return;
	}
	text_append(ret_text, "%s", verdict_text(verdict));
	if (verdict == VERDICT_NO_DIFFERENCE) {
		text_append(ret_text, " >= ");
		size_append(decision, rule, asked, ret_text);
	}
	text_append(ret_text, ": ");
	effect_append(decision, ret_text);
	if (verdict == VERDICT_NO_DIFFERENCE && decision->is_significant) {
		text_append(ret_text, ", below your ");
		size_append(decision, rule, asked, ret_text);
	}
	if (verdict == VERDICT_UNDECIDED && decision->decidable_effect < INFINITY) {
		text_append(ret_text, ", ");
		size_append(decision, rule, decision->decidable_effect, ret_text);
		text_append(ret_text, " is decidable now");
	}
}
