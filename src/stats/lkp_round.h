/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_LKP_ROUND_H
#define REGIO_STATS_LKP_ROUND_H

/*
 * LKP prints with Ruby, which rounds a number that lies within a few units of its last binary
 * place of a decimal half to the even digit (12.35 -> 12.4, 0.45 -> 0.4), where printf(3) goes by
 * the exact binary value (12.3, 0.5). These return a number that printf prints as Ruby prints
 * the value: the value itself unless it is such a half.
 */
double lkp_round_decimals(double value, int nr_decimals);
double lkp_round_digits(double value, int nr_digits);

#endif
