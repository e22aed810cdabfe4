/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The {@code _bulk} API of Elasticsearch and OpenSearch. An operation is written from the bytes it came in
 * ({@link io.github.batchresidue.bulkapi.elasticsearch.BulkOperation}), the answer is read in one pass
 * ({@link io.github.batchresidue.bulkapi.elasticsearch.BulkAnswer}), and what an error means stands in one table
 * ({@link io.github.batchresidue.bulkapi.elasticsearch.BulkErrors}).
 */
package io.github.batchresidue.bulkapi.elasticsearch;
