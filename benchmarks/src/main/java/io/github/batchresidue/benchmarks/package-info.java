/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What the component costs: alone under JMH, and side by side with other clients against one server on loopback. */
package io.github.batchresidue.benchmarks;
