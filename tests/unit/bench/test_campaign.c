/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../test.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "bench/campaign.h"
#include "model/result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A made-up machine: the value of a trial is 10^6 times a noise, an effect of B and a drift; it
 * travels in result.elapsed_ms. What happens is written down as a text, one word a hook:
 * "rA0" run A with seed_nr 0, "sAw" sink A as warm-up (u used, f failed, i interrupted), "vA"
 * value, "l5" look at 5 pairs.
 */
struct machine {
	struct rng rng;
	double cv;
	double effect;	    /* B / A - 1 */
	double drift;	    /* per trial */
	double every_other; /* every second trial is so much slower */

	unsigned nr_trials;
	char log[8192];

	/* disturbances: number of the trial, from 1 on, 0 = never */
	uint64_t fails;		      /* bit n: trial n fails */
	enum campaign_side fail_side; /* with is_fail_side: only if it is of this side */
	bool is_fail_side;
	unsigned interrupt_in;	  /* during this trial, whose result is partial */
	unsigned interrupt_after; /* the flag is seen only after this whole trial */
	unsigned interrupt_error; /* this trial returns -ERR_INTERRUPTED */
	unsigned run_error;	  /* this trial returns -ERR_SYSTEM */
	unsigned sink_error, value_error, value_nan;
	atomic_bool interrupted;
};

static void machine_log(struct machine *machine, const char *word)
{
	size_t len = strlen(machine->log);

	if (len + strlen(word) + 2 < sizeof(machine->log))
		(void)snprintf(machine->log + len, sizeof(machine->log) - len, "%s ", word);
}

static bool is_failing(const struct machine *machine, enum campaign_side side)
{
	if (machine->is_fail_side && machine->fail_side != side)
		return false;
	return machine->fails >> machine->nr_trials & 1;
}

/* Normal deviate, Box & Muller 1958. */
static double noise(struct rng *rng)
{
	double u = 1.0 - rng_double(rng);

	return sqrt(-2.0 * log(u)) * cos(2.0 * 3.14159265358979323846 * rng_double(rng));
}

static int machine_run(void *arg, enum campaign_side side, uint64_t seed_nr,
		       struct result *ret_result, struct err *err)
{
	struct machine *machine = arg;
	unsigned nr = ++machine->nr_trials;
	double value = 1e6 * exp(machine->cv * noise(&machine->rng));
	char word[32];

	(void)snprintf(word, sizeof(word), "r%s%llu", side_name(side), (unsigned long long)seed_nr);
	machine_log(machine, word);
	if (nr == machine->run_error)
		return err_set(err, ERR_SYSTEM, "trial %u broke", nr);
	if (nr == machine->interrupt_error)
		return err_set(err, ERR_INTERRUPTED, "stopped");
	value *= side == SIDE_B ? 1.0 + machine->effect : 1.0;
	value *= exp(machine->drift * nr);
	value *= nr % 2 ? 1.0 : 1.0 - machine->every_other;
	ret_result->elapsed_ms = (uint64_t)llround(value);
	result_add_job(ret_result)->error = is_failing(machine, side) ? EIO : 0;
	ret_result->interrupted = nr == machine->interrupt_in;
	if (nr == machine->interrupt_in || nr == machine->interrupt_after)
		atomic_store(&machine->interrupted, true);
	return 0;
}

static int machine_sink(void *arg, enum campaign_side side, enum trial_use use,
			const struct result *result, struct err *err)
{
	struct machine *machine = arg;
	char word[8];

	assert_int_equal(result->nr_jobs, 1);
	(void)snprintf(word, sizeof(word), "s%s%c", side_name(side), "wufi"[use]);
	machine_log(machine, word);
	if (machine->nr_trials == machine->sink_error)
		return err_set(err, ERR_SYSTEM, "sink broke");
	return 0;
}

static int machine_value(void *arg, enum campaign_side side, const struct result *result,
			 double *ret_value, struct err *err)
{
	struct machine *machine = arg;

	machine_log(machine, side == SIDE_A ? "vA" : "vB");
	if (machine->nr_trials == machine->value_error)
		return err_set(err, ERR_INPUT, "no such metric");
	*ret_value = machine->nr_trials == machine->value_nan ? NAN : (double)result->elapsed_ms;
	return 0;
}

