/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vm_options: from the options of guests to what a trial is told. */
#include "cmd/vm_options.h"

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
