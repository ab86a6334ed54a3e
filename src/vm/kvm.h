/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_KVM_H
#define REGIO_VM_KVM_H

struct err;

/*
 * 0 when QEMU can run a guest on KVM here. Opening /dev/kvm says little (nested, filtered and
 * half-emulated ones open, too), so a guest of two instructions is run, 0.2 s.
 * -ERR_UNSUPPORTED says what is in the way.
 */
int kvm_check(struct err *err);

#endif