static void machine_look(void *arg, const struct stop_look *look)
{
	struct machine *machine = arg;
	char word[16];

	(void)snprintf(word, sizeof(word), "l%zu", look->nr_pairs);
	machine_log(machine, word);
}

static int run_seeded(struct machine *machine, uint64_t seed, struct campaign *ret, struct err *err)
{
	struct campaign_config config = {
		.stop = { .rule = { .alpha = 0.05, .min_effect = 0.05 }, .max_pairs = 30 },
		.nr_warmups = 1,
		.seed = seed,
		.interrupted = &machine->interrupted,
		.hooks = { .run_trial = machine_run,
			   .value = machine_value,
			   .sink = machine_sink,
			   .look = machine_look,
			   .arg = machine },
	};

	rng_init(&machine->rng, seed + 1000);
	return campaign_run(&config, ret, err);
}

static void check_run(struct machine *machine, struct campaign *ret)
{
	struct err err = { 0 };

	if (run_seeded(machine, 1, ret, &err) != 0)
		fail_msg("%s", err.msg);
}

/* The log starts with these words. */
static void check_log(const struct machine *machine, const char *want)
{
	if (strncmp(machine->log, want, strlen(want)) != 0)
		fail_msg("'%s' does not start with '%s'", machine->log, want);
}

/* Without noise: five pairs say "no difference". The coin of seed 1 starts aabbb. */
static void test_order_of_events(void **state)
{
	struct machine machine = { .cv = 0 };
	struct campaign campaign;

	(void)state;
	check_run(&machine, &campaign);
	assert_string_equal(machine.log, "rA0 sAw rB0 sBw "
					 "rA1 sAu vA rB1 sBu vB l1 "
					 "rA2 sAu vA rB2 sBu vB l2 "
					 "rB3 sBu vB rA3 sAu vA l3 "
					 "rB4 sBu vB rA4 sAu vA l4 "
					 "rB5 sBu vB rA5 sAu vA l5 ");
	assert_int_equal(campaign.end, CAMPAIGN_DECIDED);
	assert_int_equal(campaign.look.decision.finding, FINDING_NO_DIFFERENCE);
	assert_int_equal(campaign.stop.nr_pairs, 5);
	assert_true(campaign.stop.a_first[0]);
	assert_true(campaign.stop.a_first[1]);
	assert_false(campaign.stop.a_first[2]);
	assert_int_equal(campaign.nr_failures[SIDE_A], 0);
}

static void test_no_warmup(void **state)
{
	struct machine machine = { .cv = 0 };
	struct campaign_config config = {
		.stop = { .rule = { .alpha = 0.05, .min_effect = 0.05 }, .max_pairs = 5 },
		.hooks = { .run_trial = machine_run,
			   .value = machine_value,
			   .sink = machine_sink,
			   .arg = &machine },
	};
	struct campaign campaign;

	(void)state;
	assert_int_equal(campaign_run(&config, &campaign, NULL), 0); /* no look, no flag */
	assert_int_equal(machine.nr_trials, 10);
	assert_null(strchr(machine.log, 'w'));
}

static void test_values_go_to_their_side(void **state)
{
	struct machine machine = { .effect = -0.5 };
	struct campaign campaign;

	(void)state;
	check_run(&machine, &campaign);
	for (size_t i = 0; i < campaign.stop.nr_pairs; i++) {
		assert_true(campaign.stop.a[i] == 1e6);
		assert_true(campaign.stop.b[i] == 5e5);
	}
	assert_int_equal(campaign.look.decision.finding, FINDING_LOWER);
}

