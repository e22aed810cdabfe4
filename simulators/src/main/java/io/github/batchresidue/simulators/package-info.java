/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Servers on loopback that play bulk APIs over their wire protocol, for tests and examples. */
package io.github.batchresidue.simulators;
