/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vm_options: from the options of guests to what a trial is told. */
#include "cmd/vm_options.h"

#include <string.h>

#include "base/err.h"
#include "base/log.h"
#include "base/units.h"
#include "model/job.h"
#include "vm/qemu.h"

int vm_options_refuse_time(const struct vm_options *options, struct err *err)
{
	if (!strcmp(options->time, "auto"))
		return 0;
	return err_set(err, ERR_USAGE,
		       "--time=%s is the clock of a guest, and none runs here: give --on=vm",
		       options->time);
}

int vm_options_choose(const char *target, struct vm_options *options, bool *ret_is_virtual,
		      struct err *err)
{
	const struct target_ops *ops = target_find(target);
	int ret;

	*ret_is_virtual = false;
	if (!ops) /* the session refuses what there is not */
		return 0;
	if (!ops->is_guest)
		return vm_options_refuse_time(options, err);
	ret = vm_time_resolve(options->time, &options->time, err);
	*ret_is_virtual = ret == 0 && !strcmp(options->time, vm_time_name(VM_TIME_VIRTUAL));
	return ret;
}

void vm_options_warn(const struct job_set *jobs, const char *time)
{
	char text[UNITS_TEXT_LEN];

	if (!time || strcmp(time, vm_time_name(VM_TIME_VIRTUAL)) != 0)
		return;
	for (size_t i = 0; i < jobs->nr; i++) {
		const struct job *job = &jobs->jobs[i];

		if (!job->time_based || job->number_ios)
			continue;
		units_print_duration_ns(job->runtime_ns, text, sizeof(text));
		log_warning("job '%s' runs for %s of a guest's virtual time, which passes far more "
			    "slowly than ours; bound it by number_ios",
			    job->name, text);
		return;
	}
}

struct trial_vm vm_options_trial(const struct vm_options *options, const char *time,
				 uint64_t seed_nr)
{
	return (struct trial_vm){
		.time = time,
		.memory_mib = options->memory_mib,
		.nr_cpus = options->nr_cpus,
		.nr_warmups = options->nr_warmups,
		.seed = seed_nr ? seed_nr : 1,
		.timeout_ns = options->timeout_ns,
		.append = options->append,
	};
}
