/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * PutEvents of EventBridge: up to 10 entries for one or more event buses, whose answer has a result for each of them in the
 * order of the request.
 */
package io.github.batchresidue.bulkapi.eventbridge;
