/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * PutRecordBatch of Firehose: up to 500 records for one stream, whose answer has a result for each of them in the order of
 * the request.
 */
package io.github.batchresidue.bulkapi.firehose;
