/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "job/job_facts.h"

#include "job_test.h"
#include "model/result.h"
#include "test.h"

static void assert_fact(const struct result *result, const char *key, const char *value)
{
	const char *found = result_env(result, key);

	if (!value)
		assert_null(found);
	else if (!found)
		fail_msg("%s is absent, not '%s'", key, value);
	else
		assert_string_equal(found, value);
}

static void test_given_and_default(void **state)
{
	struct job_set jobs = parse_good("[global]\ndirect=1\n[j]\nsize=1m\niodepth=8\n"
					 "ioengine=libaio\nrandrepeat=0\n");
	CLEANUP(result) struct result result = { .nr_env = 0 };

	(void)state;
	job_facts_add(&jobs, &result);
	assert_fact(&result, "job.direct", "1");
	assert_fact(&result, "job.iodepth", "8");
	assert_fact(&result, "job.randrepeat", "0");
	assert_fact(&result, "job.bs", "4k");
	assert_fact(&result, "job.rw", "read");
	assert_fact(&result, "job.ioengine", "libaio");
	assert_fact(&result, "job.fixedbufs", NULL); /* of io_uring */
	assert_fact(&result, "job.runtime", NULL);
	assert_fact(&result, "job.name", NULL);
	job_set_release(&jobs);
}

static void test_jobs_differ(void **state)
{
	struct job_set jobs = parse_good("[r]\nsize=1m\nbsrange=4k-8k\n[w]\nsize=1m\nrw=write\n");
	CLEANUP(result) struct result result = { .nr_env = 0 };

	(void)state;
	job_facts_add(&jobs, &result);
	assert_fact(&result, "job.size", "1m");
	assert_fact(&result, "job.rw", NULL);
	assert_fact(&result, "job[r].rw", "read");
	assert_fact(&result, "job[w].rw", "write");
	assert_fact(&result, "job[r].bsrange", "4k-8k");
	assert_fact(&result, "job[r].bs",
		    NULL); /* not the default that bsrange took the place of */
	assert_fact(&result, "job[w].bs", "4k");
	job_set_release(&jobs);
}

static void test_no_jobs(void **state)
{
	const struct job_set jobs = { .nr = 0 };
	CLEANUP(result) struct result result = { .nr_env = 0 };

	(void)state;
	job_facts_add(&jobs, &result);
	assert_int_equal(result.nr_env, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_given_and_default),
		cmocka_unit_test(test_jobs_differ),
		cmocka_unit_test(test_no_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
