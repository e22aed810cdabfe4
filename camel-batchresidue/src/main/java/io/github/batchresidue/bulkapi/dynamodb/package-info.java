/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * DynamoDB's BatchWriteItem: up to 25 puts and deletes in one or more tables, whose answer echoes the operations that
 * were not processed.
 */
package io.github.batchresidue.bulkapi.dynamodb;