static size_t count_findings(double cv, double effect, enum finding finding, size_t nr_campaigns)
{
	size_t nr = 0;

	for (uint64_t seed = 0; seed < nr_campaigns; seed++) {
		struct machine machine = { .cv = cv, .effect = effect };
		struct campaign campaign;

		assert_int_equal(run_seeded(&machine, seed, &campaign, NULL), 0);
		nr += campaign.look.decision.finding == finding;
		assert_int_equal(campaign.end == CAMPAIGN_DECIDED,
				 campaign.look.decision.finding != FINDING_UNDECIDED);
	}
	return nr;
}

static void test_planted_effects(void **state)
{
	(void)state;
	assert_int_equal(count_findings(0.02, -0.10, FINDING_LOWER, 100), 100);
	assert_int_equal(count_findings(0.02, 0.12, FINDING_HIGHER, 100), 100);
	assert_int_equal(count_findings(0.01, 0.0, FINDING_NO_DIFFERENCE, 100), 100);
}

/* At most 5 % of the campaigns, in both directions together, and 5 standard deviations. */
static void test_false_alarms(void **state)
{
	size_t nr;

	(void)state;
	nr = count_findings(0.05, 0.0, FINDING_LOWER, 200) +
	     count_findings(0.05, 0.0, FINDING_HIGHER, 200);
	assert_in_range(nr, 0, 10 + 15);
}

static void test_budget(void **state)
{
	struct machine machine = { .cv = 0.2 };
	struct campaign campaign;

	(void)state;
	assert_int_equal(run_seeded(&machine, 2, &campaign, NULL), 0);
	assert_int_equal(campaign.end, CAMPAIGN_BUDGET);
	assert_int_equal(campaign.stop.nr_pairs, 30);
	assert_int_equal(machine.nr_trials, 62);
	assert_int_equal(campaign.look.decision.finding, FINDING_UNDECIDED);
	assert_true(campaign.look.is_last);
}

/* What all A runs before all B runs would take for a difference. */
static void test_drift(void **state)
{
	size_t nr_alarms = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct machine machine = { .cv = 0.01, .drift = -0.01 };
		struct campaign campaign;

		assert_int_equal(run_seeded(&machine, seed, &campaign, NULL), 0);
		nr_alarms += campaign.look.decision.finding == FINDING_LOWER ||
			     campaign.look.decision.finding == FINDING_HIGHER;
	}
	assert_in_range(nr_alarms, 0, 4);
}

/* What strict ABAB would take for a difference; the order must not follow the trial's number. */
static void test_every_other_trial_slow(void **state)
{
	size_t nr_alarms = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct machine machine = { .cv = 0.03, .every_other = 0.05 };
		struct campaign campaign;

		assert_int_equal(run_seeded(&machine, seed, &campaign, NULL), 0);
		nr_alarms += campaign.look.decision.finding == FINDING_LOWER ||
			     campaign.look.decision.finding == FINDING_HIGHER;
	}
	assert_in_range(nr_alarms, 0, 6);
}

static void test_seed_repeats_the_campaign(void **state)
{
	struct machine one = { .cv = 0.05 };
	struct machine two = { .cv = 0.05 };
	struct machine other = { .cv = 0.05 };
	struct campaign first;
	struct campaign second;
	struct campaign third;

	(void)state;
	assert_int_equal(run_seeded(&one, 7, &first, NULL), 0);
	assert_int_equal(run_seeded(&two, 7, &second, NULL), 0);
	assert_int_equal(run_seeded(&other, 8, &third, NULL), 0);
	assert_string_equal(one.log, two.log);
	assert_string_not_equal(one.log, other.log);
	assert_memory_equal(first.stop.a, second.stop.a, sizeof(first.stop.a));
	assert_memory_equal(first.stop.b, second.stop.b, sizeof(first.stop.b));
	assert_memory_equal(first.stop.a_first, second.stop.a_first, sizeof(first.stop.a_first));
}

static void test_failed_trial_is_repeated(void **state)
{
	struct machine machine = { .fails = 1 << 4 | 1 << 5 };
	struct campaign campaign;

	(void)state;
	check_run(&machine, &campaign);
	check_log(&machine, "rA0 sAw rB0 sBw rA1 sAu vA rB1 sBf rB1 sBf rB1 sBu vB l1 rA2");
	assert_int_equal(campaign.nr_failures[SIDE_A], 0);
	assert_int_equal(campaign.nr_failures[SIDE_B], 2);
	assert_int_equal(campaign.end, CAMPAIGN_DECIDED);
	assert_int_equal(campaign.stop.nr_pairs, 5);
}

