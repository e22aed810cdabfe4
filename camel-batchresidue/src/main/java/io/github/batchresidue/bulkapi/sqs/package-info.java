/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The batch operations of SQS: up to 10 messages sent, or as many received ones deleted or hidden for longer. The answer
 * names each entry by id as accepted or failed.
 */
package io.github.batchresidue.bulkapi.sqs;
