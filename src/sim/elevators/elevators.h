/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The schedulers of the engine; elevators.c has the table. */
#ifndef IOSCHED_SIM_ELEVATORS_ELEVATORS_H
#define IOSCHED_SIM_ELEVATORS_ELEVATORS_H

#include "sim/elevator.h"

extern const struct sim_elevator_ops sim_elevator_none;
extern const struct sim_elevator_ops sim_elevator_noop;
extern const struct sim_elevator_ops sim_elevator_deadline;
extern const struct sim_elevator_ops sim_elevator_mq_deadline;
extern const struct sim_elevator_ops sim_elevator_kyber;
extern const struct sim_elevator_ops sim_elevator_cfq;
extern const struct sim_elevator_ops sim_elevator_anticipatory;
extern const struct sim_elevator_ops sim_elevator_fifo;
extern const struct sim_elevator_ops sim_elevator_sstf;
extern const struct sim_elevator_ops sim_elevator_scan;
extern const struct sim_elevator_ops sim_elevator_c_scan;
extern const struct sim_elevator_ops sim_elevator_look;
extern const struct sim_elevator_ops sim_elevator_c_look;
extern const struct sim_elevator_ops sim_elevator_bfq;

#endif