static void test_three_failures_of_one_side(void **state)
{
	struct machine machine = { .fails = ~7ull, .is_fail_side = true, .fail_side = SIDE_B };
	struct campaign campaign;

	(void)state;
	check_run(&machine, &campaign);
	assert_string_equal(machine.log, "rA0 sAw rB0 sBw rA1 sAu vA rB1 sBf rB1 sBf rB1 sBf ");
	assert_int_equal(campaign.end, CAMPAIGN_FAILURE);
	assert_int_equal(campaign.failed_side, SIDE_B);
	assert_int_equal(campaign.nr_failures[SIDE_B], 3);
	assert_int_equal(campaign.stop.nr_pairs, 0);
}

/* Each side has failures of its own: 2 + 2 do not end the campaign. */
static void test_failures_of_both_sides(void **state)
{
	struct machine machine = { .fails = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 5 };
	struct campaign campaign;

	(void)state;
	check_run(&machine, &campaign);
	check_log(&machine, "rA0 sAf rA0 sAf rA0 sAw rB0 sBf rB0 sBf rB0 sBw rA1");
	assert_int_equal(campaign.nr_failures[SIDE_A], 2);
	assert_int_equal(campaign.nr_failures[SIDE_B], 2);
	assert_int_equal(campaign.end, CAMPAIGN_DECIDED);
}

/* They add up over the campaign, not in a row: a side that fails now and then is broken. */
static void test_failures_add_up(void **state)
{
	struct machine machine = { .fails = 1 << 3 | 1 << 6 | 1 << 10,
				   .is_fail_side = true,
				   .fail_side = SIDE_A };
	struct campaign campaign;

	(void)state;
	check_run(&machine, &campaign);
	assert_string_equal(machine.log, "rA0 sAw rB0 sBw rA1 sAf rA1 sAu vA rB1 sBu vB l1 "
					 "rA2 sAf rA2 sAu vA rB2 sBu vB l2 "
					 "rB3 sBu vB rA3 sAf ");
	assert_int_equal(campaign.end, CAMPAIGN_FAILURE);
}

static void test_warmup_that_always_fails(void **state)
{
	struct machine machine = { .fails = ~0ull };
	struct campaign campaign;

	(void)state;
	check_run(&machine, &campaign);
	assert_string_equal(machine.log, "rA0 sAf rA0 sAf rA0 sAf ");
	assert_int_equal(campaign.end, CAMPAIGN_FAILURE);
	assert_int_equal(campaign.failed_side, SIDE_A);
}

static void test_interrupted_at_every_trial(void **state)
{
	(void)state;
	for (unsigned nr = 1; nr <= 12; nr++) {
		struct machine machine = { .interrupt_in = nr };
		struct campaign campaign;
		size_t len;

		check_run(&machine, &campaign);
		assert_int_equal(machine.nr_trials, nr);
		assert_int_equal(campaign.end, CAMPAIGN_INTERRUPTED);
		assert_int_equal(campaign.look.decision.finding, FINDING_UNDECIDED);
		assert_int_equal(campaign.stop.nr_pairs, nr > 2 ? (nr - 3) / 2 : 0);
		len = strlen(machine.log); /* kept, but not used */
		assert_true(len > 3 && machine.log[len - 4] == 's' && machine.log[len - 2] == 'i');
	}
}

/* The flag rises when a trial is over: it counts, and no other one starts. */
static void test_interrupted_between_trials(void **state)
{
	(void)state;
	for (unsigned nr = 1; nr <= 11; nr++) {
		struct machine machine = { .interrupt_after = nr };
		struct campaign campaign;

		check_run(&machine, &campaign);
		assert_int_equal(machine.nr_trials, nr);
		assert_int_equal(campaign.end, CAMPAIGN_INTERRUPTED);
		assert_int_equal(campaign.stop.nr_pairs, nr > 2 ? (nr - 2) / 2 : 0);
		assert_int_equal(campaign.look.nr_pairs, campaign.stop.nr_pairs);
	}
}

/* A decision that is there counts, whatever the flag says. */
static void test_interrupted_after_the_last_pair(void **state)
{
	struct machine machine = { .interrupt_after = 12 };
	struct campaign campaign;

	(void)state;
	check_run(&machine, &campaign);
	assert_int_equal(campaign.end, CAMPAIGN_DECIDED);
}

static void test_interrupted_before_the_first(void **state)
{
	struct machine machine = { .interrupted = true };
	struct campaign campaign;

	(void)state;
	check_run(&machine, &campaign);
	assert_string_equal(machine.log, "");
	assert_int_equal(campaign.end, CAMPAIGN_INTERRUPTED);
}

static void test_interrupted_by_the_trial(void **state)
{
	struct machine machine = { .interrupt_error = 5 };
	struct campaign campaign;

	(void)state;
	check_run(&machine, &campaign);
	assert_int_equal(machine.nr_trials, 5);
	assert_int_equal(campaign.end, CAMPAIGN_INTERRUPTED);
	assert_int_equal(campaign.stop.nr_pairs, 1);
}

static void check_error(struct machine machine, int code, const char *msg, const char *last_word)
{
	struct campaign campaign;
	struct err err = { 0 };
	size_t len;

	assert_int_equal(run_seeded(&machine, 1, &campaign, &err), -code);
	assert_string_equal(err.msg, msg);
	assert_int_equal(machine.nr_trials, 5);
	assert_int_equal(campaign.stop.nr_pairs, 1); /* what was there before stays */
	len = strlen(machine.log);
	assert_true(len > strlen(last_word));
	assert_string_equal(machine.log + len - strlen(last_word), last_word);
}

static void test_errors_of_hooks(void **state)
{
	(void)state;
	check_error((struct machine){ .run_error = 5 }, ERR_SYSTEM, "trial 5 broke", "l1 rA2 ");
	check_error((struct machine){ .sink_error = 5 }, ERR_SYSTEM, "sink broke", "rA2 sAu ");
	check_error((struct machine){ .value_error = 5 }, ERR_INPUT, "no such metric", "sAu vA ");
	check_error((struct machine){ .value_nan = 5 }, ERR_INPUT, "a run of A has no usable value",
		    "sAu vA ");
}

static void test_bad_config(void **state)
{
	struct machine machine = { .cv = 0 };
	struct campaign_config config = {
		.stop = { .rule = { .alpha = 0.05, .min_effect = 0.05 }, .max_pairs = 4 },
		.hooks = { .run_trial = machine_run, .arg = &machine },
	};
	struct campaign campaign;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(campaign_run(&config, &campaign, &err), -ERR_USAGE);
	assert_int_equal(machine.nr_trials, 0);
	assert_true(err.msg[0] != '\0');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_of_events),
		cmocka_unit_test(test_no_warmup),
		cmocka_unit_test(test_values_go_to_their_side),
		cmocka_unit_test(test_planted_effects),
		cmocka_unit_test(test_false_alarms),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_every_other_trial_slow),
		cmocka_unit_test(test_seed_repeats_the_campaign),
		cmocka_unit_test(test_failed_trial_is_repeated),
		cmocka_unit_test(test_three_failures_of_one_side),
		cmocka_unit_test(test_failures_of_both_sides),
		cmocka_unit_test(test_failures_add_up),
		cmocka_unit_test(test_warmup_that_always_fails),
		cmocka_unit_test(test_interrupted_at_every_trial),
		cmocka_unit_test(test_interrupted_between_trials),
		cmocka_unit_test(test_interrupted_after_the_last_pair),
		cmocka_unit_test(test_interrupted_before_the_first),
		cmocka_unit_test(test_interrupted_by_the_trial),
		cmocka_unit_test(test_errors_of_hooks),
		cmocka_unit_test(test_bad_config),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
